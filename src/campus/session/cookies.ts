import { Cookie, CookieJar, type SerializedCookie } from 'tough-cookie';
import type { Addresses } from '../contract/addresses.ts';
import type { Portal } from '../contract/portal.ts';
import { cookieName } from '../contract/sign-in.ts';
import type { Upstream } from '../contract/upstreams.ts';

/** Per origin. Some servers set a differently named cookie with every answer, and would refuse a header of them all. */
const MAX_COOKIES = 50;

const emptyJar = (): CookieJar => new CookieJar(undefined, { rejectPublicSuffixes: false });

/** Cookies that cannot be read, as another version of the library may have left them, count as none: a sign-in follows. */
const restoreJar = (text: string): CookieJar => {
  try {
    return CookieJar.deserializeSync(text);
  } catch {
    return emptyJar();
  }
};

const textOf = (jar: CookieJar): string | null => {
  const json = jar.toJSON();
  // One that a server has ended stays in the jar until somebody looks for it.
  const isAlive = (cookie: SerializedCookie): boolean => (Cookie.fromJSON(cookie)?.TTL() ?? 0) > 0;
  const alive = json?.cookies.filter(isAlive) ?? [];
  if (alive.length === 0) return null;
  // The time of the last use would make every call a write to storage.
  const cookies = alive.map(({ lastAccessed, ...cookie }) => cookie);
  return JSON.stringify({ ...json, cookies });
};

/** A full jar takes no new cookies: that of the session is among the first, and may be set again. */
const trimJar = (jar: CookieJar): CookieJar => {
  const json = jar.toJSON();
  if (!json || json.cookies.length <= MAX_COOKIES) return jar;
  return CookieJar.deserializeSync({ ...json, cookies: json.cookies.slice(0, MAX_COOKIES) });
};

interface OpenJar {
  readonly jar: CookieJar;
  /** Every live answer looks for something to seal, so the text is kept until a cookie comes. */
  text: string | null | undefined;
}

/**
 * Cookies of one student, one jar per origin: several upstreams use the name JSESSIONID, and cookie rules alone ignore
 * the port. The portal's own cookie never enters a jar, because it is added to every request and would be sent twice.
 */
export class CookieJars {
  /** A jar from storage stays text until it is needed: most students are idle. */
  readonly #jars = new Map<string, OpenJar | string>();
  readonly #portal: Pick<Portal, 'cookie' | 'ownsCookie'>;

  constructor(portal: Pick<Portal, 'cookie' | 'ownsCookie'>) {
    this.#portal = portal;
  }

  store(url: URL, setCookies: readonly string[]): void {
    const lines = setCookies.filter((line) => !this.#portal.ownsCookie(line));
    if (lines.length === 0) return;
    const { jar } = this.#open(url.origin);
    for (const line of lines) jar.setCookieSync(line, url.href, { ignoreError: true });
    this.#jars.set(url.origin, { jar: trimJar(jar), text: undefined });
  }

  /** `Cookie` header for a request, with that of the portal session last; empty when there is none. */
  header(url: URL, portalSession: string | null): string {
    const own = this.#jars.has(url.origin) ? this.#open(url.origin).jar.getCookieStringSync(url.href) : '';
    const portal = portalSession === null ? '' : this.#portal.cookie(portalSession);
    return own === '' || portal === '' ? own + portal : `${own}; ${portal}`;
  }

  has(url: URL, name: string): boolean {
    const own = this.#jars.has(url.origin) ? this.#open(url.origin).jar.getCookiesSync(url.href) : [];
    return own.some(({ key }) => key === name);
  }

  clear(origin: string): void {
    this.#jars.delete(origin);
  }

  /** JSON text of one origin's jar, null when it is empty. */
  export(origin: string): string | null {
    const stored = this.#jars.get(origin);
    if (stored === undefined || typeof stored === 'string') return stored ?? null;
    if (stored.text === undefined) stored.text = textOf(stored.jar);
    return stored.text;
  }

  import(origin: string, text: string): void {
    this.#jars.set(origin, text);
  }

  /** The jars of several origins as one text; null when they are all empty. */
  exportAll([base = '', ...further]: readonly string[]): string | null {
    const jar = this.export(base);
    const jars = further.map((origin) => this.export(origin));
    return jars.every((text) => text === null) ? jar : JSON.stringify([jar, ...jars]);
  }

  importAll(origins: readonly string[], jar: string): void {
    const jars: unknown = jar.startsWith('[') ? JSON.parse(jar) : [jar];
    if (!Array.isArray(jars)) return;
    for (const [at, origin] of origins.entries()) {
      const text: unknown = jars[at];
      if (typeof text === 'string') this.import(origin, text);
    }
  }

  #open(origin: string): OpenJar {
    const stored = this.#jars.get(origin);
    if (typeof stored === 'object') return stored;
    const made = { jar: stored === undefined ? emptyJar() : restoreJar(stored), text: undefined };
    this.#jars.set(origin, made);
    return made;
  }
}

