import { type SignInStep, signInSteps } from '../../errors.ts';
import { msUntilProbe, noteStoredRefusal, noteStrangers, withProbe } from './breaker.ts';
import {
  type Caller,
  type Handle,
  handleOf,
  handleTagOf,
  isEqual,
  isOf,
  isOwner,
  type SubmittedPair,
  stranger,
} from './callers.ts';
import { challengeWait } from './challenge-budgets.ts';
import { forgetGuesses, noteHome } from './comparing.ts';
import { guardNumbers as n } from './numbers.ts';
import { type AskGroup, type CampusAsk, msUntilRoom, type StudentRow } from './row.ts';
import { afterMarker, loginTroubleMs, noteAttended } from './trouble.ts';
import {
  type AskOutcome,
  type GuardDraft,
  type GuardMoment,
  type GuardRefusal,
  go,
  noted,
  type Verdict,
  wait,
} from './verdict.ts';

// R2 and R3: a login or registration puts a pair to the campus that is not the good stored one.

export interface WantedAsk {
  readonly caller: Caller;
  readonly pair: SubmittedPair;
  /** Keyed hash of the student id, for the breaker that all students share. */
  readonly tag: string;
  /** Hash of the invite token of a registration, whose caller is a stranger to the guard. */
  readonly invite?: string;
  /** It continues a sign-in with the answer to a challenge. */
  readonly isAnswer?: boolean;
}

export interface PairAsk extends WantedAsk {
  readonly id: string;
}

const handleFor = (student: StudentRow, { caller, invite }: WantedAsk): Handle =>
  invite === undefined ? handleOf(student, caller) : stranger;

const groupOf = (handle: Handle, { invite }: WantedAsk): AskGroup => {
  if (invite !== undefined) return 'registration';
  return isOwner(handle) ? 'owner' : 'stranger';
};

/** Strangers have N-2 of a day, all but the last are for everybody together, and the last is for home with a token. */
export const budgetMs = ({ asks, spentUntil }: StudentRow, handle: Handle, { now, perDay }: GuardMoment): number => {
  const { windowMs } = n.asking;
  const strangers = handle.kind === 'stranger' ? asks.filter(isOf(handle)) : [];
  const most = handle.kind === 'home-token' ? perDay : perDay - 1;
  return Math.max(
    spentUntil - now,
    msUntilRoom(strangers, { most: perDay - 2, windowMs }, now),
    msUntilRoom(asks, { most, windowMs }, now),
  );
};

/** After refusals, by handle. */
const waitMs = ({ asks }: StudentRow, handle: Handle, now: number): number => {
  const refused = asks.filter((ask) => ask.state === 'refused' && !ask.stored && isOf(handle)(ask));
  const { waitsMs } = n.asking;
  const ms = waitsMs[Math.min(refused.length, waitsMs.length) - 1];
  return ms === undefined ? 0 : Math.max(...refused.map(({ endedAt }) => endedAt)) + ms - now;
};

/** The stored pair after its refusal: once after a minute, then every six hours, at most half of N a day. */
const setAsideMs = ({ asks }: StudentRow, { now, perDay }: GuardMoment): number => {
  const own = asks.filter(({ stored }) => stored);
  const { firstMs, nextMs } = n.asking.setAside;
  const last = Math.max(0, ...own.map(({ endedAt }) => endedAt));
  const pause = own.length === 0 ? 0 : last + (own.length === 1 ? firstMs : nextMs) - now;
  return Math.max(pause, msUntilRoom(own, { most: Math.floor(perDay / 2), windowMs: n.asking.windowMs }, now));
};

/** R3: the step at which one of these secrets has been refused already. */
const refusalBefore = (
  { refused }: StudentRow,
  handle: Handle,
  fingerprints: SubmittedPair['fingerprints'],
  now: number,
): GuardRefusal | null => {
  const lifeMs = isOwner(handle) ? n.refused.ownerMs : n.refused.strangerMs;
  const step = signInSteps.find((each) =>
    refused.some((row) => row.step === each && fingerprints[each].includes(row.print) && row.at > now - lifeMs),
  );
  return step === undefined ? null : { type: 'refuse', why: 'credentials', limit: 'refused-before', step };
};

export const addRefused = (
  student: GuardDraft['student'],
  step: SignInStep,
  print: string | undefined,
  now: number,
): void => {
  if (print === undefined) return;
  const others = student.refused.filter((row) => row.step !== step || row.print !== print);
  student.refused = [...others, { at: now, step, print }].slice(-n.refused.most);
};

const removeRefused = (student: GuardDraft['student'], step: SignInStep, { fingerprints }: SubmittedPair): void => {
  const left = student.refused.filter((row) => row.step !== step || !fingerprints[step].includes(row.print));
  if (left.length < student.refused.length) student.refused = left;
};

/** R4: the refused asks of an hour, in all and of one network, because the campus sees one address. */
const gatewayMs = ({ gateway }: GuardDraft, group: AskGroup, { network, trusted }: Caller, now: number): number => {
  const { windowMs } = n.gateway;
  const limits = n.gateway[group];
  const asks = gateway.asks.filter((row) => row.group === group);
  const registered = group === 'registration' ? gateway.registered : [];
  const here = <T extends { readonly network: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.network === network);
  return Math.max(
    msUntilRoom(asks, { most: limits.most + registered.length, windowMs }, now),
    trusted ? 0 : msUntilRoom(here(asks), { most: limits.network + here(registered).length, windowMs }, now),
  );
};

