import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import { failures, isFailure, passwordFateOf, type SignInStep } from '../../domain/errors.ts';
import { isRecord } from '../../lib/text.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { Credentials, NeedsPerson } from '../contract/sign-in.ts';
import { type Failed, fail, signInFailed, signInUnstable, withPasswords } from '../contract/sign-in-failures.ts';
import type { Application, Upstream } from '../contract/upstreams.ts';
import type { CampusRequests } from './campus-requests.ts';
import { ApplicationOpening } from './open-application.ts';
import { PlaceCall, type Signed } from './place-call.ts';
import type { StudentSession } from './session-cache.ts';
import { StudentState } from './student-state.ts';

const loginOf = (addresses: Addresses): Upstream => addresses.place('unified-login')?.upstream ?? 'unified-login';

/** Writes down a sign-in that waits for a person, for any process. */
const pack = (addresses: Addresses, state: StudentState, resume: object): HalfSignIn['resume'] => {
  const login = loginOf(addresses);
  return {
    resume,
    session: state.portalSession,
    portal: state.jarOf('portal'),
    login: state.jarOf(login),
    trust: { portal: state.trust.textToStore('portal'), [login]: state.trust.textToStore(login) },
  };
};

/** Reads it back; null: it cannot be read. */
export const unpackHalf = (
  addresses: Addresses,
  half: HalfSignIn['resume'],
): { readonly state: StudentState; readonly resume: object } | null => {
  if (!isRecord(half.resume)) return null;
  const state = new StudentState(addresses);
  state.importJar('portal', half.portal);
  state.importJar(loginOf(addresses), half.login);
  if (typeof half.session === 'string') state.portalSession = half.session;
  for (const [place, trust] of Object.entries(isRecord(half.trust) ? half.trust : {})) {
    if (typeof trust === 'string') state.trust.resume(place, trust);
  }
  return { state, resume: half.resume };
};

const passwordOf = ({ password, vpnPassword }: PasswordPair): Readonly<Record<SignInStep, string>> => ({
  portal: vpnPassword,
  'unified-login': password,
});

/** Whoever is there for a step has submitted the pair. */
const proving = { renews: true } as const;

/** Asks for a code or an image at the login that waits for a person. */
export const sendStep = (
  requests: CampusRequests,
  step: SignInStep,
  resume: object,
  userid: string,
  target: number | null,
): Promise<NeedsPerson | Failed> => new PlaceCall(requests, step, userid, proving).send(resume, target);

/** Sends the person's answer, and puts a portal's session into the state. */
export const answerStep = async (
  requests: CampusRequests,
  step: SignInStep,
  resume: object,
  text: string,
  userid: string,
  pair: PasswordPair,
): Promise<Signed | Failed> => {
  const { state, campus } = requests;
  const password = passwordOf(pair)[step];
  // The portal has let the student in, or will have with this answer; a login behind it then answers.
  state.portalLogin.accept(campus.clock.now());
  const answered = await new PlaceCall(requests, step, userid, proving).answer(resume, text, { userid, password });
  if (answered.kind === 'needs-person') return personNeededFailure(requests, step, answered, true);
  if (answered.kind === 'failed') return answered;
  if (answered.session !== undefined) state.portalSession = answered.session;
  state.isDear = true;
  return answered;
};

/** Without a person, a captcha demanded for a password counts as a guarded sign-in. */
export const personNeededFailure = (
  { campus, state }: CampusRequests,
  step: SignInStep,
  { asked, resume, last, password }: NeedsPerson,
  isThere: boolean,
): Failed => {
  const isGuarded = password === 'guarded';
  if (isGuarded && !isThere) return fail(failures.signInGuarded(step, 'captcha'));
  const half: HalfSignIn | undefined =
    !isThere || resume === null || asked.kind === 'elsewhere'
      ? undefined
      : { step, asked, resume: pack(campus.addresses, state, resume), last, guarded: isGuarded };
  const wanted = asked.kind === 'elsewhere' ? asked.hint : asked.kind;
  // Nothing goes out before the password of the first place; in front of another one the portal's has been accepted.
  const passwords = password === 'unsent' && step === campus.addresses.firstStep ? 'unsent' : undefined;
  return fail(failures.personNeeded(step, undefined, { wanted, half, passwords }));
};

const imageNeeded = (step: SignInStep): Failed =>
  fail(failures.personNeeded(step, 'attended campus', { wanted: 'captcha', passwords: 'unsent' }));

export interface PairSource {
  /** `early`: the session of the last password has ended within minutes. @throws Failure when there is none to send */
  pair(step: SignInStep, early: boolean): Promise<PasswordPair>;
}

export interface SignInPlan {
  readonly session: StudentSession;
  /** False: the portal is asked only when its session turns out to be dead. */
  readonly portal: boolean;
  /** The portal takes no second password of one call. */
  readonly portalRenewed?: boolean;
  readonly application: Application | null;
  readonly pairs: PairSource;
  /** The new session of the application replaces a dead one. */
  readonly renews: boolean;
  /** Only verifies the pair, and a person is there to take a step. */
  readonly verifies: boolean;
  /** The place of the password has signed the student in already. */
  readonly signed?: Signed;
}

export interface CompletedSignIn {
  readonly kind: 'signed-in';
  /** A password was sent, and accepted. */
  readonly passwordSent: boolean;
}