type CookieAddresses = Pick<Addresses, 'trustedBy' | 'originsOf' | 'portal'>;

/**
 * The cookies by which a login knows a browser that has passed its step. They belong to a stored pair and not to a session,
 * which they outlive, so they have a jar and a sealed copy of their own. What is stored holds, over all replicas.
 */
export class DeviceTrust {
  readonly #addresses: CookieAddresses;
  /** Null while there is none: most students in memory are idle. */
  #jars: CookieJars | null = null;
  /** The places that have set it since it was last stored. */
  #changed: readonly Upstream[] = [];

  constructor(addresses: CookieAddresses) {
    this.#addresses = addresses;
  }

  /** Takes its own of the cookies that an answer sets, and returns the others. */
  take(url: URL, setCookies: readonly string[]): readonly string[] {
    return setCookies.filter((line) => {
      const place = this.#addresses.trustedBy(url, cookieName(line));
      if (place === null) return true;
      this.#open().store(url, [line]);
      this.#note(place);
      return false;
    });
  }

  /** For the `Cookie` header; empty when there is none. */
  header(url: URL): string {
    return this.#jars?.header(url, null) ?? '';
  }

  /** The text to store; null: it has ended. Undefined: it is stored as it is. */
  textToStore(place: Upstream): string | null | undefined {
    return this.#changed.includes(place) ? this.#textOf(place) : undefined;
  }

  /** It was stored so. */
  noteStored(place: Upstream, text: string | null): void {
    if (this.#textOf(place) === text) this.#changed = this.#changed.filter((other) => other !== place);
  }

  /** Takes over what is stored, in place of all but what was set since. */
  import(texts: ReadonlyMap<Upstream, string>): void {
    const own = this.#changed.flatMap((place) => {
      const text = this.#textOf(place);
      return text === null ? [] : [[place, text] as const];
    });
    this.#jars = null;
    for (const [place, text] of new Map([...texts, ...own])) this.#put(place, text);
  }

  /** The earlier half of this sign-in has set it. */
  resume(place: Upstream, text: string): void {
    this.#put(place, text);
    this.#note(place);
  }

  /** The session is not the student's any more, and another one may be of another pair. */
  drop(): void {
    this.#jars = null;
    this.#changed = [];
  }

  #note(place: Upstream): void {
    if (!this.#changed.includes(place)) this.#changed = [...this.#changed, place];
  }

  #put(place: Upstream, text: string): void {
    this.#open().importAll(this.#addresses.originsOf(place), text);
  }

  #open(): CookieJars {
    this.#jars ??= new CookieJars(this.#addresses.portal);
    return this.#jars;
  }

  #textOf(place: Upstream): string | null {
    return this.#jars?.exportAll(this.#addresses.originsOf(place)) ?? null;
  }
}
