import { guardNumbers as n } from './numbers.ts';
import type { Breaker } from './row.ts';

/** A bad outcome: a step that is met unattended, a captcha, or anything else. */
export type Bad =
  | { readonly by: 'trouble' | 'captcha'; readonly wanted: null }
  | { readonly by: 'step'; readonly wanted: NonNullable<NonNullable<Breaker['open']>['wanted']> };

const { students, share, windowMs, goodMs, probeMs } = n.breaker;

export const withGood = (breaker: Breaker, count: number, now: number): Breaker => {
  const last = breaker.good.at(-1);
  if (last === undefined || last.at <= now - goodMs) return { ...breaker, good: [...breaker.good, { at: now, count }] };
  return { ...breaker, good: [...breaker.good.slice(0, -1), { at: last.at, count: last.count + count }] };
};

/** R4: bad outcomes of three students, and a fifth of all, within five minutes open it. */
export const withBad = (breaker: Breaker, student: string, { by, wanted }: Bad, now: number): Breaker => {
  if (breaker.bad.some((row) => row.student === student)) return breaker;
  const bad = [...breaker.bad, { at: now, student, settled: false }];
  const recent = bad.filter((row) => !row.settled && row.at > now - windowMs).length;
  const good = breaker.good.reduce((sum, { count }) => sum + count, 0);
  const opens = breaker.open === null && recent >= students && recent >= share * (recent + good);
  return { ...breaker, bad, open: opens ? { since: now, nextAt: now, by, wanted } : breaker.open };
};

/** The first sign-in that is accepted and holds closes it; where steps have opened it, an attended one without a step. */
export const closed = (breaker: Breaker, isAttended: boolean): Breaker =>
  breaker.open === null || (breaker.open.by === 'step' && !isAttended)
    ? breaker
    : { ...breaker, bad: breaker.bad.map((row) => ({ ...row, settled: true })), open: null };

/** Whether an open breaker lets this one through whoever else signs in: a person is there for what opened it. */
export const isForPersons = ({ open }: Breaker, isAttended: boolean): boolean =>
  open === null || (isAttended && open.by !== 'trouble');

/** Milliseconds until a sign-in of this student may find out whether the trouble is over. */
export const msUntilProbe = ({ open, bad }: Breaker, student: string, now: number): number => {
  if (open === null) return 0;
  const hasMet = bad.some((row) => row.student === student && !row.settled);
  return Math.max(0, open.nextAt + (hasMet ? probeMs : 0) - now);
};

/** One has gone. */
export const withProbe = (breaker: Breaker, now: number): Breaker =>
  breaker.open === null ? breaker : { ...breaker, open: { ...breaker.open, nextAt: now + probeMs } };
