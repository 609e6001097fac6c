import { Type } from '@sinclair/typebox';
import type { RecordOf } from '../../domain/record.ts';
import {
  type Credentials,
  elsewhere,
  halfOf,
  imageAsked,
  LoginForm,
  type NeedsPerson,
  needsPerson,
  unknownResume,
} from '../contract/portal.ts';
import {
  beforeCredentials,
  type Failed,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  withPasswords,
  withWords,
} from '../contract/sign-in-failures.ts';
import type { HttpAnswer } from '../transport/http.ts';
import type { Addresses } from './addresses.ts';
import { type AfterPassword, readAfterPassword, readRedirectInside } from './after-password.ts';
import type { CampusRequests } from './campus-requests.ts';
import { isRedirect, judgeRedirect } from './judge.ts';

const STEP = 'unified-login' as const;

export interface ServiceTicket {
  readonly kind: 'ticket';
  /** Address, as the portal maps it, at which the service redeems the ticket. */
  readonly address: URL;
}

/** The portal session died before any credential was sent. */
export const portalDead = { kind: 'portal-dead' } as const;
export type PortalDead = typeof portalDead;

/** It waits for a person, so its pair is one to be proven. */
const Half = Type.Object({ service: Type.String(), form: LoginForm });
type Half = RecordOf<typeof Half>;

const imageNeeded = (half: Half, last: NeedsPerson['last'], password: NeedsPerson['password']): NeedsPerson =>
  needsPerson({ kind: 'captcha', image: null }, half, password, last);

/** Obtains service tickets of the unified login. */
export class ServiceTickets {
  readonly #requests: CampusRequests;
  readonly #addresses: Addresses;

  constructor(requests: CampusRequests) {
    this.#requests = requests;
    this.#addresses = requests.campus.addresses;
  }

  /**
   * Obtains a ticket by the ticket-granting cookie while it lives, else by the password, which is sent exactly once,
   * and never where the page shows an image. `proves`: by the password alone, because a login that knows the student by
   * other means hands out tickets whatever the password is. `credentials` fails when they may not be sent again. Fails
   * with `credentials-refused`, `sign-in-unavailable` or `timed-out` (all step `unified-login`).
   */
  async obtain(
    service: string,
    credentials: () => Promise<Credentials | Failed>,
    { proves }: { readonly proves: boolean },
  ): Promise<ServiceTicket | PortalDead | NeedsPerson | Failed> {
    const requests = this.#requests;
    const url = this.#loginUrl(service, proves);
    const opened = await beforeCredentials(
      STEP,
      () => requests.sendAndCount('unified-login', { method: 'GET', url }),
      (answer) => this.#readLogin(answer, url),
      (isKnown) => requests.countPage('unified-login', 'login', isKnown),
    );
    // The unified login is reached through the portal, so the portal session is alive.
    if (opened.kind === 'login-page' || opened.kind === 'ticket') requests.state.portalLogin.answeredAt = this.#now();
    if (opened.kind === 'ticket' && proves) return signInFailed(STEP, 'ticket without a password');
    if (opened.kind !== 'login-page') return opened;
    if (opened.captcha !== null) return imageNeeded({ service, form: opened }, 'none', 'unsent');
    const pair = await credentials();
    return 'kind' in pair ? pair : this.#submit(url, { service, form: opened }, pair, null);
  }

  /** Fetches the image that a login waits for, which replaces an earlier one. */
  async send(resume: string): Promise<NeedsPerson | Failed> {
    const half = halfOf(Half, resume);
    if (half === null) return unknownResume(STEP);
    const url = this.#addresses.resolve(half.form.captcha?.image ?? '', this.#loginUrl(half.service, true));
    if (url === null || url.origin !== this.#addresses.base('unified-login').origin) {
      return elsewhere('captcha', 'unsent');
    }
    const answer = await this.#requests.sendAndCount('unified-login', { method: 'GET', url, image: true });
    const asked = imageAsked(STEP, answer);
    return asked.kind === 'failed' ? asked : needsPerson(asked, half, 'unsent');
  }

