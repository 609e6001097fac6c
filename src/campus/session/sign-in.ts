import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import { Failure, isFailure, type SignInStep } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/queues.ts';
import type { Credentials, LoginCall, NeedsPerson } from '../portal/portal.ts';
import { type Failed, failed, signInFailed, signInUnstable, withPasswords } from '../sign-in-failures.ts';
import type { Application } from '../upstreams.ts';
import { openApplication } from './open-application.ts';
import { resumeServiceTicket, type ServiceTicket } from './service-ticket.ts';
import type { StudentState } from './student-state.ts';
import { type Campus, countPage, type RequestScope, sendAndCount } from './upstream-session.ts';

export interface SignInPlan {
  readonly userid: string;
  /** The new sessions go here. */
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
    login: state.jars.export(addresses.base('unified-login').origin),
  });

/** `half`: how it continues where a person is there. Without one, a password that met the demand for an image met the guard. */
export const personNeeded = (
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
export const portalCall = (scope: RequestScope, onSend?: (method: 'GET' | 'POST') => void): LoginCall => ({
  now: scope.campus.clock.now(),
  ask({ method, path, form, session, image }) {
    onSend?.(method);
    return sendAndCount({ ...scope, portalSession: session }, 'portal', {
      method,
      url: scope.campus.addresses.url('portal', path),
      form,
      image,
      write: method === 'POST',
    });
  },
  saw: (page, isKnown) => countPage(scope, 'portal', page, isKnown),
});

/** A sign-in has its own line: it must not wait behind the reads that wait for it. */
export const signInScope = (
  campus: Campus,
  state: StudentState,
  bounds: Bounds,
  signal: AbortSignal,
): RequestScope => ({
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
export const sendFor = (
  scope: RequestScope,
  step: SignInStep,
  resume: string,
  target: number | null,
): Promise<NeedsPerson | Failed> => {
  const portal = scope.campus.addresses.portal.resume;
  if (step === 'unified-login') return resumeServiceTicket.send(scope, resume);
  if (portal === undefined) return Promise.resolve(signInFailed(step, 'resume of another kind'));
  return portal.send(portalCall(scope), resume, target);
};

/** One pass over portal and application. Each of the two passwords is sent at most once. */
class SignIn {
  readonly #campus: Campus;
  readonly #scope: RequestScope;
  readonly #plan: SignInPlan;
  /** A password may have left the service. */
  #left = false;
  #portalSent = false;
  #portalAccepted = false;
  #passwordSent = false;

  constructor(campus: Campus, scope: RequestScope, plan: SignInPlan) {
    this.#campus = campus;
    this.#scope = scope;
    this.#plan = plan;
  }

  async run(): Promise<SignedIn | Failed> {
    const { state, portal, application } = this.#plan;
    // Without a portal nothing is opened, and its session is always alive.
    if (this.#campus.addresses.portalOrigin === null) state.portalSession = '';
    else if (portal) {
      const refused = await this.#logIn();
      if (refused) return this.#told(refused);
    }
    const failure = application === null ? null : await this.#open(application);
    if (failure !== null) return failure;
    return { kind: 'signed-in', passwordSent: this.#passwordSent || this.#portalSent };
  }

  /** Opens the application, behind a portal session that may have to be opened first. */
  async #open(application: Application): Promise<Failed | null> {
    const { state, userid, onlyVerify, issued, onPortalDead, onApplication } = this.#plan;
    const { clock } = this.#campus;
    const request = { application, userid, credentials: () => this.#credentials(), onlyVerify, issued };
    for (;;) {
      const opening = await openApplication(this.#scope, request);
      if (opening.kind === 'failed') return this.#told(opening);
      if (opening.kind === 'needs-person') return this.#told(await this.#waits('unified-login', opening));
      if (opening.kind === 'opened') break;
      // The unified login has answered, which may be open to all: that does not verify an unverified pair.
      if (state.portalLogin.isUnstable(clock.now()) || (this.#portalSent && onlyVerify)) {
        state.portalSession = null;
        state.portalLogin.tell();
        return signInUnstable('portal');
      }
      if (this.#portalSent) {
        onPortalDead?.();
        return signInFailed('unified-login', 'portal session dead at once');
      }
      const refused = await this.#logIn();
      if (refused) return this.#told(refused);
    }
    onApplication?.();
    return null;
  }

  /** Null: the portal has accepted its password. */
  async #logIn(): Promise<Failed | null> {
    const { userid, state, pair, onPortal } = this.#plan;
    const { addresses, clock } = this.#campus;
    this.#portalSent = true;
    const { vpnPassword } = await pair('portal', state.portalLogin.endsEarly(clock.now()));
    state.jars.clear(addresses.base('portal').origin);
    const call = portalCall(this.#scope, (method) => {
      this.#left ||= method === 'POST';
    });
    const outcome = await addresses.portal.signIn(call, { userid, password: vpnPassword });
    if (outcome.kind === 'failed') return outcome;
    if (outcome.kind === 'needs-person') return this.#waits('portal', outcome);
    this.#portalAccepted = true;
    state.portalSession = outcome.session;
    state.isDear = false;
    state.portalLogin.accepted(clock.now());
    onPortal?.();
    return null;
  }

  /** Those of the unified login, when its page appears. */
  async #credentials(): Promise<Credentials | Failed> {
    const { userid, state, pair } = this.#plan;
    const { clock } = this.#campus;
    if (this.#passwordSent || state.unifiedLogin.isUnstable(clock.now())) {
      state.unifiedLogin.tell();
      return signInUnstable('unified-login');
    }
    const { password } = await pair('unified-login', state.unifiedLogin.endsEarly(clock.now()));
    this.#passwordSent = true;
    this.#left = true;
    return { userid, password };
  }

  /** An image is fetched only where a person is there to read it. */
  async #waits(step: SignInStep, needs: NeedsPerson): Promise<Failed> {
    const { state, person = false } = this.#plan;
    const told = (of: NeedsPerson, isThere: boolean): Failed => personNeeded(this.#campus, state, step, of, isThere);
    const isImage = needs.asked.kind === 'captcha' && needs.resume !== '';
    if (!person || !isImage) return told(needs, person);
    const shown = await sendFor(this.#scope, step, needs.resume, null);
    if (shown.kind === 'needs-person') return told({ ...shown, password: needs.password }, person);
    return needs.password === 'guarded' ? told(needs, false) : shown;
  }

  /** The same failure, with what has become of the passwords. */
  #told(outcome: Failed): Failed {
    if (outcome.failure.passwords !== undefined || outcome.failure.kind === 'person-needed') return outcome;
    if (!this.#left) return withPasswords(outcome, 'unsent');
    return this.#portalAccepted && !this.#passwordSent ? withPasswords(outcome, 'accepted') : outcome;
  }
}

/** @throws the reason of the signal */
export const signIn = async (
  campus: Campus,
  bounds: Bounds,
  signal: AbortSignal,
  plan: SignInPlan,
): Promise<SignedIn | Failed> => {
  try {
    const outcome = await new SignIn(campus, signInScope(campus, plan.state, bounds, signal), plan).run();
    campus.observer?.signIn(outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind);
    return outcome;
  } catch (error) {
    // A caller who left says nothing of the campus.
    if (isFailure(error, 'timed-out')) campus.observer?.signIn(error.kind);
    throw error;
  }
};
