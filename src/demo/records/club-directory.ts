import { clubId, clubNames } from './labor-clubs.ts';

/** A club that students may apply for. */
export interface DemoClub {
  readonly id: string;
  readonly name: string;
  readonly places: number;
  readonly others: number;
  readonly closed: boolean;
}

/** An application from before the campus opened. */
export interface DemoApplication {
  readonly id: string;
  readonly club: string;
  readonly reason: string;
  /** Before the moment at which the campus opens. */
  readonly minutesAgo: number;
  readonly comment: string | null;
  /** Null while nobody has decided. */
  readonly agreed: boolean | null;
  readonly stateName?: string;
  /** Date and time are joined with a `T`. */
  readonly dateWithT?: boolean;
}

const numbered = (number: number): string => `d7f1b3a8-5555-4c22-9e10-000000000${String(number).padStart(3, '0')}`;

/** Clubs without a story of their own, by the kind of club that a client has to tell apart. */
const kinds = [
  { name: '校园清洁', places: 100, others: 40 },
  { name: '食堂帮厨 <A&B>', places: 80, others: 80 },
  { name: 'Maker 工坊', places: 60, others: 61 },
  { name: '陶艺', places: 30, others: 12, closed: true },
  { name: 'GREEN 种植园', places: 200, others: 3 },
] as const;
const SERIES = 230;

/** More than two pages of them; the three that have activities come first. */
export const clubDirectory = (): DemoClub[] => [
  ...[...clubNames].map(([number, name]) => ({ id: clubId(number), name, places: 200, others: 155, closed: false })),
  ...Array.from({ length: SERIES }, (_, at) => {
    const { name, places, others, ...more } = kinds[at % kinds.length] ?? kinds[0];
    return { id: numbered(at + 1), name: `${name}${at + 1}`, places, others, closed: 'closed' in more };
  }),
];

/** Numbers of clubs in the series: one that is closed, one with an open application. */
const CLOSED_CLUB = numbered(4);
const APPLIED_CLUB = numbered(2);

const HOUR = 60;
const DAY = 24 * HOUR;

/** Not in the order of time, as the campus sends them. */
export const studentOneApplications = (): DemoApplication[] => [
  {
    id: 'apply-2',
    club: clubId(10),
    reason: '喜欢植物',
    minutesAgo: 40 * DAY,
    comment: '同意加入',
    agreed: true,
  },
  {
    id: 'apply-4',
    club: APPLIED_CLUB,
    reason: '想学 <做饭> & 刀工',
    minutesAgo: 2 * HOUR,
    comment: null,
    agreed: null,
  },
  {
    id: 'apply-3',
    club: CLOSED_CLUB,
    reason: '参与劳动实践',
    minutesAgo: 3 * DAY,
    comment: null,
    agreed: null,
    stateName: '已失效',
    dateWithT: true,
  },
  { id: 'apply-1', club: numbered(5), reason: '想种菜', minutesAgo: 90 * DAY, comment: '名额已满', agreed: false },
];

/** More than a page of them. */
export const studentTwoApplications = (): DemoApplication[] =>
  Array.from({ length: 104 }, (_, at) => ({
    id: `apply-${1001 + at}`,
    club: numbered(at + 1),
    reason: '体验不同的劳动',
    minutesAgo: ((at * 37) % 104) * DAY + HOUR,
    comment: at % 3 === 0 ? null : '已阅',
    agreed: at % 3 === 0 ? null : at % 3 === 1,
  }));
