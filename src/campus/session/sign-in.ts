import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import { Failure, type SignInStep } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { LoginCall, NeedsPerson } from '../conversation.ts';
import { signInFailed, signInUnheld, withPasswords } from '../sign-in-failures.ts';
import { resumeServiceTicket, type ServiceTicket } from '../unified-login/service-ticket.ts';
import type { Application } from '../upstreams.ts';
import { openApplication } from './open-application.ts';
import { type Campus, type RequestScope, sendAndCount } from './request-scope.ts';
import { StudentState } from './student-state.ts';
import { type Failed, failed } from './verdict.ts';

export interface SignInPlan {
  readonly userid: string;
  /** What to sign in to, and where the new sessions go. */
  readonly state: StudentState;
  /** Whether the portal is logged in to at once; otherwise only when its session turns out to be dead. */
  readonly portal: boolean;
  readonly application: Application | null;
  /**
   * The pair is asked for when a password is to be sent; `early`: for the second time within minutes, because what it
   * opened then has ended already. @throws Failure when there is none to send
   */
  readonly pair: (step: SignInStep, early: boolean) => Promise<PasswordPair>;
  readonly onlyVerify: boolean;
  readonly onPortal?: () => void;
  /** The new portal session is dead at the application. */
  readonly onPortalDead?: () => void;
  readonly onApplication?: () => void;
  /** A person is there, who can take a step. */
  readonly person?: boolean;
  /** The unified login has issued it already. */
  readonly issued?: ServiceTicket;
  /** Of the portal's password, where no one waits for it. */
}

export type Bounds = Pick<RequestScope, 'breakers' | 'budget'>;

/** The state of a sign-in that waits for a person, as text for any process. */
const packed = ({ addresses }: Campus, state: StudentState, resume: string): string =>
  JSON.stringify({
    resume,
    session: state.portalSession,
    portal: addresses.portalOrigin === null ? null : state.jars.export(addresses.portalOrigin),
    login: state.jars.export(addresses.base('cas').origin),
  });

/** `half`: how it continues where a person is there. Without one, a password that met the demand for an image met the guard. */
const personNeeded = (
  campus: Campus,
  state: StudentState,
  step: SignInStep,
  { asked, resume, last, password }: NeedsPerson,
  isThere: boolean,
): Failed => {
  const isGuarded = password === 'guarded';
  if (isGuarded && !isThere) return failed(new Failure('sign-in-guarded', { step, reason: 'captcha' }));
  const half: HalfSignIn | undefined =
    !isThere || resume === '' || asked.kind === 'elsewhere'
      ? undefined
      : { step, asked, resume: packed(campus, state, resume), last, guarded: isGuarded };
  const wanted = asked.kind === 'elsewhere' ? asked.hint : asked.kind;
  const passwords = password === 'unsent' && step === 'portal' ? 'unsent' : undefined;
  return failed(new Failure('person-needed', { step, wanted, half, passwords }));
};

/** Requests to the portal itself. */
const portalCall = (scope: RequestScope, beforeSending: (method: 'GET' | 'POST') => Promise<void>): LoginCall => ({
  now: scope.campus.clock.now(),
  async ask({ method, path, form, session, image }) {
    await beforeSending(method);
    return sendAndCount({ ...scope, portalSession: session }, 'vpn', {
      method,
      url: scope.campus.addresses.url('vpn', path),
      form,
      image,
      write: method === 'POST',
    });
  },
});

/** A sign-in has its own line: it must not wait behind the reads that wait for it. */
const signInScope = (campus: Campus, state: StudentState, bounds: Bounds, signal: AbortSignal): RequestScope => ({
  campus,
  state,
  get portalSession() {
    return state.portalSession;
  },
  session: null,
  row: null,
  ...bounds,
  slots: new Semaphore(1, 8),
  signal,
});

