import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { SignInStep } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { AskPortal } from '../portal/portal.ts';
import { signInFailed, signInUnheld, withPasswords } from '../sign-in-failures.ts';
import type { Application } from '../upstreams.ts';
import { openApplication } from './open-application.ts';
import { type Campus, type RequestScope, sendAndCount } from './request-scope.ts';
import type { StudentState } from './student-state.ts';
import type { Failed } from './verdict.ts';

export interface SignInPlan {
  readonly userid: string;
  /** What is signed in, and where the new sessions go. */
  readonly state: StudentState;
  /** Whether the portal is logged in to at once; otherwise only when its session turns out to be dead. */
  readonly portal: boolean;
  readonly application: Application | null;
  /**
   * The pair is asked for when a password is to be sent; `early`: for the second time within minutes, because what it
   * opened then is over already. @throws Failure when there is none to send
   */
  readonly pair: (step: SignInStep, early: boolean) => Promise<PasswordPair>;
  readonly onlyProve: boolean;
  readonly onPortal?: () => void;
  /** The new portal session is dead at the application. */
  readonly onPortalDead?: () => void;
  readonly onApplication?: () => void;
}

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
  const { userid, state, application, pair, onlyProve } = plan;
  const { addresses, clock } = campus;
  const scope: RequestScope = {
    campus,
    state,
    get portalSession() {
      return state.portalSession;
    },
    session: null,
    ...bounds,
    // A line of its own: a sign-in must not wait behind the reads that wait for it.
    slots: new Semaphore(1, 8),
    signal,
  };
  /** A password may have left the service. */
  let left = false;
  let portalSent = false;
  let portalAccepted = false;
  let passwordSent = false;

  const logIn = async (): Promise<Failed | null> => {
    portalSent = true;
    const { vpnPassword } = await pair('portal', state.portalLogin.endsEarly(clock.now()));
    state.jars.clear(addresses.base('vpn').origin);
    const ask: AskPortal = ({ method, path, form, session }) => {
      left ||= method === 'POST';
      return sendAndCount({ ...scope, portalSession: session }, 'vpn', {
        method,
        url: addresses.url('vpn', path),
        form,
        write: method === 'POST',
      });
    };
    const outcome = await addresses.portal.logIn(ask, userid, vpnPassword);
    if (outcome.kind === 'failed') return outcome;
    portalAccepted = true;
    state.portalSession = outcome.session;
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

  // Without a portal nothing has to be opened, and every session of it is alive.
  if (addresses.portalOrigin === null) state.portalSession = '';
  else if (plan.portal) {
    const refused = await logIn();
    if (refused) return told(refused);
  }
  while (application !== null) {
    const opening = await openApplication(scope, { application, userid, credentials, onlyProve });
    if (opening.kind === 'failed') return told(opening);
    if (opening.kind === 'opened') break;
    // What has answered is the unified login, which may be open to all: that is no proof for a pair nobody has proven.
    if (state.portalLogin.isUnheld(clock.now()) || (portalSent && onlyProve)) {
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
