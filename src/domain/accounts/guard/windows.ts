import { type Limit, msUntilFree } from '../../../lib/limits/window.ts';

export interface Dated {
  readonly at: number;
}

/** Milliseconds until one more of this list fits into every one of its budgets; 0: it does now. */
export const msUntilRoom = (list: readonly Dated[], limits: Limit | readonly Limit[], now: number): number =>
  Math.max(
    0,
    ...[limits].flat().map((limit) =>
      msUntilFree(
        list.map(({ at }) => at),
        limit,
        now,
      ),
    ),
  );

/** Keeps entries younger than `lifeMs`. An entry of the future was written before the clock was set back, and counts as now. */
export const young = <T extends Dated>(list: readonly T[], lifeMs: number, now: number): T[] =>
  list.filter(({ at }) => at > now - lifeMs).map((one) => (one.at > now ? { ...one, at: now } : one));
