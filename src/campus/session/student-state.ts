import type { SessionPiece } from '../../domain/accounts/ports.ts';
import { isRecord } from '../../lib/text.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { Addresses, SignInPlace } from '../contract/addresses.ts';
import type { Memo } from '../contract/upstream-session.ts';
import type { Application, Upstream } from '../contract/upstreams.ts';
import { CookieJars, DeviceTrust } from './cookies.ts';

const MEMO_VALUE_LENGTH = 8_192;

export class SessionMemo implements Memo {
  /** Null while there is none: most students in memory are idle. */
  #values: Map<string, string> | null = null;

  get(key: string): string | undefined {
    return this.#values?.get(key);
  }

  set(key: string, value: string): void {
    if (value.length > MEMO_VALUE_LENGTH) return;
    this.#values ??= new Map();
    this.#values.set(key, value);
  }

  drop(key: string, stale: string): void {
    if (this.get(key) === stale) this.#values?.delete(key);
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(this.#values ?? []);
  }
}

export interface ApplicationState {
  readonly application: Application;
  /** Null if its row needs no ticket. */
  ticket: string | null;
  /** The service that it asked the unified login for; null: it did not say. */
  service: string | null;
  readonly memo: SessionMemo;
  /** Epoch ms of the last live answer. */
  usedAt: number;
  /** Epoch ms at which this session replaced a dead one; 0 when it is the first. */
  renewedAt: number;
}

/** A login that asks again so soon after it accepted the password, before anything has answered, is unstable. */
const MUST_HOLD_MS = 60_000;
/** A session that ended so soon after its last answer ended early. */
const EARLY_MS = 240_000;

/** Epoch ms at which one of the two logins accepted its password, and something behind it last answered; 0: not yet. */
class LoginTimes {
  acceptedAt = 0;
  answeredAt = 0;
  /** An unstable session is reported once. */
  #reported = false;

  accept(now: number): void {
    this.acceptedAt = now;
    this.answeredAt = 0;
    this.#reported = false;
  }

  /** The login asks for the password that it has just accepted. */
  isUnstable(now: number): boolean {
    return !this.#reported && this.acceptedAt > 0 && this.answeredAt === 0 && now - this.acceptedAt < MUST_HOLD_MS;
  }

  get lastAt(): number {
    return Math.max(this.acceptedAt, this.answeredAt);
  }

  /** A session that has ended now would have ended early. */
  endsEarly(now: number): boolean {
    return !this.#reported && this.lastAt > 0 && now - this.lastAt < EARLY_MS;
  }

  /** When the session was opened that has answered minutes later; 0: it has not. */
  get heldFrom(): number {
    return this.answeredAt - this.acceptedAt >= EARLY_MS ? this.acceptedAt : 0;
  }

  report(): void {
    this.#reported = true;
  }
}

const storedTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Exact enough to judge an age of minutes, and no write per call. */
const byMinute = (epochMs: number): number => Math.floor(epochMs / MINUTE_MS) * MINUTE_MS;

/** All upstream state of one student: portal session, cookies per origin, application sessions and tickets. */
export class StudentState {
  readonly jars: CookieJars;
  readonly trust: DeviceTrust;
  readonly applications = new Map<Application, ApplicationState>();
  portalSession: string | null = null;
  /** It was found dead and could not be renewed. */
  hasEnded = false;
  /** A person has taken a step for it, so an unclear answer does not end it. */
  isDear = false;
  readonly portalLogin = new LoginTimes();
  /** Behind it are the applications that it issues tickets for. */
  readonly unifiedLogin = new LoginTimes();
  readonly #addresses: Addresses;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
    this.jars = new CookieJars(addresses.portal);
    this.trust = new DeviceTrust(addresses);
  }

  keepCookies(url: URL, setCookies: readonly string[]): void {
    this.jars.store(url, this.trust.take(url, setCookies));
  }

  open(
    application: Application,
    usedAt: number,
    { ticket = null, service = null }: Partial<Pick<ApplicationState, 'ticket' | 'service'>> = {},
  ): ApplicationState {
    const state: ApplicationState = { application, ticket, service, memo: new SessionMemo(), usedAt, renewedAt: 0 };
    this.applications.set(application, state);
    return state;
  }

