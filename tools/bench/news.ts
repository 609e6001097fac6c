import { allReads } from '../../src/domain/all-reads.ts';
import { type KnownItems, newsOf } from '../../src/domain/events/compare.ts';
import type { NewEvent } from '../../src/domain/events/ports.ts';
import { median } from './alternating.ts';
import { scoreRows } from './load.ts';

/** As long as a published mark is. */
export const news: NewEvent = {
  type: 'score.published',
  readAt: 1,
  ask: '/jwc/score/current/list',
  detail: { score: '80' },
  about: { term_code: '2025-2026-1-1', course_code: 'EX1001', course_class: '01', course_name: '示例课程' },
};

const ROWS = 100;
const ROUNDS = 100;
const PER_ROUND = 100;
const { name: read, shape, events = () => null } = allReads.allScores;
const start = Date.UTC(2026, 0, 12);

const reading = (marks: number, readAt: number) => {
  const rows = scoreRows.slice(0, ROWS).map((row, at) => (at < marks ? row : { ...row, score: '' }));
  const text = JSON.stringify(rows);
  const copy = { read, params: '["2025-2026-1-1"]', shape, text, writes: 0, readAt };
  return newsOf(events, { copy, before: null }, { timeZone: 'Asia/Shanghai', thresholds: [] });
};

/** Of one piece of work, the median over rounds; what each is done to is made before its round. */
const microseconds = <T>(make: () => T, work: (made: T) => unknown): number => {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const made = Array.from({ length: PER_ROUND }, make);
    const began = performance.now();
    for (const each of made) work(each);
    return (1_000 * (performance.now() - began)) / PER_ROUND;
  });
  return median(rounds);
};

/** A new reading of 100 score rows, one mark of which is new, compared with what was known; and all that goes with it. */
export const measureComparison = (): string[] => {
  const first = reading(ROWS - 1, start);
  const [scope = ''] = first.scopes;
  const before = JSON.stringify(first.compare(scope, null, start)?.known);
  const now = start + 60_000;
  const next = reading(ROWS, now);
  const stored = (): KnownItems => JSON.parse(before);
  const compare = (among: KnownItems): unknown => next.compare(scope, among, now);
  if (next.compare(scope, stored(), now)?.events.length !== 1) throw new Error('no event');
  const alone = microseconds(stored, compare);
  const whole = microseconds(
    () => before,
    (text) => JSON.stringify(reading(ROWS, now).compare(scope, JSON.parse(text), now)?.known),
  );
  return [
    `${'comparing 100 score rows'.padEnd(28)} ${alone.toFixed(1)} µs (at most 100)`,
    `${'with reading both, and writing'.padEnd(28)} ${whole.toFixed(1)} µs`,
  ];
};
