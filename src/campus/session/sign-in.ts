import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import { Failure, isFailure, type SignInStep } from '../../domain/errors.ts';
import { isRecord } from '../../lib/text.ts';
import type { Addresses } from '../addresses.ts';
import type { HttpAnswer, Unanswered } from '../http.ts';
import {
  type Credentials,
  type LoginCall,
  type LoginRequest,
  type NeedsPerson,
  unknownResume,
} from '../portal/portal.ts';
import { type Failed, failed, signInFailed, signInUnstable, withPasswords } from '../sign-in-failures.ts';
import type { Application } from '../upstreams.ts';
import type { CampusRequests } from './campus-requests.ts';
import { ApplicationOpening } from './open-application.ts';
import { type ServiceTicket, ServiceTickets } from './service-ticket.ts';
import type { StudentSession } from './session-cache.ts';
import { StudentState } from './student-state.ts';

/** The state of a sign-in that waits for a person, as text for any process. */
const packed = (addresses: Addresses, state: StudentState, resume: string): string =>
  JSON.stringify({
    resume,
    session: state.portalSession,
    portal: addresses.portalOrigin === null ? null : state.jars.export(addresses.portalOrigin),
    login: state.jars.export(addresses.base('unified-login').origin),
  });

/** Null: it cannot be read. `resume`: how the login continues. */
export const unpacked = (
  addresses: Addresses,
  text: string,
): { readonly state: StudentState; readonly resume: string } | null => {
  const half: unknown = JSON.parse(text);
  if (!isRecord(half) || typeof half.resume !== 'string') return null;
  const state = new StudentState(addresses);
  if (typeof half.portal === 'string' && addresses.portalOrigin !== null) {
    state.jars.import(addresses.portalOrigin, half.portal);
  }
  if (typeof half.login === 'string') state.jars.import(addresses.base('unified-login').origin, half.login);
  if (typeof half.session === 'string') state.portalSession = half.session;
  return { state, resume: half.resume };
};

/** Sends the requests of a login to the portal itself. */
class PortalCall implements LoginCall {
  readonly now: number;
  /** Something was posted: a password may have left the service. */
  hasPosted = false;
  readonly #requests: CampusRequests;

  constructor(requests: CampusRequests) {
    this.#requests = requests;
    this.now = requests.campus.clock.now();
  }

  ask({ method, path, form, session, image }: LoginRequest): Promise<HttpAnswer | Unanswered> {
    const write = method === 'POST';
    this.hasPosted ||= write;
    const url = this.#requests.campus.addresses.url('portal', path);
    return this.#requests.sendAndCount('portal', { method, url, form, image, write, portalSession: session });
  }

  saw(page: string, isKnown: boolean): void {
    this.#requests.countPage('portal', page, isKnown);
  }
}

/** The steps of the two logins, portal and unified login, that a person takes. */
export class LoginSteps {
  readonly #requests: CampusRequests;

  constructor(requests: CampusRequests) {
    this.#requests = requests;
  }

