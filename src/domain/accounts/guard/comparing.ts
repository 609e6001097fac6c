import type { Ask, CallerClass, ComparingBudget, StudentMemory } from '../records.ts';
import { secondsUntilFree } from './campus.ts';
import type { Caller, SubmittedPair } from './events.ts';
import { guardNumbers as n } from './numbers.ts';
import { hasLoggedInFrom } from './parts.ts';

/**
 * G2: who may have a pair held against the stored one, and on whose budget a mismatch is booked. It also tells the class
 * of a caller, because a holder whose budget is spent counts as his network says: a copy of the owner's own token must
 * not shut him out at home.
 */
export interface Standing {
  readonly by: CallerClass;
  /** Where a mismatch is booked; null: on the tries of the unlock token. */
  readonly booked: { readonly by: ComparingBudget; readonly who: string } | null;
  /** 0: the pair may be compared. */
  readonly waitSeconds: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What all of this budget have together. */
const totalWait = ({ mismatches }: StudentMemory, by: ComparingBudget, now: number): number => {
  const { hour, day } = n.mismatches[by];
  const rows = mismatches.filter((row) => row.by === by);
  return Math.max(secondsUntilFree(rows, hour, HOUR, now), secondsUntilFree(rows, day, DAY, now));
};

/** What one of them has, known under any of these names. */
const shareWait = (
  { mismatches }: StudentMemory,
  by: ComparingBudget,
  names: readonly string[],
  now: number,
): number => {
  const { hour, day } = n.mismatches[by].each;
  const rows = mismatches.filter((row) => row.by === by && names.includes(row.who));
  return Math.max(secondsUntilFree(rows, hour, HOUR, now), secondsUntilFree(rows, day, DAY, now));
};

const networkStanding = (student: StudentMemory, caller: Caller, now: number): Standing => {
  const { home, network, trusted } = caller;
  const standing = (by: CallerClass, budget: ComparingBudget, names: readonly string[]): Standing => ({
    by,
    booked: { by: budget, who: names[0] ?? '' },
    waitSeconds: Math.max(totalWait(student, budget, now), trusted ? 0 : shareWait(student, budget, names, now)),
  });
  if (hasLoggedInFrom(student, home, now)) return standing('known', 'home', home);
  const isUsed = student.networks.some((row) => home.includes(row.network));
  return isUsed ? standing('known', 'known', home) : standing('stranger', 'stranger', [network]);
};

const hasUnlock = ({ unlock }: StudentMemory, { proof }: Caller): boolean => proof !== null && unlock?.hash === proof;

/** The unlock token came with the call, and has a try left. */
export const hasTry = (student: StudentMemory, caller: Caller): boolean =>
  hasUnlock(student, caller) && (student.unlock?.tries ?? 0) > 0;

/** It has a few tries, with any outcome. */
export const withTryUsed = (student: StudentMemory): StudentMemory => {
  const { unlock } = student;
  return unlock === null ? student : { ...student, unlock: { ...unlock, tries: unlock.tries - 1 } };
};

export const standingOf = (student: StudentMemory, caller: Caller, now: number): Standing => {
  if (hasTry(student, caller)) {
    return { by: 'holder', booked: null, waitSeconds: 0 };
  }
  const elsewhere = networkStanding(student, caller, now);
  const { token } = caller;
  const [who] = token;
  if (who === undefined) return elsewhere;
  const total = totalWait(student, 'holder', now);
  const pooled = Math.max(total, shareWait(student, 'holder', token, now));
  if (pooled === 0) return { by: 'holder', booked: { by: 'holder', who }, waitSeconds: 0 };
  // What others with a token have spent of the total, a thief among them, leaves each token a little.
  const reserved = total === 0 ? pooled : shareWait(student, 'token', token, now);
  if (reserved === 0) return { by: 'holder', booked: { by: 'token', who }, waitSeconds: 0 };
  return { ...elsewhere, waitSeconds: Math.min(elsewhere.waitSeconds, pooled, reserved) };
};

/**
 * G3: the last ask of a day is the owner's: with a token that proves, its share of G2 spent or not, from a network where
 * a login of his succeeded; or with the unlock token.
 */
export const hasLastAsk = (student: StudentMemory, by: Ask['by'], caller: Caller, now: number): boolean =>
  by === 'unlock' || (caller.token.length > 0 && hasLoggedInFrom(student, caller.home, now));

/** As whom a caller of this class asks: with the unlock token, also at its last try, as no other does. */
export const askerOf = (student: StudentMemory, by: CallerClass, caller: Caller): Ask['by'] =>
  by === 'holder' && hasUnlock(student, caller) ? 'unlock' : by;

/** Both halves are the stored ones, which the campus may have refused. */
export const isEqual = ({ stored, equalAt }: SubmittedPair): boolean =>
  stored !== 'none' && equalAt.portal && equalAt['unified-login'];

/** Names of the pair as a whole, the one that is stored first. */
export const pairNames = ({ prints }: Pick<SubmittedPair, 'prints'>): string[] =>
  prints.portal.map((portal, key) => `${portal} ${prints['unified-login'][key] ?? ''}`);

/**
 * A repetition tells a guesser nothing: it costs nothing while the same caller's mismatch is remembered, or an ask with
 * that pair is under way. The unlock token has its tries, which every login with it uses up.
 */
export const withMismatch = (
  student: StudentMemory,
  { booked }: Standing,
  caller: Caller,
  pair: SubmittedPair,
  now: number,
): StudentMemory => {
  if (booked === null) return student;
  const names = pairNames(pair);
  const callers = [...caller.token, ...caller.home, caller.network];
  const isBooked =
    student.mismatches.some((row) => names.includes(row.pair) && callers.includes(row.who)) ||
    student.asks.some((ask) => ask.state === 'open' && names.includes(ask.pair));
  if (isBooked) return student;
  return { ...student, mismatches: [...student.mismatches, { at: now, ...booked, pair: names[0] ?? '' }] };
};

/** The pair is the right one after all: its sender guessed nothing. */
export const withoutMismatches = (student: StudentMemory, pair: SubmittedPair): StudentMemory => {
  const names = pairNames(pair);
  const mismatches = student.mismatches.filter((row) => !names.includes(row.pair));
  return mismatches.length === student.mismatches.length ? student : { ...student, mismatches };
};