  async answer(resume: string, text: string, credentials: Credentials): Promise<ServiceTicket | NeedsPerson | Failed> {
    const half = halfOf(Half, resume);
    return half === null
      ? unknownResume(STEP)
      : this.#submit(this.#loginUrl(half.service, true), half, credentials, text);
  }

  /** Sends the password, once. `image`: the characters that a person has read; null: the page showed no image. */
  async #submit(
    url: URL,
    { service, form }: Half,
    credentials: Credentials,
    image: string | null,
  ): Promise<ServiceTicket | NeedsPerson | Failed> {
    const requests = this.#requests;
    const fields = this.#addresses.login.fields(form, credentials, image ?? '');
    const answer = await requests.sendAndCount('unified-login', { method: 'POST', url, form: fields, write: true });
    if (answer.kind === 'no-answer') {
      const failure = signInUnanswered(STEP, answer);
      return image === null || mayHaveArrived(answer) ? failure : withPasswords(failure, 'unsent');
    }
    if (answer.status >= 500) return signInFailed(STEP, `status ${answer.status}`);
    const read = this.#ticketIn(answer, url) ?? this.#afterPassword(answer, url, { service, form }, image);
    requests.countPage('unified-login', 'password', read.kind !== 'unread');
    if (read.kind === 'ticket') requests.state.unifiedLogin.accepted(this.#now());
    return read.kind === 'unread' ? withWords(signInUnread(STEP), read.words) : read;
  }

  #now(): number {
    return this.#requests.campus.clock.now();
  }

  /** `renews`: it asks for the password, even where it knows the student. */
  #loginUrl(service: string, renews: boolean): URL {
    const renew = renews ? '&renew=true' : '';
    return this.#addresses.url('unified-login', `/login?service=${encodeURIComponent(service)}${renew}`);
  }

  /** Returns null for a page that is not one of the login's. */
  #readLogin(answer: HttpAnswer, url: URL): ServiceTicket | PortalDead | LoginForm | NeedsPerson | Failed | null {
    const { login } = this.#addresses;
    const ticket = this.#ticketIn(answer, url);
    if (ticket) return ticket;
    if (this.#isPortalDead(answer, url)) return portalDead;
    if (answer.status !== 200) return null;
    const cipher = login.unknownCipher(answer.text);
    if (cipher !== null)
      return withPasswords(signInFailed(STEP, `password wanted by an unknown cipher: ${cipher}`), 'unsent');
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
    return status === 200 && addresses.login.readForm(text) === null && addresses.portal.isLoginPage(text);
  }

  /** Reads the answer to a password that earned no ticket. */
  #afterPassword(
    answer: HttpAnswer,
    from: URL,
    { service, form: before }: Half,
    image: string | null,
  ): Exclude<AfterPassword, 'image'> {
    const { status, location, text } = answer;
    if (isRedirect(status)) {
      const target = this.#isPortalDead(answer, from) ? null : this.#addresses.resolve(location ?? '', from);
      const step = target !== null && this.#staysIn(target) ? readRedirectInside(target, from.pathname) : null;
      return step ?? { kind: 'unread', words: '' };
    }
    const { standing } = before;
    const read = readAfterPassword(text, this.#addresses.login, standing);
    if (read !== 'image' && read.kind !== 'unread') return read;
    const form = this.#addresses.login.readForm(text);
    // An image that was not there before is wanted, whatever the page says.
    if (form !== null && form.captcha !== null && (image === null || read === 'image')) {
      const half = { service, form: { ...form, standing } };
      return image === null ? imageNeeded(half, 'none', 'guarded') : imageNeeded(half, 'wrong', 'unsent');
    }
    return read === 'image' ? elsewhere('captcha', 'guarded') : read;
  }

  /** The unified login goes on there; other systems may have its host, but then not its path. */
  #staysIn(target: URL): boolean {
    const { origin } = this.#addresses.base('unified-login');
    const isShared = this.#addresses.applicationNames.some((name) => this.#addresses.base(name).origin === origin);
    return isShared ? this.#addresses.isUnifiedLogin(target) : target.origin === origin;
  }
}