export interface SignedIn {
  readonly kind: 'signed-in';
  /** Whether a password was sent, and so accepted. */
  readonly passwordSent: boolean;
}

/** Asks for a code, or for an image, at the login that waits for the person. */
const sendFor = (
  scope: RequestScope,
  step: SignInStep,
  resume: string,
  target: number | null,
): Promise<NeedsPerson | Failed> => {
  const portal = scope.campus.addresses.portal.resume;
  if (step === 'unified-login') return resumeServiceTicket.send(scope, resume);
  if (portal === undefined) return Promise.resolve(signInFailed(step, 'resume of another kind'));
  return portal.send(
    portalCall(scope, () => Promise.resolve()),
    resume,
    target,
  );
};

/** One pass over portal and application. Each of the two passwords is sent at most once. */
export const signIn = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  plan: SignInPlan,
): Promise<SignedIn | Failed> => {
  const { userid, state, application, pair, onlyVerify, issued, person = false } = plan;
  const { addresses, clock } = campus;
  const scope = signInScope(campus, state, bounds, signal);
  /** A password may have left the service. */
  let left = false;
  let portalSent = false;
  let portalAccepted = false;
  let passwordSent = false;

  /** An image is fetched only where a person is there to read it. */
  const waits = async (step: SignInStep, needs: NeedsPerson): Promise<Failed> => {
    const isImage = needs.asked.kind === 'captcha' && needs.resume !== '';
    if (!person || !isImage) return personNeeded(campus, state, step, needs, person);
    const shown = await sendFor(scope, step, needs.resume, null);
    if (shown.kind === 'failed' && needs.password === 'guarded') return personNeeded(campus, state, step, needs, false);
    return shown.kind === 'failed'
      ? shown
      : personNeeded(campus, state, step, { ...shown, password: needs.password }, person);
  };

  const logIn = async (): Promise<Failed | null> => {
    portalSent = true;
    const { vpnPassword } = await pair('portal', state.portalLogin.endsEarly(clock.now()));
    state.jars.clear(addresses.base('vpn').origin);
    const call = portalCall(scope, async (method) => {
      if (method !== 'POST') return;
      left = true;
    });
    const outcome = await addresses.portal.signIn(call, { userid, password: vpnPassword });
    if (outcome.kind === 'failed') return outcome;
    if (outcome.kind === 'needs-person') return waits('portal', outcome);
    portalAccepted = true;
    state.portalSession = outcome.session;
    state.isDear = false;
    state.portalLogin.accepted(clock.now());
    plan.onPortal?.();
    return null;
  };

  const credentials = async () => {
    if (passwordSent || state.unifiedLogin.isUnheld(clock.now())) {
      state.unifiedLogin.tell();
      return signInUnheld('unified-login');
    }
    const { password } = await pair('unified-login', state.unifiedLogin.endsEarly(clock.now()));
    passwordSent = true;
    left = true;
    return { userid, password };
  };

  const told = (outcome: Failed): Failed => {
    if (outcome.failure.passwords !== undefined || outcome.failure.kind === 'person-needed') return outcome;
    if (!left) return withPasswords(outcome, 'unsent');
    return portalAccepted && !passwordSent ? withPasswords(outcome, 'accepted') : outcome;
  };

  // Without a portal nothing is opened, and its session is always alive.
  if (addresses.portalOrigin === null) state.portalSession = '';
  else if (plan.portal) {
    const refused = await logIn();
    if (refused) return told(refused);
  }
  while (application !== null) {
    const opening = await openApplication(scope, { application, userid, credentials, onlyVerify, issued });
    if (opening.kind === 'failed') return told(opening);
    if (opening.kind === 'needs-person') return told(await waits('unified-login', opening));
    if (opening.kind === 'opened') break;
    // The unified login has answered, which may be open to all: that does not verify an unverified pair.
    if (state.portalLogin.isUnheld(clock.now()) || (portalSent && onlyVerify)) {
      state.portalSession = null;
      state.portalLogin.tell();
      return signInUnheld('portal');
    }
    if (portalSent) {
      plan.onPortalDead?.();
      return signInFailed('unified-login', 'portal session dead at once');
    }
    const refused = await logIn();
    if (refused) return told(refused);
  }
  if (application !== null) plan.onApplication?.();
  return { kind: 'signed-in', passwordSent: passwordSent || portalSent };
};

