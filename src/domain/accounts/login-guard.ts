import type { SignInStep } from '../errors.ts';
import type { GuardState } from './ports.ts';

const LOGIN_COOL_DOWN_MS = 60_000;
const REGISTRATION_COOL_DOWN_MS = 300_000;
const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 300;

/** What the guard is told about the moment. A deed without a submitted pair (a data call) says `equalAt: neither`. */
export interface GuardFacts {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The stored pair: there is none that can be read, it is good, or the step at which the campus refused it. */
  readonly stored: 'none' | 'good' | SignInStep;
  /** Which of the submitted secrets equal the stored ones. */
  readonly equalAt: Readonly<Record<SignInStep, boolean>>;
  /** The first step whose submitted secret no campus system would accept (empty, too long), or null. */
  readonly impossibleAt: SignInStep | null;
  /** A session that may be trusted without asking the campus. Counts only for a pair equal to the stored, good one. */
  readonly healthySession: boolean;
}

/** Who signs in at the campus: the answer of the campus means something else for each of them. */
export type SignInPurpose = 'login' | 'registration' | 'data';

export type GuardEvent =
  | { readonly type: 'login-wanted' }
  | { readonly type: 'registration-wanted' }
  /** A data call or background work needs a session that only the stored pair can open. */
  | { readonly type: 'data-wanted' }
  /** Account deletion: proven by the stored pair alone, never by the campus. */
  | { readonly type: 'deletion-wanted' }
  | { readonly type: 'accepted'; readonly purpose: SignInPurpose }
  | { readonly type: 'refused'; readonly purpose: SignInPurpose; readonly step: SignInStep }
  /** Captcha, attack marker, second factor, login not allowed: the campus watches this student id. */
  | { readonly type: 'guarded' }
  | { readonly type: 'unavailable' }
  | { readonly type: 'timed-out' };

export type GuardVerdict =
  | { readonly type: 'ask-campus' }
  /** Equal to the stored, good pair while a cool-down is active: goes through without asking the campus. */
  | { readonly type: 'let-through' }
  /** Equal to the stored, good pair and a healthy session: asking the campus would add nothing. */
  | { readonly type: 'skip-campus' }
  | { readonly type: 'proven' }
  | { readonly type: 'refuse'; readonly why: 'login-cool-down'; readonly retryAfterSeconds: number }
  | { readonly type: 'refuse'; readonly why: 'registration-cool-down'; readonly retryAfterSeconds: number }
  | { readonly type: 'refuse'; readonly why: 'paused'; readonly retryAfterSeconds: number }
  | { readonly type: 'refuse'; readonly why: 'set-aside'; readonly step: SignInStep }
  | { readonly type: 'refuse'; readonly why: 'no-pair' }
  | { readonly type: 'refuse'; readonly why: 'credentials-refused'; readonly step: SignInStep }
  | { readonly type: 'refuse'; readonly why: 'proof-refused' }
  /** The campus gave no answer about the secrets: its own failure goes to the caller. */
  | { readonly type: 'unanswered' };

export interface GuardDecision {
  readonly verdict: GuardVerdict;
  readonly next: GuardState;
  /** The step at which the stored pair is to be set aside now, or null. */
  readonly setAside: SignInStep | null;
}

export const calmState: GuardState = {
  loginCoolDownUntil: null,
  registrationCoolDownUntil: null,
  pauseUntil: null,
  pauseSeconds: 0,
};

export const neither: GuardFacts['equalAt'] = { portal: false, 'unified-login': false };

/** Whole seconds until `until`, rounded up; 0 when it is not set or over. */
const secondsLeft = (until: number | null, now: number): number =>
  until === null || until <= now ? 0 : Math.ceil((until - now) / 1000);

const equalPair = (facts: GuardFacts): boolean =>
  facts.stored !== 'none' && facts.equalAt.portal && facts.equalAt['unified-login'];

const onLoginWanted = (state: GuardState, facts: GuardFacts): GuardVerdict => {
  const coolDown = secondsLeft(state.loginCoolDownUntil, facts.now);
  const pause = secondsLeft(state.pauseUntil, facts.now);
  if (equalPair(facts) && facts.stored === 'good') {
    // The owner's unchanged pair needs nobody's permission: whoever guesses cannot lock its owner out.
    if (coolDown > 0) return { type: 'let-through' };
    if (facts.healthySession) return { type: 'skip-campus' };
  }
  if (coolDown > 0) return { type: 'refuse', why: 'login-cool-down', retryAfterSeconds: coolDown };
  if (facts.impossibleAt) return { type: 'refuse', why: 'credentials-refused', step: facts.impossibleAt };
  if (pause > 0) return { type: 'refuse', why: 'paused', retryAfterSeconds: pause };
  return { type: 'ask-campus' };
};

