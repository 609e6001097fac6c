import { Failure } from '../../domain/errors.ts';
import type { HttpAnswer } from '../http.ts';
import { isRedirect, judgePage, judgeRedirect } from '../session/expiry.ts';
import type { Traveller, Wire } from '../session/wire.ts';
import { repeatBeforeCredentials, signInFailure } from '../sign-in-failures.ts';
import { isRefusal, type LoginPage, parseLoginPage } from './login-page.ts';
import { encryptForUnifiedLogin } from './password-cipher.ts';

/** The portal session died on the way to the unified login. */
export class PortalSessionDead extends Error {
  constructor() {
    super('portal session is dead');
    this.name = 'PortalSessionDead';
  }
}

/** Credentials of the form are only asked for when the login page appears. */
export interface UnifiedLoginCredentials {
  readonly userid: string;
  readonly password: string;
}

const STEP = 'unified-login' as const;

/** The ticket's address in a redirect of the unified login, mapped; null when it carries no service ticket. */
const ticketAddress = (wire: Wire, answer: HttpAnswer, from: URL): URL | null => {
  if (![301, 302, 303].includes(answer.status) || !answer.location?.includes('ticket=')) return null;
  const target = wire.addresses.resolve(answer.location, from);
  if (!target || !wire.addresses.isConfigured(target)) {
    throw new Failure('sign-in-unavailable', { step: STEP, reason: 'ticket for another host' });
  }
  return target;
};

const portalSentUsAway = (wire: Wire, answer: HttpAnswer, from: URL): boolean => {
  if (isRedirect(answer.status))
    return judgeRedirect(wire.addresses, 'cas', from, answer.location).kind === 'portal-expired';
  if (answer.status !== 200) return false;
  return (
    judgePage(wire.addresses, 'cas', answer.text, { kind: 'page', alive: (text) => parseLoginPage(text) !== null }) ===
    'portal-expired'
  );
};

const openLoginPage = (wire: Wire, traveller: Traveller, url: URL): Promise<URL | LoginPage> =>
  repeatBeforeCredentials(traveller.signal, async () => {
    const answer = await wire.send('cas', traveller, { method: 'GET', url });
    const address = ticketAddress(wire, answer, url);
    if (address) return address;
    if (portalSentUsAway(wire, answer, url)) throw new PortalSessionDead();
    const page = answer.status === 200 ? parseLoginPage(answer.text) : null;
    if (!page) throw new Failure('sign-in-unavailable', { step: STEP, reason: 'malformed' });
    return page;
  });

/**
 * Obtains a service ticket: by the ticket-granting cookie where it lives, else by the password, sent exactly once.
 * @returns the mapped address at which the service redeems its ticket
 * @throws PortalSessionDead before any credential was sent; Failure `credentials-refused`, `sign-in-unavailable`,
 *   `timed-out` (all step `unified-login`)
 */
export const obtainServiceTicket = async (
  wire: Wire,
  traveller: Traveller,
  service: string,
  credentials: () => Promise<UnifiedLoginCredentials>,
): Promise<URL> => {
  try {
    const url = wire.addresses.url('cas', `/login?service=${encodeURIComponent(service)}`);
    const page = await openLoginPage(wire, traveller, url);
    if (page instanceof URL) return page;
    const { userid, password } = await credentials();
    const form = [
      ['username', userid],
      ['password', encryptForUnifiedLogin(password, page.lt)],
      ['lt', page.lt],
      ['execution', page.execution],
      ['_eventId', 'submit'],
      ['submit', 'LOGIN'],
    ] as const;
    const answer = await wire.send('cas', traveller, { method: 'POST', url, form });
    const address = ticketAddress(wire, answer, url);
    if (address) return address;
    if (!isRedirect(answer.status) && answer.status < 500 && isRefusal(answer.text)) {
      throw new Failure('credentials-refused', { step: STEP });
    }
    throw new Failure('sign-in-unavailable', { step: STEP, reason: 'unknown answer' });
  } catch (error) {
    if (error instanceof PortalSessionDead) throw error;
    if (traveller.signal.aborted && error === traveller.signal.reason) throw error;
    throw signInFailure(STEP, error);
  }
};
