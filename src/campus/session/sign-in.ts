import { type HalfSignIn, isChallengeKind } from '../../domain/accounts/challenges/ports.ts';
import type { PasswordPair, ProveOptions, UnattendedTurn } from '../../domain/accounts/ports.ts';
import { Failure, type SignInStep } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { AskPortal, NeedsPerson } from '../portal/portal.ts';
import { signInFailed, signInUnheld, withPasswords } from '../sign-in-failures.ts';
import type { Application } from '../upstreams.ts';
import { openApplication } from './open-application.ts';
import { type Campus, type RequestScope, sendAndCount } from './request-scope.ts';
import type { StudentState } from './student-state.ts';
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
  /** A person is there; left out: no one is. */
  readonly person?: ProveOptions['person'];
  /** Of the portal's password, where no one waits for it. */
  readonly turn?: UnattendedTurn;
}

/** The state of a sign-in that waits for a person, as text. */
const halfOf = (
  { addresses }: Campus,
  state: StudentState,
  needs: NeedsPerson,
  offered: SignInPlan['person'],
): HalfSignIn | undefined => {
  const { wanted, image, resume, password } = needs;
  if (offered === undefined || resume === null || !isChallengeKind(wanted)) return undefined;
  const jar = state.jars.export(addresses.base('vpn').origin);
  return {
    kind: wanted,
    step: 'portal',
    image,
    resume: JSON.stringify({ resume, jar }),
    guarded: password === 'guarded',
  };
};

export const personNeeded = (
  campus: Campus,
  state: StudentState,
  needs: NeedsPerson,
  offered: SignInPlan['person'],
): Failed =>
  failed(
    new Failure('person-needed', {
      step: 'portal',
      wanted: needs.wanted,
      half: halfOf(campus, state, needs, offered),
      ...(needs.password === 'unsent' ? { passwords: 'unsent' } : {}),
    }),
  );

/** Requests to the portal itself. */
export const portalAsk =
  (scope: RequestScope, sends: (method: 'GET' | 'POST') => void): AskPortal =>
  ({ method, path, form, session, image }) => {
    sends(method);
    return sendAndCount({ ...scope, portalSession: session }, 'vpn', {
      method,
      url: scope.campus.addresses.url('vpn', path),
      form,
      image,
      write: method === 'POST',
    });
  };

/** A sign-in has its own line: it must not wait behind the reads that wait for it. */
export const signInScope = (
  campus: Campus,
  state: StudentState,
  bounds: Pick<RequestScope, 'breakers' | 'budget'>,
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

/** One pass over portal and application. Each of the two passwords is sent at most once. */
export const signIn = async (
  campus: Campus,
  bounds: Pick<RequestScope, 'breakers' | 'budget'>,
  signal: AbortSignal,
  plan: SignInPlan,
): Promise<SignedIn | Failed> => {
  const { userid, state, application, pair, onlyVerify } = plan;
  const { addresses, clock } = campus;
  const scope = signInScope(campus, state, bounds, signal);
  /** A password may have left the service. */
  let left = false;
  let portalSent = false;
  let portalAccepted = false;
  let passwordSent = false;

  const logIn = async (): Promise<Failed | null> => {
    portalSent = true;
    const { vpnPassword } = await pair('portal', state.portalLogin.endsEarly(clock.now()));
    state.jars.clear(addresses.base('vpn').origin);
    const send = portalAsk(scope, (method) => {
      left ||= method === 'POST';
    });
    const ask: AskPortal = async (request) => {
      if (request.method === 'POST') await plan.turn?.begin();
      return send(request);
    };
    const outcome = await addresses.portal.logIn(ask, userid, vpnPassword, plan.person?.images);
    if (outcome.kind === 'failed') return outcome;
    if (outcome.kind === 'needs-person') return personNeeded(campus, state, outcome, plan.person);
    await plan.turn?.end();
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
    const opening = await openApplication(scope, { application, userid, credentials, onlyVerify });
    if (opening.kind === 'failed') return told(opening);
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