  /** Asks for a code, or for an image, at the login that waits for the person. */
  async send(step: SignInStep, resume: string, target: number | null): Promise<NeedsPerson | Failed> {
    if (step === 'unified-login') return new ServiceTickets(this.#requests).send(resume);
    const { portal } = this.#requests.campus.addresses;
    return (await portal.send?.(new PortalCall(this.#requests), resume, target)) ?? unknownResume(step);
  }

  /** Sends the person's answer. A ticket comes from the unified login; the portal's session goes into the state. */
  async answer(
    { step, resume }: Pick<HalfSignIn, 'step' | 'resume'>,
    text: string,
    userid: string,
    { password, vpnPassword }: PasswordPair,
  ): Promise<ServiceTicket | { readonly kind: 'signed-in' } | Failed> {
    const { state, campus } = this.#requests;
    if (step === 'unified-login') {
      const answered = await new ServiceTickets(this.#requests).answer(resume, text, { userid, password });
      return answered.kind === 'needs-person' ? this.needed(step, answered, true) : answered;
    }
    const credentials = { userid, password: vpnPassword };
    const { portal } = campus.addresses;
    const answered = await portal.answer?.(new PortalCall(this.#requests), resume, text, credentials);
    if (answered === undefined) return unknownResume(step);
    if (answered.kind === 'needs-person') return this.needed(step, answered, true);
    if (answered.kind === 'signed-in') state.portalSession = answered.session;
    return answered;
  }

  /**
   * The failure of a sign-in that waits for a person, with how it continues where one is there. Without one, a password
   * that met the demand for an image met the guard.
   */
  needed(step: SignInStep, { asked, resume, last, password }: NeedsPerson, isThere: boolean): Failed {
    const { campus, state } = this.#requests;
    const isGuarded = password === 'guarded';
    if (isGuarded && !isThere) return failed(new Failure('sign-in-guarded', { step, reason: 'captcha' }));
    const half: HalfSignIn | undefined =
      !isThere || resume === '' || asked.kind === 'elsewhere'
        ? undefined
        : { step, asked, resume: packed(campus.addresses, state, resume), last, guarded: isGuarded };
    const wanted = asked.kind === 'elsewhere' ? asked.hint : asked.kind;
    const passwords = password === 'unsent' && step === 'portal' ? 'unsent' : undefined;
    return failed(new Failure('person-needed', { step, wanted, half, passwords }));
  }
}

/** Gives the pair of a student when a password is to be sent. */
export interface PairSource {
  /**
   * `early`: for the second time within minutes, because what the password opened then has ended already.
   * @throws Failure when there is none to send
   */
  pair(step: SignInStep, early: boolean): Promise<PasswordPair>;
}

export interface SignInPlan {
  /** The new sessions go here. */
  readonly session: StudentSession;
  /** Signs in at the portal at once; otherwise only when its session turns out to be dead. */
  readonly portal: boolean;
  readonly application: Application | null;
  readonly pairs: PairSource;
  /** The session of the application replaces a dead one. */
  readonly renews: boolean;
  /**
   * A submitted pair is verified: a service ticket of the application is enough, and its person is there to take a
   * step.
   */
  readonly verifies: boolean;
  /** The unified login has issued it already. */
  readonly issued?: ServiceTicket;
}

export interface SignedIn {
  readonly kind: 'signed-in';
  /** Whether a password was sent, and so accepted. */
  readonly passwordSent: boolean;
}

/** One pass over portal and application. Each of the two passwords is sent at most once. */
export class SignIn {
  readonly #requests: CampusRequests;
  readonly #steps: LoginSteps;
  readonly #plan: SignInPlan;
  /** A password may have left the service. */
  #left = false;
  #portalSent = false;
  #portalAccepted = false;
  #passwordSent = false;

  constructor(requests: CampusRequests, plan: SignInPlan) {
    this.#requests = requests;
    this.#steps = new LoginSteps(requests);
    this.#plan = plan;
  }

  /** @throws the reason of the signal */
  async run(): Promise<SignedIn | Failed> {
    const { observer } = this.#requests.campus;
    try {
      const outcome = await this.#run();
      observer?.signIn(outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind);
      return outcome;
    } catch (error) {
      // A caller who left says nothing of the campus.
      if (isFailure(error, 'timed-out')) observer?.signIn(error.kind);
      throw error;
    }
  }

  async #run(): Promise<SignedIn | Failed> {
    const { session, portal, application } = this.#plan;
    // Without a portal nothing is opened, and its session is always alive.
    if (this.#requests.campus.addresses.portalOrigin === null) session.state.portalSession = '';
    else if (portal) {
      const refused = await this.#signInAtPortal();
      if (refused) return this.#withPasswordFate(refused);
    }
    const failure = application === null ? null : await this.#open(application);
    return failure ?? { kind: 'signed-in', passwordSent: this.#passwordSent || this.#portalSent };
  }

  /** Opens the application, behind a portal session that may have to be opened first. */
  async #open(application: Application): Promise<Failed | null> {
    const { session, verifies, issued, renews } = this.#plan;
    const { state, userid } = session;
    const { clock } = this.#requests.campus;
    const request = { application, userid, credentials: () => this.#credentials(), verifies, issued };
    for (;;) {
      const opening = await new ApplicationOpening(this.#requests, request).run();
      if (opening.kind === 'failed') return this.#withPasswordFate(opening);
      if (opening.kind === 'needs-person') return this.#withPasswordFate(await this.#waits('unified-login', opening));
      if (opening.kind === 'opened') {
        session.applicationOpened(application, renews ? clock.now() : null);
        return null;
      }
      // The unified login has answered, which may be open to all: that does not verify an unverified pair.
      if (state.portalLogin.isUnstable(clock.now()) || (this.#portalSent && verifies)) {
        state.portalSession = null;
        state.portalLogin.report();
        return signInUnstable('portal');
      }
      if (this.#portalSent) {
        session.portalExpired(application);
        return signInFailed('unified-login', 'portal session dead at once');
      }
      const refused = await this.#signInAtPortal();
      if (refused) return this.#withPasswordFate(refused);
    }
  }

  /** Null: the portal has accepted its password. */
  async #signInAtPortal(): Promise<Failed | null> {
    const { session, pairs } = this.#plan;
    const { state, userid } = session;
    const { addresses, clock } = this.#requests.campus;
    this.#portalSent = true;
    const { vpnPassword } = await pairs.pair('portal', state.portalLogin.endsEarly(clock.now()));
    state.jars.clear(addresses.base('portal').origin);
    const call = new PortalCall(this.#requests);
    const outcome = await addresses.portal.signIn(call, { userid, password: vpnPassword });
    this.#left ||= call.hasPosted;
    if (outcome.kind === 'failed') return outcome;
    if (outcome.kind === 'needs-person') return this.#waits('portal', outcome);
    this.#portalAccepted = true;
    state.portalSession = outcome.session;
    state.isDear = false;
    state.portalLogin.accepted(clock.now());
    session.portalRenewed();
    return null;
  }

  /** Called when the page of the unified login appears. */
  async #credentials(): Promise<Credentials | Failed> {
    const { session, pairs } = this.#plan;
    const { unifiedLogin } = session.state;
    const now = this.#requests.campus.clock.now();
    if (this.#passwordSent || unifiedLogin.isUnstable(now)) {
      unifiedLogin.report();
      return signInUnstable('unified-login');
    }
    const { password } = await pairs.pair('unified-login', unifiedLogin.endsEarly(now));
    this.#passwordSent = true;
    this.#left = true;
    return { userid: session.userid, password };
  }

  /** An image is fetched only where a person is there to read it. */
  async #waits(step: SignInStep, needs: NeedsPerson): Promise<Failed> {
    const { verifies } = this.#plan;
    const isImage = needs.asked.kind === 'captcha' && needs.resume !== '';
    if (!verifies || !isImage) return this.#steps.needed(step, needs, verifies);
    const shown = await this.#steps.send(step, needs.resume, null);
    if (shown.kind === 'needs-person') return this.#steps.needed(step, { ...shown, password: needs.password }, true);
    return needs.password === 'guarded' ? this.#steps.needed(step, needs, false) : shown;
  }

  #withPasswordFate(outcome: Failed): Failed {
    if (outcome.failure.passwords !== undefined || outcome.failure.kind === 'person-needed') return outcome;
    if (!this.#left) return withPasswords(outcome, 'unsent');
    return this.#portalAccepted && !this.#passwordSent ? withPasswords(outcome, 'accepted') : outcome;
  }
}
