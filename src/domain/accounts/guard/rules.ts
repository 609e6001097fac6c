import { type SignInStep, signInSteps } from '../../errors.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  type Answer,
  type Ask,
  type AskGroup,
  type AskOutcome,
  type Caller,
  type Draft,
  type Handle,
  handleOf,
  isOf,
  isOwner,
  type Moment,
  msUntilRoom,
  type Refusal,
  type StudentRow,
  type SubmittedPair,
  type Trouble,
  tagOf,
  type Wait,
} from './row.ts';
import { type Bad, challengeWait, closed, isForPersons, msUntilProbe, withBad, withProbe } from './steps.ts';

// R1 to R5 of docs/run/threat-model.md: each changes a draft of the rows and answers.

const go: Answer = { type: 'go' };

export const noted = { type: 'noted', setAside: null, restMs: 0, triesLeft: null } as const;

export const wait = (limit: Wait['limit'], why: Wait['why'], ms: number): Wait | null =>
  ms > 0 ? { type: 'wait', limit, why, ms } : null;

/** A login or registration has succeeded there. */
const withHome = (student: Draft['student'], { home }: Caller, now: number): void => {
  const [network] = home;
  const known = student.networks.find((row) => home.includes(row.network));
  if (network === undefined || (known !== undefined && known.at > now - n.home.noteMs)) return;
  const others = student.networks.filter((row) => row !== known);
  student.networks = [...others, { at: now, network }].slice(-n.home.most);
};

// ---------------------------------------------------------------- R1 comparing

export const isEqual = ({ stored, equalAt }: SubmittedPair): boolean =>
  stored !== 'none' && equalAt.portal && equalAt['unified-login'];

export const isStored = (pair: SubmittedPair): boolean => pair.stored === 'good' && isEqual(pair);

const pairNames = ({ prints }: Pick<SubmittedPair, 'prints'>): string[] =>
  prints.portal.map((portal, key) => `${portal} ${prints['unified-login'][key] ?? ''}`);

/** Beyond the budget nothing is compared, not even the right pair of that caller. */
export const mayCompare = ({ student }: Pick<Draft, 'student'>, caller: Caller, { now }: Moment): Wait | null => {
  const handle = handleOf(student, caller);
  const own = student.guesses.filter(isOf(handle));
  const spent = student.spentUntil - now;
  const limits = isOwner(handle) ? n.comparing.owner : n.comparing.strangers;
  return wait('compare-limit', 'login', Math.max(spent, msUntilRoom(own, limits, now)));
};

/** One per distinct pair and day: a repetition tells its sender nothing. */
const noteGuess = ({ student }: Draft, caller: Caller, pair: SubmittedPair, now: number): void => {
  const names = pairNames(pair);
  const handle = handleOf(student, caller);
  if (student.guesses.some((row) => isOf(handle)(row) && names.includes(row.pair))) return;
  student.guesses = [...student.guesses, { at: now, ...tagOf(handle), pair: names[0] ?? '' }];
};

/** It was the right pair after all. */
const forgetGuesses = (student: Draft['student'], pair: Pick<SubmittedPair, 'prints'>): void => {
  const names = pairNames(pair);
  if (student.guesses.some((row) => names.includes(row.pair))) {
    student.guesses = student.guesses.filter((row) => !names.includes(row.pair));
  }
};

export interface Wanted {
  readonly caller: Caller;
  readonly pair: SubmittedPair;
  /** Keyed hash of the student id, for what all students share. */
  readonly tag: string;
}

/** `answeredMs`: how long ago the live session of the student answered; infinite where there is none. */
export const wantsLogin = (draft: Draft, wanted: Wanted & { readonly answeredMs: number }, at: Moment): Answer => {
  const { caller, pair, tag, answeredMs } = wanted;
  const { student } = draft;
  const { now } = at;
  const over = mayCompare(draft, caller, at);
  if (over) return over;
  if (!isStored(pair)) {
    if (pair.stored !== 'none' && !isEqual(pair)) noteGuess(draft, caller, pair, now);
    return mayAsk(draft, wanted, at) ?? go;
  }
  const many = wait('compare-limit', 'login', msUntilRoom(student.rights, n.comparing.right, now));
  if (many) return many;
  student.rights = [...student.rights, { at: now }];
  forgetGuesses(student, pair);
  const paused = maySignIn(draft, { stored: 'good', tag, caller }, at);
  const isPaused = paused !== null || budgetMs(student, handleOf(student, { ...caller, home: [], token: [] }), at) > 0;
  const isTrusted =
    student.mark === null
      ? answeredMs < trustMsOf(student) || (isPaused && student.acceptedAt > now - n.comparing.trustMs)
      : // A session of before the mark may be the one that has ended.
        isOwner(handleOf(student, caller)) && answeredMs < trustMsOf(student) && now - answeredMs >= student.mark.at;
  if (!isTrusted) return paused ?? go;
  withHome(student, caller, now);
  return { type: 'token' };
};

