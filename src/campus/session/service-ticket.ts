import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure, type PersonalStep } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { HttpAnswer } from '../http.ts';
import { imageOf, isMisread } from '../parsing/captcha.ts';
import type { Credentials, NeedsPerson } from '../portal/portal.ts';
import { LoginForm } from '../portal/unified-login.ts';
import {
  beforeCredentials,
  type Failed,
  failed,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  withPasswords,
} from '../sign-in-failures.ts';
import { isRedirect, judgePage, judgeRedirect } from './judge.ts';
import { countPage, type RequestScope, sendAndCount } from './upstream-session.ts';

const STEP = 'unified-login' as const;

export interface ServiceTicket {
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
  if (isRedirect(status))
    return judgeRedirect(campus.addresses, 'unified-login', from, location).kind === 'portal-expired';
  if (status !== 200) return false;
  const alive = (page: string): boolean => campus.addresses.login.readForm(page) !== null;
  return judgePage(campus.addresses, 'unified-login', text, { kind: 'page', alive }) === 'portal-expired';
};

const loginUrl = ({ campus }: RequestScope, service: string): URL =>
  campus.addresses.url('unified-login', `/login?service=${encodeURIComponent(service)}`);

/** A step that is named and cannot be taken here. */
const elsewhere = (hint: PersonalStep, password: NeedsPerson['password']): NeedsPerson => ({
  kind: 'needs-person',
  asked: { kind: 'elsewhere', hint },
  resume: '',
  last: 'none',
  password,
});

const Half = Type.Object({ service: Type.String(), form: LoginForm });
type Half = RecordOf<typeof Half>;

const imageNeeded = (half: Half, last: NeedsPerson['last'], password: NeedsPerson['password']): NeedsPerson => ({
  kind: 'needs-person',
  asked: { kind: 'captcha', image: null },
  resume: JSON.stringify(half),
  last,
  password,
});

/** Reads the page after a password that earned no ticket; null for a page that we do not know. */
const afterPassword = (
  { campus }: RequestScope,
  { status, text }: HttpAnswer,
  service: string,
  image: string | null,
): NeedsPerson | Failed | null => {
  const { login } = campus.addresses;
  if (isRedirect(status)) return null;
  const step = login.stepIn(text);
  if (step !== null) return elsewhere(step, 'accepted');
  // Before the image: the words for both may stand in the scripts of one page, and a refused password is never sent again.
  if (login.isRefusal(text)) return failed(new Failure('credentials-refused', { step: STEP }));
  const form = login.readForm(text);
  if (form === null || form.captcha === null) return null;
  if (image === null) return imageNeeded({ service, form }, 'none', 'guarded');
  return isMisread(text) ? imageNeeded({ service, form }, 'wrong', 'unsent') : null;
};

/** Sends the password, once. `image`: the characters that a person has read off; null: the page showed none. */
const submit = async (
  scope: RequestScope,
  { service, form }: Half,
  credentials: Credentials,
  image: string | null,
): Promise<ServiceTicket | NeedsPerson | Failed> => {
  const { login } = scope.campus.addresses;
  const url = loginUrl(scope, service);
  const fields = login.fields(form, credentials, image ?? '');
  const answer = await sendAndCount(scope, 'unified-login', { method: 'POST', url, form: fields, write: true });
  if (answer.kind === 'no-answer') {
    const failure = signInUnanswered(STEP, answer);
    return image === null || mayHaveArrived(answer) ? failure : withPasswords(failure, 'unsent');
  }
  if (answer.status >= 500) return signInFailed(STEP, `status ${answer.status}`);
  const read = ticketIn(scope, answer, url) ?? afterPassword(scope, answer, service, image);
  countPage(scope, 'unified-login', 'password', read !== null);
  return read ?? signInUnread(STEP);
};

/**
 * Obtains a service ticket: by the ticket-granting cookie where it lives, else by the password, sent exactly once.
 * Where the login page shows an image, none is sent before a person has read it off. Fails with `credentials-refused`,
 * `sign-in-unavailable` or `timed-out` (all step `unified-login`).
 *
 * @param credentials asked for when the login page appears; fails when they may not be sent again
 */
export const obtainServiceTicket = async (
  scope: RequestScope,
  service: string,
  credentials: () => Promise<Credentials | Failed>,
): Promise<ServiceTicket | PortalDead | NeedsPerson | Failed> => {
  const { clock, addresses } = scope.campus;
  const { login } = addresses;
  const now = (): number => clock.now();
  const url = loginUrl(scope, service);
  const opened = await beforeCredentials(
    STEP,
    () => sendAndCount(scope, 'unified-login', { method: 'GET', url }),
    (answer) => {
      const ticket = ticketIn(scope, answer, url);
      if (ticket) return ticket;
      if (isPortalDead(scope, answer, url)) return portalDead;
      if (answer.status !== 200) return null;
      const form = login.readForm(answer.text);
      const step = form === null ? login.stepIn(answer.text) : null;
      return step === null ? form : elsewhere(step, 'unsent');
    },
    (isKnown) => countPage(scope, 'unified-login', 'login', isKnown),
  );
  // Any answer of it comes from behind the portal.
  if (opened.kind === 'login-page' || opened.kind === 'ticket') scope.state.portalLogin.provenAt = now();
  if (opened.kind !== 'login-page') return opened;
  if (opened.captcha !== null) return imageNeeded({ service, form: opened }, 'none', 'unsent');
  const pair = await credentials();
  if ('kind' in pair) return pair;
  const ticket = await submit(scope, { service, form: opened }, pair, null);
  if (ticket.kind === 'ticket') scope.state.unifiedLogin.accepted(now());
  return ticket;
};

/** How a login continues that waits for the characters of an image. */
export const resumeServiceTicket = {
  /** Fetches the image; asking again retires the one before. */
  async send(scope: RequestScope, resume: string): Promise<NeedsPerson | Failed> {
    const half: unknown = JSON.parse(resume);
    if (!Value.Check(Half, half)) return signInFailed(STEP, 'resume of another kind');
    const { addresses } = scope.campus;
    const url = addresses.resolve(half.form.captcha?.image ?? '', loginUrl(scope, half.service));
    if (url === null || url.origin !== addresses.base('unified-login').origin) return elsewhere('captcha', 'unsent');
    const answer = await sendAndCount(scope, 'unified-login', { method: 'GET', url, image: true });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    const image = answer.status === 200 ? imageOf(answer.bytes ?? new Uint8Array()) : null;
    if (image === null) return signInFailed(STEP, 'no image');
    return { ...imageNeeded(half, 'none', 'unsent'), asked: { kind: 'captcha', image } };
  },
  async answer(
    scope: RequestScope,
    resume: string,
    text: string,
    credentials: Credentials,
  ): Promise<ServiceTicket | NeedsPerson | Failed> {
    const half: unknown = JSON.parse(resume);
    if (!Value.Check(Half, half)) return signInFailed(STEP, 'resume of another kind');
    const ticket = await submit(scope, half, credentials, text);
    if (ticket.kind === 'ticket') scope.state.unifiedLogin.accepted(scope.campus.clock.now());
    return ticket;
  },
};
