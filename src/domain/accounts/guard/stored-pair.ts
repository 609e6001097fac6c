import { addRefused, budgetMs, type EndedAsk, mayAsk, triesLeft, type WantedAsk } from './asking.ts';
import {
  closeBreaker,
  isForPersons,
  msUntilProbe,
  noteStoredRefusal,
  storedBad,
  withBad,
  withProbe,
} from './breaker.ts';
import {
  type Caller,
  handleOf,
  handleTagOf,
  isEqual,
  isOf,
  isOwner,
  isStored,
  type SubmittedPair,
  stranger,
} from './callers.ts';
import { challengeWait } from './challenge-budgets.ts';
import { forgetGuesses, mayCompare, noteGuess, noteHome } from './comparing.ts';
import { guardNumbers as n } from './numbers.ts';
import { msUntilRoom, type StudentRow } from './row.ts';
import { afterMarker, loginTroubleMs, noteAttended, noteUnattended, restMs } from './trouble.ts';
import { type GuardDraft, type GuardMoment, type GuardRefusal, go, noted, type Verdict, wait } from './verdict.ts';

// A login, and every sign-in with the stored pair, attended or not.

/** A session that answered within this time is trusted without asking the campus. */
export const SESSION_TRUST_MS = 240_000;
export const trustMsOf = ({ mark: needsPerson }: Pick<StudentRow, 'mark'>): number =>
  needsPerson === null ? SESSION_TRUST_MS : n.comparing.personTrustMs;

interface WantedLogin extends WantedAsk {
  /** How long ago the live session of the student answered; infinite where there is none. */
  readonly answeredMs: number;
}

/** The campus need not be asked. */
const isTrusted = (
  draft: GuardDraft,
  { caller, answeredMs }: WantedLogin,
  isPaused: boolean,
  at: GuardMoment,
): boolean => {
  const { student } = draft;
  const { mark: needsPerson, acceptedAt } = student;
  if (needsPerson === null) {
    return answeredMs < SESSION_TRUST_MS || (isPaused && acceptedAt > at.now - n.comparing.trustMs);
  }
  // A session of before the step may be the one that has ended.
  const isOfAfter = at.now - answeredMs >= needsPerson.at;
  return isOwner(handleOf(student, caller)) && answeredMs < trustMsOf(student) && isOfAfter;
};

export const wantsLogin = (draft: GuardDraft, wanted: WantedLogin, at: GuardMoment): Verdict => {
  const { caller, pair, tag } = wanted;
  const { student } = draft;
  const { now } = at;
  const over = mayCompare(draft, caller, at);
  if (over) return over;
  if (!isStored(pair)) {
    if (pair.stored !== 'none' && !isEqual(pair)) noteGuess(draft, caller, pair, now);
    return mayAsk(draft, wanted, at) ?? go;
  }
  const handle = handleOf(student, caller);
  const rights = student.rights.filter(isOf(handle));
  const many = wait('compare-limit', 'login', msUntilRoom(rights, n.comparing.right, now));
  if (many) return many;
  student.rights = [...student.rights, { at: now, ...handleTagOf(handle) }];
  forgetGuesses(student, pair);
  const paused = maySignIn(draft, { stored: 'good', tag, caller }, at);
  if (!isTrusted(draft, wanted, paused !== null || budgetMs(student, stranger, at) > 0, at)) return paused ?? go;
  noteHome(student, caller, now);
  return { type: 'token' };
};

/** The place that verifies the stored pair says that it is closed: R1 trusts what the campus accepted within a day. */
export const meetsClosed = ({ student }: GuardDraft, caller: Caller, { now }: GuardMoment): Verdict => {
  if (student.mark !== null || student.acceptedAt <= now - n.comparing.trustMs) return go;
  noteHome(student, caller, now);
  return { type: 'token' };
};

interface StoredWanted {
  readonly stored: Exclude<SubmittedPair['stored'], 'none'>;
  readonly tag: string;
  /** Who logs in or answers a challenge; left out if no person is there. */
  readonly caller?: Caller;
  /** A password of the same renewal has left already: R4 and R5 have let the renewal in as a whole. */
  readonly isLater?: boolean;
}