/** A session that answered so lately is trusted without asking the campus; that of a marked student longer. */
export const SESSION_TRUST_MS = 240_000;
export const trustMsOf = ({ mark }: Pick<StudentRow, 'mark'>): number =>
  mark === null ? SESSION_TRUST_MS : n.comparing.markedTrustMs;

/** Deletion of the account compares here too, also with a pair that was set aside. */
export const wantsDeletion = (draft: Draft, { caller, pair }: Omit<Wanted, 'tag'>, at: Moment): Answer => {
  const over = mayCompare(draft, caller, at);
  if (over) return over;
  if (isEqual(pair)) return go;
  noteGuess(draft, caller, pair, at.now);
  return { type: 'refuse', why: 'proof', limit: 'compare-limit' };
};

// ---------------------------------------------------------------- R2 and R3 asking

/** Strangers have N-2 of a day, all but the last are for everybody together, and the last is for home with a token. */
const budgetMs = ({ asks, spentUntil }: StudentRow, handle: Handle, { now, perDay }: Moment): number => {
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
const setAsideMs = ({ asks }: StudentRow, { now, perDay }: Moment): number => {
  const own = asks.filter(({ stored }) => stored);
  const { firstMs, nextMs } = n.asking.setAside;
  const last = Math.max(0, ...own.map(({ endedAt }) => endedAt));
  const pause = own.length === 0 ? 0 : last + (own.length === 1 ? firstMs : nextMs) - now;
  return Math.max(pause, msUntilRoom(own, { most: Math.floor(perDay / 2), windowMs: n.asking.windowMs }, now));
};

/** R3: the step at which one of these secrets has been refused already. */
const refusedBefore = (
  { refused }: StudentRow,
  handle: Handle,
  prints: SubmittedPair['prints'],
  now: number,
): Refusal | null => {
  const lifeMs = isOwner(handle) ? n.refused.ownerMs : n.refused.strangerMs;
  const step = signInSteps.find((each) =>
    refused.some((row) => row.step === each && prints[each].includes(row.print) && row.at > now - lifeMs),
  );
  return step === undefined ? null : { type: 'refuse', why: 'credentials', limit: 'refused-before', step };
};

const withRefused = (student: Draft['student'], step: SignInStep, print: string | undefined, now: number): void => {
  if (print === undefined) return;
  const others = student.refused.filter((row) => row.step !== step || row.print !== print);
  student.refused = [...others, { at: now, step, print }].slice(-n.refused.most);
};

const withoutRefused = (student: Draft['student'], step: SignInStep, prints: SubmittedPair['prints']): void => {
  const left = student.refused.filter((row) => row.step !== step || !prints[step].includes(row.print));
  if (left.length < student.refused.length) student.refused = left;
};

/** R4: what the gateway's one address may cost, of an hour. */
const gatewayMs = ({ gateway }: Draft, group: AskGroup, { network, trusted }: Caller, now: number): number => {
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

/** Attended sign-ins have a few of an hour that come to nothing. */
const loginTroubleMs = ({ troubles }: StudentRow, now: number): number =>
  msUntilRoom(
    troubles.filter(({ by }) => by === 'login'),
    { most: n.trouble.logins, windowMs: n.trouble.windowMs },
    now,
  );

/** Decides whether a pair that is not the good stored one may go to the campus. `isAnswer`: it goes on with a challenge. */
export const mayAsk = (draft: Draft, { caller, pair, tag }: Wanted, at: Moment, isAnswer = false): Refusal | null => {
  const { student, gateway } = draft;
  const { now } = at;
  const handle = handleOf(student, caller);
  const isSetAside = isEqual(pair);
  const isBefore = isSetAside || isAnswer ? null : refusedBefore(student, handle, pair.prints, now);
  const pauseMs = isAnswer ? 0 : isSetAside ? setAsideMs(student, at) : waitMs(student, handle, now);
  const group = isOwner(handle) ? 'owner' : 'stranger';
  return (
    isBefore ??
    wait('ask-limit', 'login', Math.max(pauseMs, budgetMs(student, handle, at))) ??
    (isOwner(handle) ? null : wait('sign-in-breaker', 'paused', msUntilProbe(gateway.strangers, tag, now))) ??
    wait('gateway-limit', 'gateway', gatewayMs(draft, group, caller, now)) ??
    wait('session-backoff', 'paused', loginTroubleMs(student, now)) ??
    (isAnswer ? null : challengeWait(student, handle, 'login', now))
  );
};

interface Asking extends Wanted {
  readonly id: string;
}

const book = (draft: Draft, group: AskGroup, handle: Handle, ask: Asking & { invite?: string }, now: number): void => {
  const { student, gateway } = draft;
  const { id, caller, pair, invite = '' } = ask;
  const stored = isEqual(pair);
  student.asks = [...student.asks, { id, at: now, ...tagOf(handle), state: 'open', endedAt: now, stored }];
  gateway.asks = [...gateway.asks, { id, at: now, group, network: caller.network, invite }];
  if (group !== 'owner') gateway.strangers = withProbe(gateway.strangers, now);
};

/** The turn of a pair has come: everything is looked at again and the ask is booked before anything leaves. */
export const beginsAsk = (draft: Draft, ask: Asking & { readonly isAnswer?: boolean }, at: Moment): Answer => {
  const refusal = mayAsk(draft, ask, at, ask.isAnswer);
  if (refusal) return refusal;
  const handle = handleOf(draft.student, ask.caller);
  book(draft, isOwner(handle) ? 'owner' : 'stranger', handle, ask, at.now);
  return go;
};

const isGivenBack = ({ type }: AskOutcome): boolean =>
  type === 'accepted' ||
  type === 'unsent' ||
  type === 'passed' ||
  type === 'unstable' ||
  type === 'person' ||
  type === 'captcha';

const endBooking = ({ student, gateway }: Draft, id: string, outcome: AskOutcome, now: number): void => {
  if (isGivenBack(outcome)) {
    student.asks = student.asks.filter((ask) => ask.id !== id);
    gateway.asks = gateway.asks.filter((ask) => ask.id !== id);
    return;
  }
  const state: Ask['state'] = outcome.type === 'refused' || outcome.type === 'marker' ? 'refused' : 'unknown';
  student.asks = student.asks.map((ask) => (ask.id === id ? { ...ask, state, endedAt: now } : ask));
};

/** Notes an attended sign-in: a step marks the student, and none unmarks. */
const noteAttended = ({ student }: Draft, outcome: AskOutcome, now: number): void => {
  const trouble = (kind: Trouble['kind']): void => {
    student.troubles = [...student.troubles, { at: now, kind, by: 'login' }];
  };
  switch (outcome.type) {
    case 'person':
      if (outcome.wanted !== 'captcha') student.mark = { at: now, wanted: outcome.wanted, step: outcome.step };
      if (outcome.offered !== true) trouble('marker');
      return;
    case 'accepted':
      if (outcome.stepped !== true && student.mark !== null) student.mark = null;
      return;
    case 'marker':
      trouble('marker');
      return;
    case 'unstable':
    case 'unread':
    case 'passed':
      trouble('unheld');
      return;
    default:
  }
};

/** The print of each stored secret, which an accepted pair replaces; null: there is none that is known. */
export type StoredPrints = Readonly<Record<SignInStep, string>> | null;

const noteAccepted = (draft: Draft, { caller, pair }: Wanted, storedPrints: StoredPrints, now: number): void => {
  const { student } = draft;
  for (const step of signInSteps) {
    withoutRefused(student, step, pair.prints);
    if (storedPrints !== null && !pair.equalAt[step]) withRefused(student, step, storedPrints[step], now);
  }
  forgetGuesses(student, pair);
  Object.assign(student, { acceptedAt: now, restsSince: 0 });
  withHome(student, caller, now);
};

const noteRefused = ({ student }: Draft, step: SignInStep, prints: SubmittedPair['prints'], now: number): void => {
  withRefused(student, step, prints[step][0], now);
  // A refusal at the second step means that the first was passed.
  if (step === 'unified-login') withoutRefused(student, 'portal', prints);
};

/** How many more asks of today this caller has. */
const triesLeft = ({ asks }: StudentRow, handle: Handle, perDay: number): number => {
  const most = handle.kind === 'home-token' ? perDay : perDay - 1;
  const left = most - asks.length;
  if (isOwner(handle)) return Math.max(0, left);
  return Math.max(0, Math.min(left, perDay - 2 - asks.filter(isOf(handle)).length));
};

/** When a person may try again who has met an attack marker. */
const afterMarker = ({ type }: AskOutcome): number => (type === 'marker' ? n.trouble.waitsMs[0] : 0);

interface Ended {
  readonly outcome: AskOutcome;
  readonly storedPrints: StoredPrints;
}

/** The campus has answered: written down before anybody is told. */
export const endsAsk = (draft: Draft, ended: Asking & Ended, { now, perDay }: Moment): Answer => {
  const { id, caller, pair, tag, outcome, storedPrints } = ended;
  const { student } = draft;
  const handle = handleOf(student, caller);
  endBooking(draft, id, outcome, now);
  noteAttended(draft, outcome, now);
  if (!isOwner(handle)) noteStrangers(draft, outcome, tag, now);
  if (outcome.type === 'accepted') noteAccepted(draft, ended, storedPrints, now);
  if (outcome.type !== 'refused') return { ...noted, restMs: afterMarker(outcome) };
  const { step } = outcome;
  noteRefused(draft, step, pair.prints, now);
  // One half is the stored one: that is refused as well.
  const setAside = pair.stored === 'good' && pair.equalAt[step] ? noteStoredRefusal(draft, tag, step, now) : null;
  return { ...noted, setAside, triesLeft: triesLeft(student, handle, perDay) };
};

// ---------------------------------------------------------------- registrations

interface Registering extends Asking {
  /** Hash of the invite token. */
  readonly invite: string;
}

/** Who registers is a stranger to the guard. */
const registrant: Handle = { kind: 'stranger', names: [''] };

export const mayRegister = (draft: Draft, ask: Omit<Registering, 'id'>, at: Moment): Refusal | null => {
  const { student, gateway } = draft;
  const { now } = at;
  const ofInvite = gateway.asks.filter(({ invite }) => invite === ask.invite);
  const { perInviteToken: most } = n.asking;
  const ownMs = Math.max(
    waitMs(student, registrant, now),
    budgetMs(student, registrant, at),
    msUntilRoom(ofInvite, { most, windowMs: n.gateway.windowMs }, now),
  );
  return (
    refusedBefore(student, registrant, ask.pair.prints, now) ??
    wait('ask-limit', 'registration', ownMs) ??
    wait('sign-in-breaker', 'paused', msUntilProbe(gateway.strangers, ask.tag, now)) ??
    wait('gateway-limit', 'gateway', gatewayMs(draft, 'registration', ask.caller, now)) ??
    wait('session-backoff', 'paused', loginTroubleMs(student, now)) ??
    challengeWait(student, registrant, 'registration', now)
  );
};

export const beginsRegistration = (
  draft: Draft,
  ask: Registering & { readonly isAnswer?: boolean },
  at: Moment,
): Answer => {
  const refusal = ask.isAnswer === true ? null : mayRegister(draft, ask, at);
  if (refusal) return refusal;
  book(draft, 'registration', registrant, ask, at.now);
  return go;
};

export const endsRegistration = (
  draft: Draft,
  ended: Asking & { readonly outcome: AskOutcome },
  { now, perDay }: Moment,
): Answer => {
  const { id, caller, pair, tag, outcome } = ended;
  const { student, gateway } = draft;
  endBooking(draft, id, outcome, now);
  noteAttended(draft, outcome, now);
  noteStrangers(draft, outcome, tag, now);
  if (outcome.type === 'accepted') {
    noteAccepted(draft, ended, null, now);
    gateway.registered = [...gateway.registered, { at: now, network: caller.network }];
  }
  if (outcome.type !== 'refused') return { ...noted, restMs: afterMarker(outcome) };
  noteRefused(draft, outcome.step, pair.prints, now);
  return { ...noted, triesLeft: triesLeft(student, registrant, perDay) };
};

// ---------------------------------------------------------------- R4 and R5 sign-ins with the stored pair

export interface StoredWanted {
  readonly stored: SubmittedPair['stored'];
  readonly tag: string;
  /** Of a login or a challenge; left out: no person is there. */
  readonly caller?: Caller;
}

/** R5: how long the student's unattended sign-ins rest. */
export const restMs = ({ troubles }: StudentRow, now: number): number => {
  const unattended = troubles.filter(({ by }) => by === 'unattended');
  const { freeUnstable, freeRenewals, waitsMs } = n.trouble;
  const beyond = (kind: Trouble['kind'], free: number) => unattended.filter((row) => row.kind === kind).slice(free);
  const counted = [
    ...beyond('unheld', freeUnstable),
    ...beyond('marker', 0),
    ...signInSteps.flatMap((step) => beyond(step, freeRenewals)),
  ];
  const ms = waitsMs[Math.min(counted.length, waitsMs.length) - 1];
  return ms === undefined ? 0 : Math.max(0, Math.max(...counted.map(({ at }) => at)) + ms - now);
};

const maySignIn = ({ student, gateway }: Draft, { stored, tag, caller }: StoredWanted, at: Moment): Refusal | null => {
  const { now, perDay } = at;
  if (stored === 'none') return { type: 'refuse', why: 'no-pair', limit: 'set-aside' };
  if (stored !== 'good') return { type: 'refuse', why: 'set-aside', limit: 'set-aside', step: stored };
  const isAttended = caller !== undefined;
  const { mark } = student;
  const { open } = gateway.stored;
  if (!isAttended && mark !== null) return { type: 'refuse', why: 'person', limit: 'second-step', ...mark };
  if (!isAttended && open?.by === 'step') {
    return {
      type: 'refuse',
      why: 'person',
      limit: 'sign-in-breaker',
      wanted: open.wanted ?? 'unknown',
      step: 'portal',
    };
  }
  const refused = student.asks.filter((ask) => ask.stored);
  const { windowMs } = n.asking;
  const rests = open !== null && student.restsSince >= open.since ? open.nextAt + n.breaker.probeMs - now : 0;
  return (
    wait('ask-limit', 'paused', msUntilRoom(refused, { most: Math.floor(perDay / 2), windowMs }, now)) ??
    wait('session-backoff', 'paused', isAttended ? loginTroubleMs(student, now) : restMs(student, now)) ??
    (isForPersons(gateway.stored, isAttended)
      ? null
      : wait('sign-in-breaker', 'paused', Math.max(rests, msUntilProbe(gateway.stored, tag, now)))) ??
    (caller ? challengeWait(student, handleOf(student, caller), 'login', now) : null)
  );
};

/** The turn of the stored pair has come. One at a time finds out whether a trouble is over. */
export const beginsStored = (draft: Draft, wanted: StoredWanted, at: Moment): Answer => {
  const refusal = maySignIn(draft, wanted, at);
  if (refusal) return refusal;
  const { gateway } = draft;
  if (!isForPersons(gateway.stored, wanted.caller !== undefined)) gateway.stored = withProbe(gateway.stored, at.now);
  return go;
};

/** Whether nothing speaks against asking the campus for this student unattended. */
export const isQuiet = (draft: Draft, at: Moment): boolean =>
  draft.gateway.stored.open === null && maySignIn(draft, { stored: 'good', tag: '' }, at) === null;

/** A renewal of a session that ended within minutes of its last answer: counted before its password leaves. */
export const beginsEarly = (draft: Draft, step: SignInStep, at: Moment): Answer => {
  const { student } = draft;
  const resting = wait('session-backoff', 'paused', restMs(student, at.now));
  if (resting) return resting;
  student.troubles = [...student.troubles, { at: at.now, kind: step, by: 'unattended' }];
  return go;
};

/** The session before has held: what was counted against the student is forgotten. */
export const held = ({ student }: Draft): Answer => {
  if (student.troubles.some(({ by }) => by === 'unattended')) {
    student.troubles = student.troubles.filter(({ by }) => by !== 'unattended');
  }
  return go;
};

const storedBad = (outcome: AskOutcome, isAttended: boolean): Bad | null => {
  switch (outcome.type) {
    case 'person':
      if (isAttended) return null;
      return outcome.wanted === 'captcha' ? { by: 'captcha', wanted: null } : { by: 'step', wanted: outcome.wanted };
    case 'captcha':
      return isAttended ? null : { by: 'captcha', wanted: null };
    case 'marker':
    case 'refused':
    case 'unstable':
    case 'unread':
      return { by: 'trouble', wanted: null };
    default:
      return null;
  }
};

/** Of strangers' asks: a wrong password says nothing of the campus. */
const noteStrangers = (draft: Draft, outcome: AskOutcome, tag: string, now: number): void => {
  const { gateway } = draft;
  if (outcome.type === 'marker' || outcome.type === 'unstable' || outcome.type === 'unread') {
    gateway.strangers = withBad(gateway.strangers, tag, { by: 'trouble', wanted: null }, now);
  }
  if (outcome.type === 'refused') draft.good = 'strangers';
  if (outcome.type === 'accepted') {
    gateway.strangers = closed(gateway.strangers, true);
    draft.good = 'strangers';
  }
};

/** While the breaker is open nothing is set aside for good: the pair rests until it closes. */
const noteStoredRefusal = (
  { student, gateway }: Draft,
  tag: string,
  step: SignInStep,
  now: number,
): SignInStep | null => {
  gateway.stored = withBad(gateway.stored, tag, { by: 'trouble', wanted: null }, now);
  if (gateway.stored.open === null) return step;
  student.restsSince = now;
  return null;
};

export interface StoredEnded extends Ended {
  readonly tag: string;
  readonly caller?: Caller;
  /** Names the ask that a refusal is in the list of R2. */
  readonly id: string;
}

export const endsStored = (draft: Draft, ended: StoredEnded, { now, perDay }: Moment): Answer => {
  const { outcome, tag, caller, id, storedPrints } = ended;
  const { student, gateway } = draft;
  const isAttended = caller !== undefined;
  const handle = caller ? handleOf(student, caller) : registrant;
  if (outcome.type === 'unsent' || outcome.type === 'unknown') return noted;
  const bad = storedBad(outcome, isAttended);
  if (isAttended) noteAttended(draft, outcome, now);
  else noteUnattended(student, outcome, now);
  if (outcome.type === 'refused') {
    const { step } = outcome;
    const kind = caller ? handle.kind : 'home';
    student.asks = [
      ...student.asks,
      { id, at: now, ...tagOf(handle), kind, state: 'refused', endedAt: now, stored: true },
    ];
    withRefused(student, step, storedPrints?.[step], now);
    const setAside = noteStoredRefusal(draft, tag, step, now);
    return { ...noted, setAside, triesLeft: triesLeft(student, handle, perDay) };
  }
  if (bad !== null) gateway.stored = withBad(gateway.stored, tag, bad, now);
  if (outcome.type === 'accepted') {
    if (student.acceptedAt <= now - n.comparing.noteMs) student.acceptedAt = now;
    if (student.restsSince > 0) student.restsSince = 0;
    if (caller) withHome(student, caller, now);
    if (outcome.stepped !== true) gateway.stored = closed(gateway.stored, isAttended);
    draft.good = 'stored';
  }
  return { ...noted, restMs: isAttended ? afterMarker(outcome) : restMs(student, now) };
};

const noteUnattended = (student: Draft['student'], outcome: AskOutcome, now: number): void => {
  const trouble = (kind: Trouble['kind']): void => {
    student.troubles = [...student.troubles, { at: now, kind, by: 'unattended' }];
  };
  if (outcome.type === 'unstable' || outcome.type === 'unread') trouble('unheld');
  if (outcome.type === 'marker' || outcome.type === 'captcha') trouble('marker');
  if (outcome.type === 'person') {
    if (outcome.wanted === 'captcha') trouble('marker');
    else student.mark = { at: now, wanted: outcome.wanted, step: outcome.step };
  }
};

// ---------------------------------------------------------------- the operator

/** Empties budgets and waits; home networks, refused secrets and the mark stay. */
export const unlocks = ({ student }: Draft): Answer => {
  Object.assign(student, {
    guesses: [],
    rights: [],
    asks: [],
    troubles: [],
    challenges: [],
    codes: [],
    restsSince: 0,
    spentUntil: 0,
  });
  return noted;
};

export const revokes = ({ student }: Draft): Answer => {
  student.networks = [];
  return noted;
};
