import type { SignInStep } from '../../domain/errors.ts';
import type { SignInPlace } from '../contract/addresses.ts';
import type {
  AskCredentials,
  Credentials,
  NeedsPerson,
  SignedIn,
  SignInAnswer,
  SignInCall,
  SignInRequest,
} from '../contract/sign-in.ts';
import { isRedirect, unknownResume } from '../contract/sign-in.ts';
import { type Failed, signInFailed, withSystem } from '../contract/sign-in-failures.ts';
import type { Application } from '../contract/upstreams.ts';
import type { HttpAnswer, Unanswered } from '../transport/http.ts';
import type { CampusRequests } from './campus-requests.ts';
import { type AnswerVerdict, judgeRedirect, type Redirected } from './judge.ts';

/** The portal session died before any credential was sent. */
export const portalDead = { kind: 'portal-dead' } as const;
export type PortalDead = typeof portalDead;

/** `address`: where the service redeems the ticket of a unified login; null: the place issues none. */
export interface Signed extends Pick<SignedIn, 'kind' | 'session' | 'memo'> {
  readonly address: URL | null;
}

/** A conversation at the place that takes one of the two passwords. */
export class PlaceCall implements SignInCall {
  readonly now: number;
  readonly userid: string;
  readonly step: SignInStep;
  readonly service: string | null;
  readonly renews: boolean;
  /** A password may have left the service. */
  hasPosted = false;
  readonly #requests: CampusRequests;
  readonly #place: SignInPlace | null;
  #hasCredentials = false;
  #isPortalDead = false;
  #asked: URL | undefined;

  constructor(
    requests: CampusRequests,
    step: SignInStep,
    userid: string,
    { service = null, renews = false }: Partial<Pick<SignInCall, 'service' | 'renews'>> = {},
  ) {
    const { clock, addresses } = requests.campus;
    this.now = clock.now();
    this.userid = userid;
    this.step = step;
    this.service = service;
    this.renews = renews;
    this.#requests = requests;
    this.#place = addresses.place(step);
    requests.reach(step);
  }