/** A sign-in that waits for a person. */
interface Waiting {
  readonly step: SignInStep;
  readonly resume: string;
}

/** Its state, as another process may have packed it; null: it cannot be read. */
const unpacked = (campus: Campus, text: string): { readonly state: StudentState; readonly resume: string } | null => {
  const { addresses } = campus;
  const kept: unknown = JSON.parse(text);
  if (!isRecord(kept) || typeof kept.resume !== 'string') return null;
  const state = new StudentState(addresses);
  if (typeof kept.portal === 'string' && addresses.portalOrigin !== null) {
    state.jars.import(addresses.portalOrigin, kept.portal);
  }
  if (typeof kept.login === 'string') state.jars.import(addresses.base('cas').origin, kept.login);
  if (typeof kept.session === 'string') state.portalSession = kept.session;
  return { state, resume: kept.resume };
};

/** Asks for a code, or for an image. */
export const resumeSend = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  { step, resume }: Waiting,
  target: number | null,
): Promise<{ readonly kind: 'half'; readonly half: HalfSignIn } | Failed> => {
  const opened = unpacked(campus, resume);
  if (opened === null) return signInFailed(step, 'resume of another kind');
  const { state } = opened;
  const sent = await sendFor(signInScope(campus, state, bounds, signal), step, opened.resume, target);
  if (sent.kind === 'failed') return sent;
  const told = personNeeded(campus, state, step, sent, true);
  return told.failure.half ? { kind: 'half', half: told.failure.half } : told;
};

/** Sends an answer, and continues with the rest of the sign-in as any other. */
export const resumeAnswer = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  { step, resume, userid, pair }: Waiting & { readonly userid: string; readonly pair: PasswordPair },
  text: string,
): Promise<{ readonly kind: 'signed-in'; readonly state: StudentState } | Failed> => {
  const opened = unpacked(campus, resume);
  const { portal, provingApplication } = campus.addresses;
  if (opened === null) return signInFailed(step, 'resume of another kind');
  const { state } = opened;
  const scope = signInScope(campus, state, bounds, signal);
  let issued: ServiceTicket | undefined;
  if (step === 'unified-login') {
    const credentials = { userid, password: pair.password };
    const answered = await resumeServiceTicket.answer(scope, opened.resume, text, credentials);
    if (answered.kind === 'failed') return answered;
    if (answered.kind === 'needs-person') return personNeeded(campus, state, step, answered, true);
    issued = answered;
  } else {
    if (portal.resume === undefined) return signInFailed(step, 'resume of another kind');
    const call = portalCall(scope, () => Promise.resolve());
    const credentials = { userid, password: pair.vpnPassword };
    const answered = await portal.resume.answer(call, opened.resume, text, credentials);
    if (answered.kind === 'failed') return answered;
    if (answered.kind === 'needs-person') return personNeeded(campus, state, step, answered, true);
    state.portalSession = answered.session;
  }
  state.portalLogin.accepted(campus.clock.now());
  state.isDear = true;
  const outcome = await signIn(campus, bounds, signal, {
    userid,
    state,
    portal: false,
    application: provingApplication,
    pair: () => Promise.resolve(pair),
    onlyVerify: true,
    person: true,
    ...(issued && { issued }),
  });
  if (outcome.kind !== 'failed') return { kind: 'signed-in', state };
  // The answer was right, and is spent.
  return outcome.failure.passwords === 'unsent' ? withPasswords(outcome, 'accepted') : outcome;
};
