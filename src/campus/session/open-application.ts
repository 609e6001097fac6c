import { failureOf } from '../../domain/errors.ts';
import type { Addresses } from '../contract/addresses.ts';
import { type AskCredentials, isRedirect, type NeedsPerson } from '../contract/sign-in.ts';
import { type Failed, fail, signInFailed, signInUnanswered } from '../contract/sign-in-failures.ts';
import type { Application, Landing, SessionEntry } from '../contract/upstreams.ts';
import type { HttpAnswer } from '../transport/http.ts';
import type { CampusRequests } from './campus-requests.ts';
import { applicationTicketIn, judgeRedirect, losesItsWay, type RedirectVerdict } from './judge.ts';
import { PlaceCall, type PortalDead, portalDead, type Signed } from './place-call.ts';
import type { StudentState } from './student-state.ts';

const STEP = 'unified-login' as const;
const HOPS = 10;
/** From a ticket to the landing of its application. */
const LANDING_HOPS = 5;

interface Opened {
  readonly kind: 'opened';
}
const opened: Opened = { kind: 'opened' };

interface Redeemed extends Opened {
  readonly answer?: HttpAnswer;
  /** What the page behind the ticket handed out. */
  readonly memo?: Readonly<Record<string, string>>;
}

type LostAs = 'ticket-unavailable' | 'upstream-unavailable';

type OpeningOutcome = Opened | PortalDead | NeedsPerson | Failed;

interface OpeningRequest {
  readonly application: Application;
  readonly userid: string;
  /** Called when the login page appears; fails when they may not be sent again. */
  readonly credentials: AskCredentials;
  /** Only verifies the pair: a service ticket is enough, even if the application behind it is down. */
  readonly verifies: boolean;
  /** The place of the password has signed the student in already. */
  readonly signed?: Signed | undefined;
}

/** Opens the session of one application over a live portal session, and stores it in the student's state. */
export class ApplicationOpening {
  readonly #requests: CampusRequests;
  readonly #addresses: Addresses;
  readonly #state: StudentState;
  readonly #request: OpeningRequest;
  readonly #application: Application;

  constructor(requests: CampusRequests, request: OpeningRequest) {
    this.#requests = requests;
    this.#addresses = requests.campus.addresses;
    this.#state = requests.state;
    this.#request = request;
    this.#application = request.application;
  }

  /** Fails as `obtain` of a service ticket does, or with `ticket-unavailable` or `upstream-unavailable`. */
  async run(): Promise<OpeningOutcome> {
    const { entry } = this.#addresses.application(this.#application);
    switch (entry.kind) {
      case 'service-ticket':
        return this.#enter(this.#addresses.service(this.#application), { landing: entry.landing });
      case 'learned-service': {
        if (this.#request.verifies && entry.entrance !== undefined) return this.#enterByEntrance(entry.entrance);
        // The first visit goes without a session: its redirect names the service that the application wants.
        const service = this.#state.applications.get(this.#application)?.service ?? null;
        return service === null ? this.#noteOpened({ service }) : this.#enter(service, { service });
      }
      case 'entrance':
        return this.#enterByEntrance(entry.path);
      case 'own-login':
        return this.#signInHere();
      case 'ticket-walk':
        return this.#walk(entry.mark);
      case 'direct':
        return this.#enterDirectly(entry);
    }
  }

  #isOwn({ origin }: URL): boolean {
    return this.#addresses.originsOf(this.#application).includes(origin);
  }