const maySignIn = (
  { student, gateway }: GuardDraft,
  { stored, tag, caller, isLater = false }: StoredWanted,
  at: GuardMoment,
): GuardRefusal | null => {
  const { now, perDay } = at;
  if (stored !== 'good') return { type: 'refuse', why: 'set-aside', limit: 'set-aside', step: stored };
  const isPersonThere = caller !== undefined;
  const { mark: needsPerson } = student;
  const { open } = gateway.stored;
  if (!isPersonThere && needsPerson !== null) {
    return { type: 'refuse', why: 'person', limit: 'second-step', ...needsPerson };
  }
  if (isLater) return null;
  if (!isPersonThere && open?.by === 'step') {
    return { type: 'refuse', why: 'person', limit: 'sign-in-breaker', wanted: open.wanted ?? 'unknown' };
  }
  const refused = student.asks.filter((ask) => ask.stored);
  const most = Math.floor(perDay / 2);
  const rests = open !== null && student.restsSince >= open.since ? open.nextAt + n.breaker.probeMs - now : 0;
  return (
    wait('ask-limit', 'paused', msUntilRoom(refused, { most, windowMs: n.asking.windowMs }, now)) ??
    wait('session-backoff', 'paused', isPersonThere ? loginTroubleMs(student, now) : restMs(student, now)) ??
    (isForPersons(gateway.stored, isPersonThere)
      ? null
      : wait('sign-in-breaker', 'paused', Math.max(rests, msUntilProbe(gateway.stored, tag, now)))) ??
    (caller ? challengeWait(student, handleOf(student, caller), 'login', at) : null)
  );
};

/**
 * While the campus is in trouble, one sign-in at a time finds out whether that is over. A renewal is one, however many
 * passwords it sends.
 */
export const beginsStored = (draft: GuardDraft, wanted: StoredWanted, at: GuardMoment): Verdict => {
  const refusal = maySignIn(draft, wanted, at);
  if (refusal) return refusal;
  const { gateway } = draft;
  const probes = wanted.isLater !== true && !isForPersons(gateway.stored, wanted.caller !== undefined);
  if (probes) gateway.stored = withProbe(gateway.stored, at.now);
  return go;
};

/** The campus may be asked for this student unattended. */
export const isQuiet = (draft: GuardDraft, at: GuardMoment): boolean =>
  draft.gateway.stored.open === null && maySignIn(draft, { stored: 'good', tag: '' }, at) === null;

/** `id`: of the ask that a refusal becomes in the list of R2. Without a caller no person was there. */
interface StoredEnded extends Pick<EndedAsk, 'id' | 'tag' | 'outcome' | 'storedPrints'> {
  readonly caller?: Caller;
}

export const endsStored = (draft: GuardDraft, ended: StoredEnded, { now, perDay }: GuardMoment): Verdict => {
  const { outcome, tag, caller, id, storedPrints } = ended;
  const { student, gateway } = draft;
  if (outcome.type === 'unsent' || outcome.type === 'unknown') return noted;
  const isPersonThere = caller !== undefined;
  const handle = caller ? handleOf(student, caller) : stranger;
  if (isPersonThere) noteAttended(draft, outcome, now);
  else noteUnattended(draft, outcome, now);
  if (outcome.type === 'refused') {
    const { step } = outcome;
    const by = caller ? handleTagOf(handle) : ({ kind: 'home', by: '' } as const);
    student.asks = [...student.asks, { id, at: now, ...by, state: 'refused', endedAt: now, stored: true }];
    if (outcome.unsent !== true) addRefused(student, step, storedPrints?.[step], now);
    const setAside = noteStoredRefusal(draft, tag, step, now);
    return { ...noted, setAside, triesLeft: triesLeft(student, handle, perDay) };
  }
  const bad = storedBad(outcome, isPersonThere);
  if (bad !== null) gateway.stored = withBad(gateway.stored, tag, bad, now);
  if (outcome.type === 'accepted') {
    if (student.acceptedAt <= now - n.comparing.noteMs) student.acceptedAt = now;
    if (student.restsSince > 0) student.restsSince = 0;
    if (caller) noteHome(student, caller, now);
    if (outcome.stepped !== true) gateway.stored = closeBreaker(gateway.stored, isPersonThere);
    draft.good = 'stored';
  }
  return { ...noted, restMs: isPersonThere ? afterMarker(outcome) : restMs(student, now) };
};