const onRegistrationWanted = (state: GuardState, facts: GuardFacts): GuardVerdict => {
  const coolDown = secondsLeft(state.registrationCoolDownUntil, facts.now);
  const pause = secondsLeft(state.pauseUntil, facts.now);
  if (coolDown > 0) return { type: 'refuse', why: 'registration-cool-down', retryAfterSeconds: coolDown };
  if (facts.impossibleAt) return { type: 'refuse', why: 'credentials-refused', step: facts.impossibleAt };
  if (pause > 0) return { type: 'refuse', why: 'paused', retryAfterSeconds: pause };
  return { type: 'ask-campus' };
};

/** Cool-downs are not looked at: a third party sets them, and the stored pair is not what was guessed. */
const onDataWanted = (state: GuardState, facts: GuardFacts): GuardVerdict => {
  if (facts.stored === 'none') return { type: 'refuse', why: 'no-pair' };
  if (facts.stored !== 'good') return { type: 'refuse', why: 'set-aside', step: facts.stored };
  const pause = secondsLeft(state.pauseUntil, facts.now);
  return pause > 0 ? { type: 'refuse', why: 'paused', retryAfterSeconds: pause } : { type: 'ask-campus' };
};

const onDeletionWanted = (state: GuardState, facts: GuardFacts): GuardVerdict => {
  const coolDown = secondsLeft(state.loginCoolDownUntil, facts.now);
  if (equalPair(facts) && (coolDown === 0 || facts.stored === 'good')) return { type: 'proven' };
  if (coolDown > 0) return { type: 'refuse', why: 'login-cool-down', retryAfterSeconds: coolDown };
  return { type: 'refuse', why: 'proof-refused' };
};

const coolDownAfter = (purpose: SignInPurpose, state: GuardState, now: number): GuardState => {
  switch (purpose) {
    case 'login':
      return { ...state, loginCoolDownUntil: now + LOGIN_COOL_DOWN_MS };
    case 'registration':
      return { ...state, registrationCoolDownUntil: now + REGISTRATION_COOL_DOWN_MS };
    case 'data':
      // The pair is set aside, so no data call asks again; the student who then types a new password need not wait.
      return state;
  }
};

/** The campus accepted: it does not watch this student id any more. Only the deed itself ends its own cool-down. */
const calmAfter = (purpose: SignInPurpose, state: GuardState): GuardState => {
  const calm = { ...state, pauseUntil: null, pauseSeconds: 0 };
  switch (purpose) {
    case 'login':
      return { ...calm, loginCoolDownUntil: null };
    case 'registration':
      return { ...calm, registrationCoolDownUntil: null };
    case 'data':
      return calm;
  }
};

const onRefused = (
  state: GuardState,
  facts: GuardFacts,
  event: { readonly purpose: SignInPurpose; readonly step: SignInStep },
): GuardDecision => {
  const { purpose, step } = event;
  // What the campus refused was the stored secret itself, whoever sent it; another secret says nothing about it.
  const storedSecret = purpose === 'data' || facts.equalAt[step];
  return {
    verdict: { type: 'refuse', why: 'credentials-refused', step },
    next: coolDownAfter(purpose, state, facts.now),
    setAside: storedSecret && facts.stored === 'good' ? step : null,
  };
};

const onGuarded = (state: GuardState, facts: GuardFacts): GuardDecision => {
  // A marker that arrives while a pause is running belongs to the same incident: it prolongs, it does not double.
  const running = secondsLeft(state.pauseUntil, facts.now) > 0;
  const grown = state.pauseSeconds === 0 ? FIRST_PAUSE_SECONDS : state.pauseSeconds * (running ? 1 : 2);
  const pauseSeconds = Math.min(grown, LONGEST_PAUSE_SECONDS);
  return {
    verdict: { type: 'refuse', why: 'paused', retryAfterSeconds: pauseSeconds },
    next: { ...state, pauseUntil: facts.now + pauseSeconds * 1000, pauseSeconds },
    setAside: null,
  };
};

/**
 * The one table of cool-downs, let-through, set-aside pair and pause. Pure: what is known, and what happens or is
 * wanted, give the answer, the state to store and whether the stored pair is set aside.
 */
export const guard = (state: GuardState, facts: GuardFacts, event: GuardEvent): GuardDecision => {
  const unchanged = (verdict: GuardVerdict): GuardDecision => ({ verdict, next: state, setAside: null });
  switch (event.type) {
    case 'login-wanted':
      return unchanged(onLoginWanted(state, facts));
    case 'registration-wanted':
      return unchanged(onRegistrationWanted(state, facts));
    case 'data-wanted':
      return unchanged(onDataWanted(state, facts));
    case 'deletion-wanted': {
      const verdict = onDeletionWanted(state, facts);
      const mismatch = verdict.type === 'refuse' && verdict.why === 'proof-refused';
      return { verdict, next: mismatch ? coolDownAfter('login', state, facts.now) : state, setAside: null };
    }
    case 'accepted':
      return { verdict: { type: 'proven' }, next: calmAfter(event.purpose, state), setAside: null };
    case 'refused':
      return onRefused(state, facts, event);
    case 'guarded':
      return onGuarded(state, facts);
    case 'unavailable':
    case 'timed-out':
      return unchanged({ type: 'unanswered' });
  }
};