  #now(): number {
    return this.#requests.campus.clock.now();
  }

  /** The password, or a live session at its place, has earned it. */
  async #signIn(service: string | null): Promise<Signed | PortalDead | NeedsPerson | Failed> {
    const { userid, credentials, signed, verifies } = this.#request;
    const wanted = { service, renews: verifies };
    return signed ?? new PlaceCall(this.#requests, STEP, userid, wanted).signIn(credentials);
  }

  #noteOpened(from: { ticket?: string; service?: string | null } = {}): Opened {
    this.#state.open(this.#application, this.#now(), from);
    return opened;
  }

  async #enter(
    service: string,
    { landing, ...from }: { service?: string; landing?: Landing | undefined } = {},
  ): Promise<OpeningOutcome> {
    const signed = await this.#signIn(service);
    if (signed.kind !== 'signed-in') return signed;
    const { address } = signed;
    if (address === null) return signInFailed(STEP, 'no ticket');
    const redeemed = await this.#redeem(address);
    const landed =
      redeemed.kind === 'opened' && redeemed.answer !== undefined && landing !== undefined
        ? await this.#land(redeemed.answer, address, landing)
        : redeemed;
    if (landed.kind === 'opened') {
      this.#state.unifiedLogin.answeredAt = this.#now();
      this.#noteOpened(from);
      this.#keep(landed.memo);
      return opened;
    }
    if (!this.#request.verifies || landed.kind === 'portal-dead') return landed;
    this.#state.jars.clear(address.origin);
    return opened;
  }

  async #enterByEntrance(path: string): Promise<OpeningOutcome> {
    const { verifies, signed } = this.#request;
    if (verifies && signed !== undefined) return opened;
    const asked = await this.#serviceAt(path);
    if (asked.kind !== 'service') return asked;
    if (!verifies) return this.#enter(asked.service);
    // A ticket verifies the password, and nothing behind it is opened. One for another host would verify nothing.
    const there = this.#addresses.resolve(asked.service, this.#addresses.base(this.#application));
    if (there === null || !this.#isOwn(there)) {
      return this.#failLost('upstream-unavailable', 'service of another host');
    }
    const outcome = await this.#signIn(asked.service);
    return outcome.kind === 'signed-in' ? opened : outcome;
  }

  async #signInHere(): Promise<OpeningOutcome> {
    if (this.#request.signed === undefined) this.#state.clear(this.#application);
    const signed = await this.#signIn(null);
    if (signed.kind !== 'signed-in') return signed;
    // Nothing has answered behind a portal but this login, and it has.
    this.#state.portalLogin.answeredAt = this.#now();
    const done = this.#noteOpened();
    this.#keep(signed.memo);
    return done;
  }

  #keep(handedOut: Readonly<Record<string, string>> = {}): void {
    const memo = this.#state.applications.get(this.#application)?.memo;
    for (const [key, value] of Object.entries(handedOut)) memo?.set(key, value);
  }

  /** Redeems a service ticket. The answer sets the session cookie and leads into the application. */
  async #redeem(address: URL): Promise<Redeemed | PortalDead | Failed> {
    const application = this.#application;
    const { jars } = this.#state;
    if (!this.#isOwn(address)) {
      return signInFailed(STEP, 'ticket for another application');
    }
    jars.clear(address.origin);
    const answer = await this.#get(address);
    if (answer.kind !== 'answer') return answer;
    const redeemed = { ...opened, answer };
    if (isRedirect(answer.status)) {
      const isOpen =
        jars.export(address.origin) !== null && losesItsWay(this.#addresses, application, answer.location, address);
      const { kind } = judgeRedirect(this.#addresses, application, address, answer.location);
      if (kind === 'portal-expired' && !isOpen) return portalDead;
      if (kind === 'follow' || isOpen) return this.#atEntrance(answer, redeemed);
    } else if (answer.status === 200 && jars.export(address.origin) !== null) {
      return this.#atEntrance(answer, redeemed);
    }
    return this.#atEntrance(answer, signInFailed(STEP, 'service ticket not accepted'));
  }

  /** Follows the redirects behind a ticket to the page that shows whose session it is. */
  async #land(redeemed: HttpAnswer, from: URL, { path, read }: Landing): Promise<Redeemed | PortalDead | Failed> {
    let [answer, url] = [redeemed, from];
    for (let hop = 0; hop <= LANDING_HOPS; hop += 1) {
      if (!isRedirect(answer.status)) {
        const memo = answer.status === 200 && path.test(url.pathname) ? read(answer.text, this.#request.userid) : null;
        return this.#atEntrance(answer, memo === null ? signInFailed(STEP, 'landing not known') : { ...opened, memo });
      }
      const redirect = judgeRedirect(this.#addresses, this.#application, url, answer.location);
      if (redirect.kind === 'portal-expired') return portalDead;
      const target = redirect.kind === 'follow' ? redirect.target : this.#atOwnOrigin(answer.location, url);
      if (target === null) break;
      const next = await this.#get(target);
      if (next.kind !== 'answer') return next;
      [answer, url] = [next, target];
    }
    return this.#atEntrance(answer, signInFailed(STEP, 'ticket leads to no session'));
  }

  /** Where a redirect leads that has lost its way; null: it has not, or leads to a login. */
  #atOwnOrigin(location: string | undefined, from: URL): URL | null {
    const isLost = losesItsWay(this.#addresses, this.#application, location, from);
    const target = isLost ? URL.parse(location ?? '', from.href) : null;
    return target && new URL(target.pathname + target.search, this.#addresses.base(this.#application).origin);
  }

  /** Follows a service ticket up to the redirect with the application's own ticket. */
  async #walk(mark: string): Promise<OpeningOutcome> {
    const service = this.#addresses.service(this.#application);
    const signed = await this.#signIn(service);
    if (signed.kind !== 'signed-in') return signed;
    if (signed.address === null) return signInFailed(STEP, 'no ticket');
    return this.#follow(signed.address, { lostAs: 'ticket-unavailable', slow: false }, (location) => {
      if (!location.includes(mark)) return null;
      const ticket = applicationTicketIn(location, mark);
      if (ticket === null) return this.#failLost('ticket-unavailable', 'no ticket in the last redirect');
      this.#state.unifiedLogin.answeredAt = this.#now();
      return this.#noteOpened({ ticket });
    });
  }

  /** Follows the entrance of the application up to the redirect that names the service. */
  #serviceAt(path: string) {
    const url = this.#addresses.url(this.#application, path);
    this.#state.jars.clear(url.origin);
    return this.#follow(url, { lostAs: 'upstream-unavailable', slow: true }, (_, redirect) => {
      if (redirect.kind === 'application-expired' && redirect.service !== null) {
        return { kind: 'service', service: redirect.service } as const;
      }
      const leaves = redirect.kind === 'follow' && !this.#isOwn(redirect.target);
      return leaves ? this.#failLost('upstream-unavailable', redirect.kind) : null;
    });
  }

  /** Follows redirects until `read` knows one; null: it leads on. */
  async #follow<T extends { readonly kind: string }>(
    start: URL,
    { lostAs, slow }: { readonly lostAs: LostAs; readonly slow: boolean },
    read: (location: string, redirect: RedirectVerdict) => T | Failed | null,
  ): Promise<T | PortalDead | Failed> {
    const application = this.#application;
    let url = start;
    for (let hop = 0; hop < HOPS; hop += 1) {
      const answer = await this.#get(url, slow);
      if (answer.kind !== 'answer') return answer;
      const failLost = (reason: string): Failed => this.#atEntrance(answer, this.#failLost(lostAs, reason));
      if (!isRedirect(answer.status)) return failLost(`status ${answer.status}`);
      const redirect = judgeRedirect(this.#addresses, application, url, answer.location);
      const found = read(answer.location ?? '', redirect);
      if (found !== null) return this.#atEntrance(answer, found);
      if (redirect.kind === 'portal-expired') return portalDead;
      if (redirect.kind !== 'follow') return failLost(redirect.kind);
      url = redirect.target;
    }
    return this.#failLost(lostAs, 'too many redirects');
  }

  /** Sends one request, without the unified login, and reads its redirect instead of following it. */
  async #enterDirectly(entry: Extract<SessionEntry, { kind: 'direct' }>): Promise<OpeningOutcome> {
    const addresses = this.#addresses;
    const { jars, portalLogin } = this.#state;
    const url = addresses.url(this.#application, entry.path(this.#request.userid));
    jars.clear(url.origin);
    const answer = await this.#get(url);
    if (answer.kind !== 'answer') return answer;
    const notCreated = () => this.#atEntrance(answer, this.#failLost('upstream-unavailable', 'session not created'));
    if (!isRedirect(answer.status)) return notCreated();
    const location = answer.location ?? '';
    const target = addresses.resolve(location, url);
    if (addresses.isPortalLogin(location, target)) return portalDead;
    if (target && addresses.isUnifiedLogin(target)) return notCreated();
    // A cookie is a session wherever the redirect leads; without one, the address must be that of the home page.
    const id = entry.idIn(location);
    if (id !== null && !jars.has(url, entry.cookie)) jars.store(url, [`${entry.cookie}=${id}; Path=/`]);
    if (!jars.has(url, entry.cookie)) return notCreated();
    portalLogin.answeredAt = this.#now();
    return this.#atEntrance(answer, this.#noteOpened());
  }

  #failLost(kind: LostAs, reason: string): Failed {
    return fail(failureOf(kind, { system: this.#addresses.application(this.#application).system, reason }));
  }

  /** Counts the page, unless the server is down, and returns the outcome. */
  #atEntrance<T extends { readonly kind: string }>({ status }: HttpAnswer, outcome: T): T {
    if (status < 500) this.#requests.countPage(this.#application, 'entrance', outcome.kind !== 'failed');
    return outcome;
  }

  /** One request. A login page of the portal says that its session is dead. */
  async #get(url: URL, slow = false): Promise<HttpAnswer | PortalDead | Failed> {
    const answer = await this.#requests.sendAndCount(this.#application, { method: 'GET', url, slow });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    return answer.status === 200 && this.#addresses.portal.isLoginPage(answer.text) ? portalDead : answer;
  }
}