/** Signs in at the portal and an application. Each of the two passwords is sent at most once. */
export class CampusSignIn {
  readonly #requests: CampusRequests;
  readonly #plan: SignInPlan;
  /** A password may have left the service. */
  #left = false;
  #portalSent = false;
  #portalAccepted = false;
  #passwordSent = false;

  constructor(requests: CampusRequests, plan: SignInPlan) {
    this.#requests = requests;
    this.#plan = plan;
  }

  /** @throws the reason of the signal */
  async run(): Promise<CompletedSignIn | Failed> {
    const attended = this.#needsPersonFirst();
    if (attended !== null) return attended;
    const { observer } = this.#requests.campus;
    try {
      const outcome = await this.#run();
      observer?.signIn(outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind);
      return outcome;
    } catch (error) {
      // When the caller left, that says nothing about the campus.
      if (isFailure(error, 'timed-out')) observer?.signIn(error.kind);
      throw error;
    }
  }

  /** Where every login shows an image, nothing is begun that would end at one. */
  #needsPersonFirst(): Failed | null {
    const { session, portal, application, verifies } = this.#plan;
    const { addresses } = this.#requests.campus;
    const [step] = addresses.attended;
    if (verifies || step === undefined) return null;
    if (portal && addresses.place('portal') !== null) return imageNeeded(step);
    const place = addresses.attended.includes('unified-login') ? addresses.place('unified-login') : null;
    if (place === null || application === null) return null;
    return session.state.needsLogin(application, place) ? imageNeeded('unified-login') : null;
  }

  async #run(): Promise<CompletedSignIn | Failed> {
    const { session, portal, application } = this.#plan;
    // A campus without a portal always counts as signed in there.
    if (this.#requests.campus.addresses.place('portal') === null) session.state.portalSession = '';
    else if (portal) {
      const refused = await this.#signInAtPortal();
      if (refused) return this.#withPasswordFate(refused);
    }
    const failure = application === null ? null : await this.#open(application);
    return failure ?? { kind: 'signed-in', passwordSent: this.#passwordSent || this.#portalSent };
  }

  /** Opens the application, and the portal first where its session is dead. */
  async #open(application: Application): Promise<Failed | null> {
    const { session, verifies, signed, renews } = this.#plan;
    const { state, userid } = session;
    const { clock } = this.#requests.campus;
    const request = { application, userid, credentials: () => this.#credentials(), verifies, signed };
    for (;;) {
      const opening = await new ApplicationOpening(this.#requests, request).run();
      if (opening.kind === 'failed') return this.#withPasswordFate(opening);
      if (opening.kind === 'needs-person') return this.#withPasswordFate(await this.#waits('unified-login', opening));
      if (opening.kind === 'opened') {
        const replaced = renews ? state.applications.get(application) : undefined;
        if (replaced) replaced.renewedAt = clock.now();
        session.applicationRenewed(application);
        return null;
      }
      // The unified login has answered, which may be open to all, so the pair is still unverified.
      if (state.portalLogin.isUnstable(clock.now()) || (this.#portalSent && verifies)) {
        state.portalSession = null;
        state.portalLogin.report();
        return signInUnstable('portal');
      }
      if (this.#portalSent || this.#plan.portalRenewed) {
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
    const { clock, addresses } = this.#requests.campus;
    const [attended] = addresses.attended;
    if (attended !== undefined && !this.#plan.verifies) return imageNeeded(attended);
    this.#portalSent = true;
    const { vpnPassword } = await pairs.pair('portal', state.portalLogin.endsEarly(clock.now()));
    state.clear('portal');
    const call = new PlaceCall(this.#requests, 'portal', userid);
    const outcome = await call.signIn(() => Promise.resolve({ userid, password: vpnPassword }));
    this.#left ||= call.hasPosted;
    if (outcome.kind === 'failed') return outcome;
    if (outcome.kind === 'portal-dead') return signInFailed('portal', outcome.kind);
    if (outcome.kind === 'needs-person') return this.#waits('portal', outcome);
    this.#portalAccepted = true;
    state.portalSession = outcome.session ?? '';
    state.isDear = false;
    state.portalLogin.accept(clock.now());
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

  /** Fetches an image only where a person is there to read it. */
  async #waits(step: SignInStep, needs: NeedsPerson): Promise<Failed> {
    const { verifies } = this.#plan;
    const { addresses } = this.#requests.campus;
    // Its cookies have ended. Without them nothing is asked there again until a person comes.
    if (!verifies && addresses.attended.includes(step)) {
      this.#plan.session.state.clear(addresses.place(step)?.upstream ?? step);
    }
    const { asked, resume, password } = needs;
    if (!verifies || asked.kind !== 'captcha' || resume === null) {
      return personNeededFailure(this.#requests, step, needs, verifies);
    }
    const shown = await sendStep(this.#requests, step, resume, this.#plan.session.userid, null);
    if (shown.kind === 'needs-person') return personNeededFailure(this.#requests, step, { ...shown, password }, true);
    return password === 'guarded' ? personNeededFailure(this.#requests, step, needs, false) : shown;
  }

  #withPasswordFate(outcome: Failed): Failed {
    if (passwordFateOf(outcome.failure) !== undefined || outcome.failure.kind === 'person-needed') return outcome;
    // A place may refuse a student id before it takes the password, which is a refusal all the same.
    if (outcome.failure.kind === 'credentials-refused') return outcome;
    if (!this.#left) return withPasswords(outcome, 'unsent');
    return this.#portalAccepted && !this.#passwordSent ? withPasswords(outcome, 'accepted') : outcome;
  }
}
