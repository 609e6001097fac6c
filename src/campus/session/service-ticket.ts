import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure, type PersonalStep } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { Addresses } from '../addresses.ts';
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
import type { CampusRequests } from './campus-requests.ts';
import { isRedirect, judgePage, judgeRedirect } from './judge.ts';

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

/** Null: another version has written it. */
const halfIn = (resume: string): Half | null => {
  const half: unknown = JSON.parse(resume);
  return Value.Check(Half, half) ? half : null;
};

const imageNeeded = (half: Half, last: NeedsPerson['last'], password: NeedsPerson['password']): NeedsPerson => ({
  kind: 'needs-person',
  asked: { kind: 'captcha', image: null },
  resume: JSON.stringify(half),
  last,
  password,
});

/** Asks the unified login for service tickets, over the portal session of its requests. */
export class ServiceTickets {
  readonly #requests: CampusRequests;
  readonly #addresses: Addresses;

  constructor(requests: CampusRequests) {
    this.#requests = requests;
    this.#addresses = requests.campus.addresses;
  }

  /**
   * Obtains a ticket: by the ticket-granting cookie where it lives, else by the password, sent exactly once. Where the
   * login page shows an image, none is sent before a person has read it off. Fails with `credentials-refused`,
   * `sign-in-unavailable` or `timed-out` (all step `unified-login`).
   *
   * @param credentials asked for when the login page appears; fails when they may not be sent again
   */
  async obtain(
    service: string,
    credentials: () => Promise<Credentials | Failed>,
  ): Promise<ServiceTicket | PortalDead | NeedsPerson | Failed> {
    const requests = this.#requests;
    const url = this.#loginUrl(service);
    const opened = await beforeCredentials(
      STEP,
      () => requests.sendAndCount('unified-login', { method: 'GET', url }),
      (answer) => this.#readLogin(answer, url),
      (isKnown) => requests.countPage('unified-login', 'login', isKnown),
    );
    // The unified login lies behind the portal.
    if (opened.kind === 'login-page' || opened.kind === 'ticket') requests.state.portalLogin.answeredAt = this.#now();
    if (opened.kind !== 'login-page') return opened;
    if (opened.captcha !== null) return imageNeeded({ service, form: opened }, 'none', 'unsent');
    const pair = await credentials();
    return 'kind' in pair ? pair : this.#submit({ service, form: opened }, pair, null);
  }

  /** Fetches the image that a login waits for; asking again retires the one before. */
  async send(resume: string): Promise<NeedsPerson | Failed> {
    const half = halfIn(resume);
    if (half === null) return signInFailed(STEP, 'resume of another kind');
    const url = this.#addresses.resolve(half.form.captcha?.image ?? '', this.#loginUrl(half.service));
    if (url === null || url.origin !== this.#addresses.base('unified-login').origin) {
      return elsewhere('captcha', 'unsent');
    }
    const answer = await this.#requests.sendAndCount('unified-login', { method: 'GET', url, image: true });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    const image = answer.status === 200 ? imageOf(answer.bytes ?? new Uint8Array()) : null;
    if (image === null) return signInFailed(STEP, 'no image');
    return { ...imageNeeded(half, 'none', 'unsent'), asked: { kind: 'captcha', image } };
  }

  /** Continues a login with the characters that a person has read off its image. */
  async answer(resume: string, text: string, credentials: Credentials): Promise<ServiceTicket | NeedsPerson | Failed> {
    const half = halfIn(resume);
    return half === null ? signInFailed(STEP, 'resume of another kind') : this.#submit(half, credentials, text);
  }

  /** Sends the password, once. `image`: the characters of its image; null: the page showed none. */
  async #submit(
    { service, form }: Half,
    credentials: Credentials,
    image: string | null,
  ): Promise<ServiceTicket | NeedsPerson | Failed> {
    const requests = this.#requests;
    const url = this.#loginUrl(service);
    const fields = this.#addresses.login.fields(form, credentials, image ?? '');
    const answer = await requests.sendAndCount('unified-login', { method: 'POST', url, form: fields, write: true });
    if (answer.kind === 'no-answer') {
      const failure = signInUnanswered(STEP, answer);
      return image === null || mayHaveArrived(answer) ? failure : withPasswords(failure, 'unsent');
    }
    if (answer.status >= 500) return signInFailed(STEP, `status ${answer.status}`);
    const read = this.#ticketIn(answer, url) ?? this.#afterPassword(answer, service, image);
    requests.countPage('unified-login', 'password', read !== null);
    if (read?.kind === 'ticket') requests.state.unifiedLogin.accepted(this.#now());
    return read ?? signInUnread(STEP);
  }

  #now(): number {
    return this.#requests.campus.clock.now();
  }

  #loginUrl(service: string): URL {
    return this.#addresses.url('unified-login', `/login?service=${encodeURIComponent(service)}`);
  }

  /** Null for a page that is none of the login's. */
  #readLogin(answer: HttpAnswer, url: URL): ServiceTicket | PortalDead | LoginForm | NeedsPerson | Failed | null {
    const { login } = this.#addresses;
    const ticket = this.#ticketIn(answer, url);
    if (ticket) return ticket;
    if (this.#isPortalDead(answer, url)) return portalDead;
    if (answer.status !== 200) return null;
    const form = login.readForm(answer.text);
    const step = form === null ? login.stepIn(answer.text) : null;
    return step === null ? form : elsewhere(step, 'unsent');
  }

  /** The ticket in a redirect of the unified login; null when it carries none. */
  #ticketIn({ status, location }: HttpAnswer, from: URL): ServiceTicket | Failed | null {
    if (![301, 302, 303].includes(status) || !location?.includes('ticket=')) return null;
    const address = this.#addresses.resolve(location, from);
    if (!address || !this.#addresses.isConfigured(address)) return signInFailed(STEP, 'ticket for another host');
    return { kind: 'ticket', address };
  }

  #isPortalDead({ status, location, text }: HttpAnswer, from: URL): boolean {
    const addresses = this.#addresses;
    if (isRedirect(status)) {
      return judgeRedirect(addresses, 'unified-login', from, location).kind === 'portal-expired';
    }
    if (status !== 200) return false;
    const alive = (page: string): boolean => addresses.login.readForm(page) !== null;
    return judgePage(addresses, 'unified-login', text, { kind: 'page', alive }) === 'portal-expired';
  }

  /** Reads the page after a password that earned no ticket; null for a page that we do not know. */
  #afterPassword({ status, text }: HttpAnswer, service: string, image: string | null): NeedsPerson | Failed | null {
    const { login } = this.#addresses;
    if (isRedirect(status)) return null;
    const step = login.stepIn(text);
    if (step !== null) return elsewhere(step, 'accepted');
    // Before the image: the words for both may stand in the scripts of one page, and a refused password is never sent again.
    if (login.isRefusal(text)) return failed(new Failure('credentials-refused', { step: STEP }));
    const form = login.readForm(text);
    if (form === null || form.captcha === null) return null;
    if (image === null) return imageNeeded({ service, form }, 'none', 'guarded');
    return isMisread(text) ? imageNeeded({ service, form }, 'wrong', 'unsent') : null;
  }
}
