import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { firstMoment, isReadingHour, momentTomorrow } from '../../../../src/domain/hooks/daily-readings.ts';
import { hookRefreshes } from '../../../../src/domain/hooks/ports.ts';
import { seeded } from '../accounts/guard/simulation.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 14;
const COUNTS_MS = 6 * HOUR;
const timeZone = 'Asia/Shanghai';
/** Midnight at the campus. */
const BEGIN = Date.UTC(2026, 5, 28, 16);
/** How often a day students open the app, a third of them each. */
const habits = [1 / 3, 1, 3] as const;
const STUDENTS = 600;

interface Member {
  /** Starts of readings, in their order. */
  readonly byApp: number[];
  readonly byService: number[];
  /** When the mark was an event, in hours after it was published. */
  readonly delay: number;
}

/** When a student opens the app: between seven in the morning and midnight. */
const opensOf = (perDay: number, random: () => number): number[] => {
  const opens: number[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const times = perDay < 1 ? Number(random() < perDay) : perDay;
    for (let each = 0; each < times; each += 1) opens.push(BEGIN + day * DAY + (7 + 17 * random()) * HOUR);
  }
  return opens.toSorted((a, b) => a - b);
};

const momentsOf = (random: () => number): number[] => {
  const moments = [firstMoment({ now: BEGIN, timeZone, random })];
  while (moments.length < DAYS) moments.push(momentTomorrow({ now: moments.at(-1) ?? 0, timeZone, random }));
  return moments;
};

/** A fortnight of one student, by the moments that the service draws. */
const member = (isDaily: boolean, perDay: number, publishedAt: number, random: () => number): Member => {
  const byApp = opensOf(perDay, random);
  const moments = isDaily ? momentsOf(random) : [];
  const byService = moments.filter((at) => !byApp.some((own) => own < at && at - own < COUNTS_MS));
  const told = [...byApp, ...byService].filter((at) => at >= publishedAt);
  return { byApp, byService, delay: (Math.min(...told) - publishedAt) / HOUR };
};

const random = seeded(7);
/** Marks come out on days 3 to 9, between nine in the morning and ten at night. */
const groups = hookRefreshes.map((refresh) => ({
  refresh,
  members: Array.from({ length: STUDENTS }, (_, at) => {
    const published = BEGIN + (2 + Math.floor(7 * random())) * DAY + (9 + 13 * random()) * HOUR;
    return member(refresh === 'daily', habits[at % 3] ?? 1, published, random);
  }),
}));

it('how soon a mark is told and what it costs the campus is as the documents say', () => {
  const hours = (members: readonly Member[], share: number): string => {
    const delays = members.map(({ delay }) => delay).toSorted((a, b) => a - b);
    const at = delays[Math.ceil(delays.length * share) - 1] ?? Number.NaN;
    return at.toFixed(at < 10 ? 1 : 0);
  };
  const perDay = (members: readonly Member[], of: 'byApp' | 'byService'): string =>
    (members.reduce((sum, each) => sum + each[of].length, 0) / members.length / DAYS).toFixed(2);
  const rows = groups.map(({ refresh, members }) => {
    const cells = [hours(members, 0.5), hours(members, 0.9), perDay(members, 'byApp'), perDay(members, 'byService')];
    return `| \`${refresh}\` | ${cells.join(' | ')} |`;
  });
  for (const path of ['docs/use/events.md', 'docs/zh/events.md']) {
    const text = readFileSync(join(import.meta.dirname, '../../../..', path), 'utf8');
    expect(
      text.split('\n').filter((line) => /^\| `(?:none|daily)` \| [\d.]+ \|/.test(line)),
      path,
    ).toEqual(rows);
  }
});

it('a student is read once a day at most and by day, and one whose hooks ask for nothing never', () => {
  for (const { refresh, members } of groups) {
    for (const { byService } of members) {
      if (refresh === 'none') expect(byService).toEqual([]);
      const days = byService.map((at) => Math.floor((at - BEGIN) / DAY));
      expect(new Set(days).size).toBe(days.length);
      expect(byService.every((at) => isReadingHour(at, timeZone))).toBe(true);
    }
  }
});
