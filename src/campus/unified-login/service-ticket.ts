import { Failure, type PersonalStep } from '../../domain/errors.ts';
import type { HttpAnswer } from '../http.ts';
import { isRedirect, judgePage, judgeRedirect } from '../session/expiry.ts';
import { type RequestScope, sendAndCount } from '../session/request-scope.ts';
import { type Failed, failed } from '../session/verdict.ts';
import { beforeCredentials, signInFailed, signInUnanswered, signInUnread } from '../sign-in-failures.ts';
import type { LoginForm, UnifiedLoginCredentials } from './unified-login.ts';

const STEP = 'unified-login' as const;

interface ServiceTicket {
  readonly kind: 'ticket';
  /** Where the service redeems it, mapped. */
  readonly address: URL;
}

/** The portal session died before; no credential was sent. */
export interface PortalDead {
  readonly kind: 'portal-dead';
}

export const portalDead: PortalDead = { kind: 'portal-dead' };

/** The ticket in a redirect of the unified login; null when it carries none. */
const ticketIn = ({ campus }: RequestScope, answer: HttpAnswer, from: URL): ServiceTicket | Failed | null => {
  if (![301, 302, 303].includes(answer.status) || !answer.location?.includes('ticket=')) return null;
  const address = campus.addresses.resolve(answer.location, from);
  if (!address || !campus.addresses.isConfigured(address)) return signInFailed(STEP, 'ticket for another host');
  return { kind: 'ticket', address };
};

const isPortalDead = ({ campus }: RequestScope, { status, location, text }: HttpAnswer, from: URL): boolean => {
  if (isRedirect(status)) return judgeRedirect(campus.addresses, 'cas', from, location).kind === 'portal-expired';
  if (status !== 200) return false;
  const alive = (page: string): boolean => campus.addresses.login.readForm(page) !== null;
  return judgePage(campus.addresses, 'cas', text, { kind: 'page', alive }) === 'portal-expired';
};

/** It is named, and cannot be taken here. */
const personNeeded = (wanted: PersonalStep): Failed => failed(new Failure('person-needed', { step: STEP, wanted }));

const submit = async (
  scope: RequestScope,
  url: URL,
  page: LoginForm,
  credentials: UnifiedLoginCredentials,
): Promise<ServiceTicket | Failed> => {
  const { login } = scope.campus.addresses;
  const form = page.fields(credentials);
  const answer = await sendAndCount(scope, 'cas', { method: 'POST', url, form, write: true });
  if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
  const ticket = ticketIn(scope, answer, url);
  if (ticket) return ticket;
  if (!isRedirect(answer.status) && answer.status < 500) {
    const wanted = login.stepIn(answer.text);
    if (wanted !== null) return personNeeded(wanted);
    if (login.isRefusal(answer.text)) return failed(new Failure('credentials-refused', { step: STEP }));
  }
  return answer.status < 500 ? signInUnread(STEP) : signInFailed(STEP, `status ${answer.status}`);
};

/**
 * Obtains a service ticket: by the ticket-granting cookie where it lives, else by the password, sent exactly once.
 * Fails with `credentials-refused`, `person-needed`, `sign-in-unavailable` or `timed-out` (all step `unified-login`).
 *
 * @param credentials asked for when the login page appears; fails when they may not be sent again
 */
export const obtainServiceTicket = async (
  scope: RequestScope,
  service: string,
  credentials: () => Promise<UnifiedLoginCredentials | Failed>,
): Promise<ServiceTicket | PortalDead | Failed> => {
  const { clock, addresses } = scope.campus;
  const { login } = addresses;
  const now = (): number => clock.now();
  const url = addresses.url('cas', `/login?service=${encodeURIComponent(service)}`);
  const opened = await beforeCredentials(
    STEP,
    () => sendAndCount(scope, 'cas', { method: 'GET', url }),
    (answer) => {
      const ticket = ticketIn(scope, answer, url);
      if (ticket) return ticket;
      if (isPortalDead(scope, answer, url)) return portalDead;
      if (answer.status !== 200) return null;
      const form = login.readForm(answer.text);
      const wanted = form === null ? login.stepIn(answer.text) : null;
      return wanted === null ? form : personNeeded(wanted);
    },
  );
  // Any answer of it comes from behind the portal.
  if (opened.kind === 'login-page' || opened.kind === 'ticket') scope.state.portalLogin.provenAt = now();
  if (opened.kind !== 'login-page') return opened;
  const pair = await credentials();
  if ('kind' in pair) return pair;
  const ticket = await submit(scope, url, opened, pair);
  if (ticket.kind === 'ticket') scope.state.unifiedLogin.accepted(now());
  return ticket;
};