const inviteMs = ({ gateway }: GuardDraft, { invite }: WantedAsk, now: number): number => {
  const own = invite === undefined ? [] : gateway.asks.filter((row) => row.invite === invite);
  return msUntilRoom(own, { most: n.asking.perInviteToken, windowMs: n.gateway.windowMs }, now);
};

export const mayAsk = (draft: GuardDraft, ask: WantedAsk, at: GuardMoment): GuardRefusal | null => {
  const { student, gateway } = draft;
  const { caller, pair, tag, invite, isAnswer = false } = ask;
  const { now } = at;
  if (isAnswer && invite !== undefined) return null;
  const handle = handleFor(student, ask);
  const why = invite === undefined ? 'login' : 'registration';
  const isSetAside = isEqual(pair);
  const isBefore = isSetAside || isAnswer ? null : refusalBefore(student, handle, pair.fingerprints, now);
  const pauseMs = isSetAside ? setAsideMs(student, at) : waitMs(student, handle, now);
  const ownMs = Math.max(isAnswer ? 0 : pauseMs, budgetMs(student, handle, at), inviteMs(draft, ask, now));
  return (
    isBefore ??
    wait('ask-limit', why, ownMs) ??
    (isOwner(handle) ? null : wait('sign-in-breaker', 'paused', msUntilProbe(gateway.strangers, tag, now))) ??
    wait('gateway-limit', 'gateway', gatewayMs(draft, groupOf(handle, ask), caller, now)) ??
    wait('session-backoff', 'paused', loginTroubleMs(student, now)) ??
    (isAnswer ? null : challengeWait(student, handle, why, at))
  );
};

/** Called under the student's lease, before the password leaves. */
export const beginsAsk = (draft: GuardDraft, ask: PairAsk, at: GuardMoment): Verdict => {
  const refusal = mayAsk(draft, ask, at);
  if (refusal) return refusal;
  const { student, gateway } = draft;
  const { id, caller, pair, invite = '' } = ask;
  const handle = handleFor(student, ask);
  const group = groupOf(handle, ask);
  const booked = { id, at: at.now, ...handleTagOf(handle), endedAt: at.now, stored: isEqual(pair) };
  student.asks = [...student.asks, { ...booked, state: 'open' }];
  gateway.asks = [...gateway.asks, { id, at: at.now, group, network: caller.network, invite }];
  if (group !== 'owner') gateway.strangers = withProbe(gateway.strangers, at.now);
  return go;
};

/** These outcomes cost no try: both halves were accepted, nothing was refused, or no password left. */
const givenBack: ReadonlyArray<AskOutcome['type']> = ['accepted', 'unsent', 'passed', 'unstable', 'person', 'captcha'];

/** After these the caller waits as after a refusal. */
const isMet: ReadonlyArray<AskOutcome['type']> = ['refused', 'marker', 'locked'];

const endBooking = ({ student, gateway }: GuardDraft, id: string, { type }: AskOutcome, now: number): void => {
  if (givenBack.includes(type)) {
    student.asks = student.asks.filter((ask) => ask.id !== id);
    gateway.asks = gateway.asks.filter((ask) => ask.id !== id);
    return;
  }
  const state: CampusAsk['state'] = isMet.includes(type) ? 'refused' : 'unknown';
  student.asks = student.asks.map((ask) => (ask.id === id ? { ...ask, state, endedAt: now } : ask));
};

/** The fingerprints of the stored pair, which an accepted one replaces; null: there is none. */
export type StoredPrints = Readonly<Record<SignInStep, string>> | null;

const noteAccepted = (draft: GuardDraft, ended: EndedAsk, now: number): void => {
  const { student, gateway } = draft;
  const { caller, pair, invite, storedPrints } = ended;
  for (const step of signInSteps) {
    removeRefused(student, step, pair);
    if (storedPrints !== null && !pair.equalAt[step]) addRefused(student, step, storedPrints[step], now);
  }
  forgetGuesses(student, pair);
  student.acceptedAt = now;
  student.restsSince = 0;
  noteHome(student, caller, now);
  if (invite !== undefined) gateway.registered = [...gateway.registered, { at: now, network: caller.network }];
};

export const triesLeft = ({ asks }: StudentRow, handle: Handle, perDay: number): number => {
  const most = handle.kind === 'home-token' ? perDay : perDay - 1;
  const left = most - asks.length;
  if (isOwner(handle)) return Math.max(0, left);
  return Math.max(0, Math.min(left, perDay - 2 - asks.filter(isOf(handle)).length));
};

export interface EndedAsk extends PairAsk {
  readonly outcome: AskOutcome;
  readonly storedPrints: StoredPrints;
}

export const endsAsk = (draft: GuardDraft, ended: EndedAsk, { now, perDay }: GuardMoment): Verdict => {
  const { id, pair, tag, outcome } = ended;
  const { student } = draft;
  const handle = handleFor(student, ended);
  endBooking(draft, id, outcome, now);
  noteAttended(draft, outcome, now);
  if (!isOwner(handle)) noteStrangers(draft, outcome, tag, now);
  if (outcome.type === 'accepted') noteAccepted(draft, ended, now);
  if (outcome.type !== 'refused') return { ...noted, restMs: afterMarker(outcome) };
  const { step } = outcome;
  if (outcome.unsent !== true) addRefused(student, step, pair.fingerprints[step][0], now);
  // A refusal at the second step means that the first was passed.
  if (step === 'unified-login') removeRefused(student, 'portal', pair);
  // One half is the stored one: that is refused as well.
  const setAside = pair.stored === 'good' && pair.equalAt[step] ? noteStoredRefusal(draft, tag, step, now) : null;
  return { ...noted, setAside, triesLeft: triesLeft(student, handle, perDay) };
};
