const slot = (session: number, sessionName: string, startTime: string, endTime: string, djjc: unknown) => ({
  id: { jclxdm: '01', session },
  sessionName,
  startTime,
  endTime,
  timeLength: '45',
  djjc,
});

/** The teaching sessions of a day in a term of that many weeks, the same for every student. The evening's last ones belong to no block. */
export const sectionsOf = (weeks: number) => ({
  firstday: 1,
  section: { zs: weeks, zcsm: `第1周-第${weeks}周`, tjc: '12', zts: 7, swjc: 4, xwjc: 4, wsjc: 4 },
  sectionTime: [
    slot(1, '第一节', '0800', '0845', 1),
    slot(2, '第二节', '0855', '0940', 1),
    slot(3, '第三节', '1010', '1055', 2),
    slot(4, '第四节', '1105', '1150', 2),
    slot(5, '第五节', '1400', '1445', '3'),
    slot(6, '第六节', '1455', '1540', '3'),
    slot(7, '第七节', '1610', '1655', 4),
    slot(8, '第八节', '1705', '1750', 4),
    slot(9, '第九节', '1900', '1945', 5),
    slot(10, '第十节', '1955', '2040', 5),
    slot(11, '第十一节', '2050', '2135', null),
    slot(12, '第十二节', '2140', '2225', ''),
  ],
});
