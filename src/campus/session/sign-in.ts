import type { PasswordPair } from '../../domain/accounts/ports.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { BreakerScope } from '../breaker.ts';
import type { AskPortal } from '../portal/portal.ts';
import { signInFailed, unsent } from '../sign-in-failures.ts';
import type { Application, Upstream } from '../upstreams.ts';
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
  /** The pair is asked for when a password is to be sent. @throws Failure when there is none to send */
  readonly pair: () => Promise<PasswordPair>;
  readonly onlyProve: boolean;
  readonly onPortal?: () => void;
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
  breakers: BreakerScope<Upstream>,
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
    breakers,
    // A line of its own: a sign-in must not wait behind the reads that wait for it.
    slots: new Semaphore(1, 8),
    signal,
  };
  /** A password may have left the service. */
  let left = false;
  let portalSent = false;
  let passwordSent = false;

  const logIn = async (): Promise<Failed | null> => {
    portalSent = true;
    const { vpnPassword } = await pair();
    state.jars.clear(addresses.bases.vpn.origin);
    const ask: AskPortal = ({ method, path, form, session }) => {
      left ||= method === 'POST';
      return sendAndCount({ ...scope, portalSession: session }, 'vpn', {
        method,
        url: addresses.url('vpn', path),
        form,
      });
    };
    const outcome = await addresses.portal.logIn(ask, userid, vpnPassword);
    if (outcome.kind === 'failed') return outcome;
    state.portalSession = outcome.session;
    state.portalProvenAt = clock.now();
    plan.onPortal?.();
    return null;
  };

  const credentials = async () => {
    if (passwordSent) return null;
    passwordSent = true;
    left = true;
    return { userid, password: (await pair()).password };
  };

  const told = (outcome: Failed): Failed => (left ? outcome : unsent(outcome));

  if (plan.portal) {
    const refused = await logIn();
    if (refused) return told(refused);
  }
  while (application !== null) {
    const opening = await openApplication(scope, { application, userid, credentials, onlyProve });
    if (opening.kind === 'failed') return told(opening);
    if (opening.kind === 'opened') break;
    if (portalSent) return signInFailed('unified-login', 'portal session dead at once');
    const refused = await logIn();
    if (refused) return told(refused);
  }
  if (application !== null) plan.onApplication?.();
  return { kind: 'signed-in', passwordSent: passwordSent || portalSent };
};
