import { type Caller, handleOf, handleTagOf, isEqual, isOf, isOwner, type SubmittedPair } from './callers.ts';
import { guardNumbers as n } from './numbers.ts';
import { msUntilRoom } from './row.ts';
import { type GuardDraft, type GuardMoment, go, type Verdict, type Wait, wait } from './verdict.ts';

// R1: a pair is compared with the stored one. A mismatch is a guess.

/** Each pair under every key. */
const pairNames = ({ fingerprints }: SubmittedPair): string[] =>
  fingerprints.portal.map((portal, key) => `${portal} ${fingerprints['unified-login'][key] ?? ''}`);

/** Beyond the budget nothing is compared, not even the right pair of that caller. */
export const mayCompare = ({ student }: GuardDraft, caller: Caller, { now }: GuardMoment): Wait | null => {
  const handle = handleOf(student, caller);
  const own = student.guesses.filter(isOf(handle));
  const limits = isOwner(handle) ? n.comparing.owner : n.comparing.strangers;
  return wait('compare-limit', 'login', Math.max(student.spentUntil - now, msUntilRoom(own, limits, now)));
};

/** One per distinct pair and day: a repetition tells its sender nothing. */
export const noteGuess = ({ student }: GuardDraft, caller: Caller, pair: SubmittedPair, now: number): void => {
  const names = pairNames(pair);
  const handle = handleOf(student, caller);
  if (student.guesses.some((row) => isOf(handle)(row) && names.includes(row.pair))) return;
  student.guesses = [...student.guesses, { at: now, ...handleTagOf(handle), pair: names[0] ?? '' }];
};

/** The pair has turned out to be the right one. */
export const forgetGuesses = (student: GuardDraft['student'], pair: SubmittedPair): void => {
  const names = pairNames(pair);
  if (student.guesses.some((row) => names.includes(row.pair))) {
    student.guesses = student.guesses.filter((row) => !names.includes(row.pair));
  }
};

/** A login or registration has succeeded in this network. */
export const noteHome = (student: GuardDraft['student'], { home }: Caller, now: number): void => {
  const [network] = home;
  const known = student.networks.find((row) => home.includes(row.network));
  if (network === undefined || (known !== undefined && known.at > now - n.home.noteMs)) return;
  const others = student.networks.filter((row) => row !== known);
  student.networks = [...others, { at: now, network }].slice(-n.home.most);
};

/** Deletion of the account compares too, also with a pair that was set aside. */
export const wantsDeletion = (draft: GuardDraft, caller: Caller, pair: SubmittedPair, at: GuardMoment): Verdict => {
  const over = mayCompare(draft, caller, at);
  if (over) return over;
  if (isEqual(pair)) return go;
  noteGuess(draft, caller, pair, at.now);
  return { type: 'refuse', why: 'proof', limit: 'compare-limit' };
};
