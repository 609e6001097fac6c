import { campusTimestamp } from '../../lib/time.ts';
import { FIRST_CLUB, RESTORERS, SECOND_CLUB } from './labor-clubs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface DemoSignItem {
  readonly id: string;
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
}

export interface DemoActivity {
  readonly id: string;
  readonly title: string;
  readonly club: number;
  /** Epoch ms. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly signUpFrom: number;
  readonly signUpUntil: number;
  readonly places: number;
  readonly fewest: number | null;
  readonly closed: boolean;
  readonly needsExamination: boolean;
  readonly signItems: readonly DemoSignItem[];
  /** All who have joined, except the demo students who apply while the campus runs. */
  readonly others: number;
}

/** `2025-04-12 14:00:00`: how the labor club writes a moment. */
export const timeText = (epochMs: number): string => campusTimestamp(epochMs, 'Asia/Shanghai');

const activityId = (number: number): string => `3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7${String(number).padStart(3, '0')}`;
const signId = (number: number): string => `5e0b6a10-4444-4c1d-8a55-0000000000${String(number).padStart(2, '0')}`;

const FINISHED = 104;
const SERIES = 130;
const FIRST_OF_SERIES = 101;

/** Ids of the finished part of the long series, which one student has joined from its first day. */
export const finishedSeries = (): string[] =>
  Array.from({ length: FINISHED }, (_, index) => activityId(FIRST_OF_SERIES + index));

/**
 * All activities, timed around the moment at which the campus opens: one of every kind that a client has to tell
 * apart, and one club with more of them than a page holds.
 */
export const laborActivities = (now: number): DemoActivity[] => {
  const soon = { startsAt: now + 9 * DAY, endsAt: now + 9 * DAY + 2 * HOUR };
  const signUp = { signUpFrom: now - 3 * DAY, signUpUntil: now + 8 * DAY };
  const usual = { places: 20, fewest: null, closed: false, needsExamination: false, signItems: [], others: 3 };
  const base = { ...soon, ...signUp, ...usual };
  const ended = { startsAt: now - 20 * DAY, endsAt: now - 20 * DAY + 2 * HOUR };
  const over = { ...ended, signUpFrom: now - 28 * DAY, signUpUntil: now - 21 * DAY };
  const running = { startsAt: now - HOUR, endsAt: now + 30 * DAY, signUpFrom: now - 10 * DAY, signUpUntil: now - DAY };
  const runningItems = [
    { id: signId(77), from: now - HOUR, to: now + 30 * DAY },
    // The code that is shown at the entrance changes: this one is good for two minutes.
    { id: signId(78), from: now, to: now + 2 * MINUTE },
  ];
  const overItems = [{ id: signId(61), from: now - 20 * DAY, to: now - 20 * DAY + HOUR }];
  const activity = (number: number, title: string, club: number, more: Partial<DemoActivity>): DemoActivity => ({
    ...base,
    id: activityId(number),
    title,
    club,
    ...more,
  });
  const made = [
    activity(1, '图书馆书架整理', FIRST_CLUB, { ...running, fewest: 5, others: 18, signItems: runningItems }),
    activity(2, '花圃养护', FIRST_CLUB, { signUpFrom: now + 2 * DAY, places: 15, others: 0 }),
    activity(3, '校园清扫', FIRST_CLUB, { places: 15, fewest: 5, needsExamination: true }),
    activity(4, '食堂帮厨', FIRST_CLUB, { others: 20 }),
    activity(5, '木凳修理', SECOND_CLUB, { closed: true }),
    activity(6, '工具盘点', SECOND_CLUB, { ...over, others: 11, signItems: overItems }),
    activity(7, '展架安装', SECOND_CLUB, { others: 19 }),
    activity(8, '木屑清运', SECOND_CLUB, { signUpUntil: now - DAY }),
  ];
  const series = Array.from({ length: SERIES }, (_, index) =>
    activity(FIRST_OF_SERIES + index, `古籍除尘第${index + 1}场`, RESTORERS, {
      ...(index < FINISHED ? over : {}),
      others: 1 + (index % 7),
    }),
  );
  return [...made, ...series];
};
