import type { PersonalStep, SignInStep } from '../../errors.ts';
import { guardNumbers } from './numbers.ts';
import type { BreakerRecord } from './row.ts';
import type { AskOutcome, GuardDraft } from './verdict.ts';

// R4 of the login guard (the six rules: docs/run/threat-model.md): the campus is in trouble. One breaker for sign-ins with stored pairs, one for what strangers ask.

const { students, share, windowMs, goodMs, probeMs } = guardNumbers.breaker;

export type Bad =
  | { readonly by: 'trouble' | 'captcha'; readonly wanted: null }
  | { readonly by: 'step'; readonly wanted: PersonalStep };

const trouble: Bad = { by: 'trouble', wanted: null };

export const withGood = (breaker: BreakerRecord, count: number, now: number): BreakerRecord => {
  const last = breaker.good.at(-1);
  if (last === undefined || last.at <= now - goodMs) return { ...breaker, good: [...breaker.good, { at: now, count }] };
  return { ...breaker, good: [...breaker.good.slice(0, -1), { at: last.at, count: last.count + count }] };
};

/** Bad outcomes of three students, and a fifth of all, within five minutes open it. */
export const withBad = (breaker: BreakerRecord, student: string, { by, wanted }: Bad, now: number): BreakerRecord => {
  if (breaker.bad.some((row) => row.student === student)) return breaker;
  const bad = [...breaker.bad, { at: now, student, settled: false }];
  const recent = bad.filter((row) => !row.settled && row.at > now - windowMs).length;
  const good = breaker.good.reduce((sum, { count }) => sum + count, 0);
  const opens = breaker.open === null && recent >= students && recent >= share * (recent + good);
  return { ...breaker, bad, open: opens ? { since: now, nextAt: now, by, wanted } : breaker.open };
};

/** The first sign-in that is accepted and holds closes it; where steps have opened it, an attended one without a step. */
export const closeBreaker = (breaker: BreakerRecord, isPersonThere: boolean): BreakerRecord =>
  breaker.open === null || (breaker.open.by === 'step' && !isPersonThere)
    ? breaker
    : { ...breaker, bad: breaker.bad.map((row) => ({ ...row, settled: true })), open: null };

/** An open breaker lets an attended sign-in through where a person is there for the step that opened it. */
export const isForPersons = ({ open }: BreakerRecord, isPersonThere: boolean): boolean =>
  open === null || (isPersonThere && open.by !== 'trouble');

/** Milliseconds until a sign-in of this student may find out whether the trouble is over. */
export const msUntilProbe = ({ open, bad }: BreakerRecord, student: string, now: number): number => {
  if (open === null) return 0;
  const hasMet = bad.some((row) => row.student === student && !row.settled);
  return Math.max(0, open.nextAt + (hasMet ? probeMs : 0) - now);
};

export const withProbe = (breaker: BreakerRecord, now: number): BreakerRecord =>
  breaker.open === null ? breaker : { ...breaker, open: { ...breaker.open, nextAt: now + probeMs } };

/** The bad outcome of a sign-in with a stored pair; null: it was none. */
export const storedBad = (outcome: AskOutcome, isPersonThere: boolean): Bad | null => {
  switch (outcome.type) {
    case 'person':
      // A password to be changed is this student's alone.
      if (isPersonThere || outcome.wanted === 'password-change') return null;
      return outcome.wanted === 'captcha' ? { by: 'captcha', wanted: null } : { by: 'step', wanted: outcome.wanted };
    case 'captcha':
      return isPersonThere ? null : { by: 'captcha', wanted: null };
    case 'marker':
    case 'refused':
    case 'unstable':
    case 'unread':
      return trouble;
    default:
      return null;
  }
};

/** Books strangers' asks; a wrong password tells nothing about the campus. */
export const noteStrangers = (draft: GuardDraft, outcome: AskOutcome, tag: string, now: number): void => {
  const { gateway } = draft;
  if (outcome.type === 'marker' || outcome.type === 'unstable' || outcome.type === 'unread') {
    gateway.strangers = withBad(gateway.strangers, tag, trouble, now);
  }
  if (outcome.type === 'refused') draft.good = 'strangers';
  if (outcome.type === 'accepted') {
    gateway.strangers = closeBreaker(gateway.strangers, true);
    draft.good = 'strangers';
  }
};

/** The step at which the pair is set aside; null: it rests, because the breaker is open. */
export const noteStoredRefusal = (draft: GuardDraft, tag: string, step: SignInStep, now: number): SignInStep | null => {
  const { student, gateway } = draft;
  gateway.stored = withBad(gateway.stored, tag, trouble, now);
  if (gateway.stored.open === null) return step;
  student.restsSince = now;
  return null;
};
