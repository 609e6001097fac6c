import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { hookRefreshes } from '../../src/domain/hooks/ports.ts';
import { refreshLimits } from '../../src/domain/hooks/refresh.ts';
import { campusDate } from '../../src/lib/campus-time.ts';
import { type Classroom, DAYS, fortnight, HOUR, type Member, mixed } from './fortnight.ts';

const zone = 'Asia/Shanghai';
/** Classes of each size; a third of the students takes part in the signal. */
const sizes = [
  [9, 24],
  [36, 8],
  [108, 4],
] as const;
/** Marks come out on days 3 to 9, between nine in the morning and ten at night. */
const published = (at: number, count: number): number => 24 * (2 + ((at * 5) % 7)) + 9 + Math.floor((13 * at) / count);
const ordinary = sizes.flatMap(([size, count]) =>
  Array.from({ length: count }, (_, at) => mixed(size, published(at, count))),
);
/** Of forty, those who take part, and those of them who open the app at all. */
const special = (taking: number, opening: number): Classroom => ({
  ...{ size: 40, publishedAt: 48 },
  members: (at) => ({ refresh: at < taking ? 'signal' : 'daily', habit: at < opening ? 2 : 3 }),
});
let classes: Member[][];
beforeAll(async () => {
  classes = await fortnight([...ordinary, special(4, 40), special(5, 40), special(40, 1), special(40, 2)], 7);
});

/** After which a share of them has been told, in hours. */
const hours = (members: readonly Member[], share: number): string => {
  const delays = members.map(
    ({ toldAt, publishedAt }) => (toldAt === null ? Number.POSITIVE_INFINITY : toldAt - publishedAt) / HOUR,
  );
  const at = delays.toSorted((a, b) => a - b)[Math.ceil(delays.length * share) - 1] ?? Number.NaN;
  return at.toFixed(at < 10 ? 1 : 0);
};
const perDay = (members: readonly Member[], of: 'byApp' | 'byService'): string =>
  (members.reduce((sum, member) => sum + member[of].length, 0) / members.length / DAYS).toFixed(2);

const dayOf = (at: number): string => campusDate(at, zone);
const hourOf = (at: number): number => Math.floor(((at + 8 * HOUR) / HOUR) % 24);

it('how soon a mark is told and what it costs the campus is as the documents say', () => {
  const rows = sizes.flatMap(([size]) =>
    hookRefreshes.map((refresh) => {
      const members = classes.filter(({ length }) => length === size).flat();
      const own = members.filter((member) => member.refresh === refresh);
      const cells = [
        size,
        `\`${refresh}\``,
        hours(own, 0.5),
        hours(own, 0.9),
        perDay(own, 'byApp'),
        perDay(own, 'byService'),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  for (const path of ['docs/use/events.md', 'docs/zh/events.md']) {
    const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    const table = text.split('\n').filter((line) => /^\| \d+ \| `(?:none|signal|daily)` \|/.test(line));
    expect(table, path).toEqual(rows);
  }
});

it('nobody is read who has not asked for it, twice a day at most, from 7 to 23 h, and not within six hours of the app', () => {
  for (const { refresh, byApp, byService, hints } of classes.flat()) {
    if (refresh === 'none') expect([byService, hints]).toEqual([[], 0]);
    const days = Object.values(Object.groupBy(byService, dayOf)).map((some = []) => some.length);
    expect(Math.max(0, ...days)).toBeLessThanOrEqual(refreshLimits.readings);
    expect(byService.map(hourOf).filter((hour) => hour < 7 || hour > 22)).toEqual([]);
    const tooSoon = byService.filter((at) => byApp.some((own) => own < at && at - own < refreshLimits.countsMs));
    expect(tooSoon).toEqual([]);
  }
});

it('fewer than five who take part raise no signal, nor does one student alone, however large the class', () => {
  const hints = classes.slice(-4).map((members) => {
    const taking = members.filter(({ refresh }) => refresh === 'signal');
    return taking.map((member) => member.hints).toSorted((a, b) => a - b);
  });
  expect(hints).toEqual([[0, 0, 0, 0], [0, 0, 1, 1, 1], Array(40).fill(0), [0, 0, ...Array(38).fill(1)]]);
});