  async signIn(credentials: AskCredentials): Promise<Signed | PortalDead | NeedsPerson | Failed> {
    if (this.#place === null) return unknownResume(this.step);
    const answer = await this.#place.signIn.signIn(this, async () => {
      this.#noteAnswer();
      const pair = await credentials();
      this.#hasCredentials ||= !('kind' in pair);
      return pair;
    });
    return this.#isPortalDead ? portalDead : this.#settle(answer);
  }

  async send(resume: object, target: number | null): Promise<NeedsPerson | Failed> {
    const sent = await this.#place?.signIn.send?.(this, resume, target);
    if (sent === undefined) return unknownResume(this.step);
    return sent.kind === 'failed' ? this.#nameFailure(sent) : sent;
  }

  async answer(resume: object, text: string, credentials: Credentials): Promise<Signed | NeedsPerson | Failed> {
    this.#hasCredentials = true;
    const answer = await this.#place?.signIn.answer?.(this, resume, text, credentials);
    return answer === undefined ? unknownResume(this.step) : this.#settle(answer);
  }

  async ask({ path, at, session, ...request }: SignInRequest): Promise<HttpAnswer | Unanswered> {
    const { addresses } = this.#requests.campus;
    const { upstream } = this.#findPlace();
    const write = request.method === 'POST';
    this.hasPosted ||= write && this.#hasCredentials;
    const url = typeof path === 'string' ? addresses.url(upstream, path, at) : path;
    this.#asked = url;
    const sent = { ...request, url, write, portalSession: session, toPlace: true };
    const answer = await this.#requests.sendAndCount(upstream, sent);
    if (answer.kind === 'no-answer' || !this.#showsPortal(answer, url)) return answer;
    this.#isPortalDead = true;
    return { kind: 'no-answer', fault: 'portal-dead' };
  }

  locate(reference: string, from = ''): URL | null {
    const { addresses } = this.#requests.campus;
    const { upstream } = this.#findPlace();
    const url = addresses.resolve(reference, addresses.url(upstream, from));
    return url !== null && addresses.originsOf(upstream).includes(url.origin) ? url : null;
  }

  leadsBack(location = '', from = ''): URL | null {
    const { addresses } = this.#requests.campus;
    const { upstream } = this.#findPlace();
    const base = addresses.base(upstream);
    const target = this.locate(location, from) ?? this.#losesItsWay(location, from);
    const isShared = addresses.applicationNames.some(
      (name) => name !== upstream && addresses.base(name).origin === base.origin,
    );
    return target && (!isShared || `${target.pathname}/`.startsWith(`${base.pathname}/`)) ? target : null;
  }

  /** A place behind a proxy of the campus may forget its scheme or port. */
  #losesItsWay(location: string, from: string): URL | null {
    const { addresses } = this.#requests.campus;
    const { upstream } = this.#findPlace();
    const { hostname, origin } = addresses.base(upstream);
    const target = URL.parse(location, addresses.url(upstream, from).href);
    const isLost =
      target?.hostname === hostname && /^https?:$/.test(target.protocol) && !addresses.isConfigured(target);
    if (!isLost || addresses.isPortalLogin(location, target)) return null;
    return new URL(target.pathname + target.search, origin);
  }

  saw(page: string, isKnown: boolean): void {
    this.#requests.countPage(this.#findPlace().upstream, page, isKnown);
  }

  #findPlace(): SignInPlace {
    if (this.#place === null) throw new Error(`no place takes the password of ${this.step}`);
    return this.#place;
  }

  /** The place lies behind the portal, so the portal session is alive. */
  #noteAnswer(): void {
    const { campus, state } = this.#requests;
    if (this.step !== 'portal') state.portalLogin.answeredAt = campus.clock.now();
  }

  #showsPortal({ status, location, text }: HttpAnswer, url: URL): boolean {
    if (this.step === 'portal' || this.hasPosted) return false;
    const { addresses } = this.#requests.campus;
    const { upstream } = this.#findPlace();
    if (isRedirect(status)) {
      if (location?.includes('ticket=')) return false;
      return judgeRedirect(addresses, upstream, url, location).kind === 'portal-expired';
    }
    return status === 200 && addresses.portal.isLoginPage(text) && !addresses.showsLogin(upstream, text);
  }

  #settle(answer: SignInAnswer): Signed | NeedsPerson | Failed {
    if (answer.kind === 'failed') return this.#nameFailure(answer);
    if (answer.kind === 'needs-person') {
      if (answer.resume !== null) this.#noteAnswer();
      return answer;
    }
    const { kind, session, memo, ticket } = answer;
    let address: URL | null = null;
    if (ticket !== undefined) {
      const { addresses } = this.#requests.campus;
      address = addresses.resolve(ticket, this.#asked ?? addresses.base(this.#findPlace().upstream));
      if (!address || !addresses.isConfigured(address)) return signInFailed(this.step, 'ticket for another host');
    }
    this.#noteAnswer();
    // A place that knows the student by other means lets him in whatever the password is.
    if (this.renews && !this.#hasCredentials) return signInFailed(this.step, 'ticket without a password');
    const { unifiedLogin } = this.#requests.state;
    if (this.step !== 'portal' && this.#hasCredentials) unifiedLogin.accept(this.#requests.campus.clock.now());
    return { kind, session, memo, address };
  }

  /** A failure at an application's own login names the application as well. */
  #nameFailure(answer: Failed): Failed {
    const { system } = this.#findPlace();
    return system === null ? answer : withSystem(answer, system);
  }
}

/**
 * A page of an application has redirected to the unified login, which hands out a ticket for it while its own session
 * lives. No password is sent for that: where it has ended, so has the session of the application.
 */
export const withPageTicket = async (
  requests: CampusRequests & { readonly userid: string },
  application: Application,
  dead: Extract<AnswerVerdict, { kind: 'dead' }>,
): Promise<AnswerVerdict | Redirected> => {
  const { service } = dead;
  if (service === null || requests.state.jarOf('unified-login') === null) return dead;
  const call = new PlaceCall(requests, 'unified-login', requests.userid, { service });
  const signed = await call.signIn(() => Promise.resolve(signInFailed('unified-login', 'its session has ended')));
  const target = signed.kind === 'signed-in' ? signed.address : null;
  const isOwn = target !== null && requests.campus.addresses.originsOf(application).includes(target.origin);
  return isOwn ? { kind: 'follow', target } : dead;
};
