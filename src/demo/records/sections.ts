/** The teaching sessions of a day: name, begin, end. Two and two are a block. */
const SESSIONS = [
  ['第一节', '0800', '0845'],
  ['第二节', '0855', '0940'],
  ['第三节', '1010', '1055'],
  ['第四节', '1105', '1150'],
  ['第五节', '1400', '1445'],
  ['第六节', '1455', '1540'],
  ['第七节', '1610', '1655'],
  ['第八节', '1705', '1750'],
  ['第九节', '1900', '1945'],
  ['第十节', '1955', '2040'],
  ['第十一节', '2050', '2135'],
] as const;

/** In a term of that many weeks, the same for every student. */
export const sectionsOf = (weeks: number) => ({
  firstday: 1,
  section: { zs: weeks, zcsm: `第1周-第${weeks}周`, tjc: SESSIONS.length, zts: 7, swjc: 4, xwjc: 4, wsjc: 3 },
  sectionTime: SESSIONS.map(([sessionName, startTime, endTime], index) => ({
    id: { jclxdm: '01', session: index + 1 },
    sessionName,
    startTime,
    endTime,
    timeLength: '45',
    djjc: Math.min(Math.floor(index / 2) + 1, 5),
  })),
});

const clock = (digits = ''): string => `${digits.slice(0, 2)}:${digits.slice(2)}`;

/** `10:10-11:50`. */
export const timeSpan = ({ first, count }: { readonly first: number; readonly count: number }): string =>
  `${clock(SESSIONS[first - 1]?.[1])}-${clock(SESSIONS[first + count - 2]?.[2])}`;