  /** Each changes at its own rate, and is sealed when it does. */
  pieces(): SessionPiece[] {
    const pieces: SessionPiece[] = [];
    for (const system of ['portal', 'unified-login', ...this.applications.keys()]) {
      const state = this.export(system);
      const trust = this.trust.textToStore(system);
      if (trust !== undefined) pieces.push({ system, state: state ?? '', trust });
      else if (state !== null) pieces.push({ system, state });
    }
    return pieces;
  }

  /** JSON text of one piece; null: there is nothing worth sealing. */
  export(piece: Upstream): string | null {
    if (piece === 'portal') {
      const { sealedAs } = this.#addresses.portal;
      return this.portalSession === null
        ? null
        : JSON.stringify({
            [sealedAs]: this.portalSession,
            acceptedAt: this.portalLogin.acceptedAt,
            provenAt: byMinute(this.portalLogin.answeredAt),
            loginAcceptedAt: this.unifiedLogin.acceptedAt,
            loginProvenAt: byMinute(this.unifiedLogin.answeredAt),
            ...(this.hasEnded ? { ended: true } : {}),
            ...(this.isDear ? { dear: true, jar: this.jarOf('portal') } : {}),
          });
    }
    if (piece === 'unified-login') return this.jarOf('unified-login');
    const state = this.applications.get(piece);
    if (!state || !this.#addresses.application(piece).sealed) return null;
    return JSON.stringify({
      ticket: state.ticket,
      service: state.service,
      memo: state.memo,
      usedAt: byMinute(state.usedAt),
      renewedAt: state.renewedAt,
      jar: this.jarOf(piece),
    });
  }

  /** Takes over a piece that was sealed, by any process. */
  import(piece: Upstream, text: string): void {
    // It was stored for its trust alone.
    if (text === '') return;
    if (piece === 'unified-login') {
      this.importJar(piece, text);
      return;
    }
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return;
    if (piece === 'portal') {
      this.portalSession = storedTextOrNull(value[this.#addresses.portal.sealedAs]);
      this.portalLogin.acceptedAt = numberOr(value.acceptedAt, 0);
      this.portalLogin.answeredAt = numberOr(value.provenAt, 0);
      this.unifiedLogin.acceptedAt = numberOr(value.loginAcceptedAt, 0);
      this.unifiedLogin.answeredAt = numberOr(value.loginProvenAt, 0);
      this.hasEnded = value.ended === true;
      this.isDear = value.dear === true;
      this.importJar(piece, value.jar);
      return;
    }
    // Another configuration may have sealed it.
    if (!this.#addresses.applicationNames.includes(piece)) return;
    const service = storedTextOrNull(value.service);
    const state = this.open(piece, numberOr(value.usedAt, 0), { ticket: storedTextOrNull(value.ticket), service });
    state.renewedAt = numberOr(value.renewedAt, 0);
    for (const [key, text] of Object.entries(isRecord(value.memo) ? value.memo : {})) {
      if (typeof text === 'string') state.memo.set(key, text);
    }
    this.importJar(piece, value.jar);
  }

  /** The cookies of one upstream as text; null: there are none, or this campus has no such upstream. */
  jarOf(upstream: Upstream): string | null {
    return this.jars.exportAll(this.#addresses.originsOf(upstream));
  }

  importJar(upstream: Upstream, jar: unknown): void {
    if (typeof jar === 'string') this.jars.importAll(this.#addresses.originsOf(upstream), jar);
  }

  /** Whether the application cannot be opened without a new login at the place. */
  needsLogin(application: Application, place: SignInPlace): boolean {
    const { entry } = this.#addresses.application(application);
    if (place.application !== null) return entry.kind === 'own-login';
    if (entry.kind === 'direct') return false;
    const isOpenToAll = entry.kind === 'learned-service' && entry.entrance === undefined;
    const isVisit = isOpenToAll && (this.applications.get(application)?.service ?? null) === null;
    return !isVisit && this.jarOf(place.upstream) === null;
  }

  /** Drops the cookies of one upstream. */
  clear(upstream: Upstream): void {
    for (const origin of this.#addresses.originsOf(upstream)) this.jars.clear(origin);
  }
}
