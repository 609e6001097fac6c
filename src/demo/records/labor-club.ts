import { finishedSeries } from './labor-activities.ts';
import { APPLIED_CLUB, CLOSED_CLUB, clubId, clubInSeries, FIRST_CLUB, RESTORERS, SECOND_CLUB } from './labor-clubs.ts';

export interface DemoApplication {
  readonly id: string;
  readonly club: string;
  readonly reason: string;
  readonly minutesAgo: number;
  readonly comment: string | null;
  /** Null while undecided. */
  readonly agreed: boolean | null;
  readonly stateName?: string;
  readonly dateWithT?: boolean;
}

export interface StudentLabor {
  readonly clubs: readonly string[];
  readonly applications: readonly DemoApplication[];
  readonly joined: readonly string[];
  readonly signed: readonly string[];
  /** One and the same fact comes as text, number, boolean or nothing, one row in twenty with something odd about it. */
  readonly isOdd?: boolean;
}

const HOUR = 60;
const DAY = 24 * HOUR;

/** Not in order of time, as the campus sends them. */
// biome-ignore format: one application a line
const applications: readonly DemoApplication[] = [
  { id: 'apply-2', club: clubId(10), reason: '喜欢植物', minutesAgo: 40 * DAY, comment: '同意加入', agreed: true },
  { id: 'apply-4', club: APPLIED_CLUB, reason: '想学 <做饭> & 刀工', minutesAgo: 2 * HOUR, comment: null, agreed: null },
  { id: 'apply-3', club: CLOSED_CLUB, reason: '参与劳动实践', minutesAgo: 3 * DAY, comment: null, agreed: null, stateName: '已失效' },
  { id: 'apply-1', club: clubInSeries(5), reason: '想种菜', minutesAgo: 90 * DAY, comment: '名额已满', agreed: false },
];

export const studentOneLabor = (): StudentLabor => ({
  clubs: [clubId(FIRST_CLUB), clubId(SECOND_CLUB)],
  applications,
  joined: ['3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7001', '3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7006'],
  signed: ['5e0b6a10-4444-4c1d-8a55-000000000061'],
});

export const damagedLabor = (): StudentLabor => ({
  ...studentOneLabor(),
  applications: applications.map((each) => (each.stateName === undefined ? each : { ...each, dateWithT: true })),
  isOdd: true,
});

const REQUIRED = 12;
const triedOthers = { reason: '体验不同的劳动', comment: '已阅' };

export const studentTwoLabor = (): StudentLabor => ({
  clubs: [clubId(RESTORERS)],
  applications: [{ ...triedOthers, id: 'apply-1001', club: clubId(RESTORERS), minutesAgo: 60 * DAY, agreed: true }],
  joined: finishedSeries().slice(0, REQUIRED),
  signed: [],
});

/** More of everything than a page holds. */
export const manyLabors = (): StudentLabor => ({
  clubs: [clubId(RESTORERS)],
  applications: Array.from({ length: 104 }, (_, at) => ({
    ...triedOthers,
    id: `apply-${1001 + at}`,
    club: clubInSeries(at + 1),
    minutesAgo: ((at * 37) % 104) * DAY + HOUR,
    ...(at % 3 === 0 ? { comment: null, agreed: null } : { agreed: at % 3 === 1 }),
  })),
  joined: finishedSeries(),
  signed: [],
});

export const noLabor = (): StudentLabor => ({ clubs: [], applications: [], joined: [], signed: [] });
