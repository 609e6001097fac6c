import { CookieJar } from 'tough-cookie';
import type { Portal } from '../portal/portal.ts';

const MAX_COOKIES_PER_ANSWER = 50;
const MAX_COOKIE_LENGTH = 8_192;
/** Of one origin. Some servers name a new one with every answer, and would refuse a header of all. */
const MAX_COOKIES = 50;

const emptyJar = (): CookieJar => new CookieJar(undefined, { rejectPublicSuffixes: false });

/** Cookies that cannot be read count as none: the session will be found dead and renewed. */
const restored = (text: string): CookieJar => {
  try {
    return CookieJar.deserializeSync(text);
  } catch {
    return emptyJar();
  }
};

const textOf = (jar: CookieJar): string | null => {
  const json = jar.toJSON();
  if (!json || json.cookies.length === 0) return null;
  // The time of the last use changes with every request; with it in the text, every call would be a write.
  const cookies = json.cookies.map(({ lastAccessed, ...cookie }) => cookie);
  return JSON.stringify({ ...json, cookies });
};

interface OpenJar {
  readonly jar: CookieJar;
  /** Every live answer looks for something to seal: the text stays until a cookie comes; then undefined. */
  text: string | null | undefined;
}

/**
 * Cookies of one student, one jar per origin: several upstreams use the name JSESSIONID, and cookie rules alone ignore
 * the port. The portal's own cookie never enters a jar; its value is added to every request, so it cannot be sent
 * twice.
 */
export class CookieJars {
  /** A jar from storage stays text until it is needed: most students are idle. */
  readonly #jars = new Map<string, OpenJar | string>();
  readonly #portal: Pick<Portal, 'cookie' | 'ownsCookie'>;

  constructor(portal: Pick<Portal, 'cookie' | 'ownsCookie'>) {
    this.#portal = portal;
  }

  store(url: URL, setCookies: readonly string[]): void {
    for (const line of setCookies.slice(0, MAX_COOKIES_PER_ANSWER)) {
      if (line.length > MAX_COOKIE_LENGTH || this.#portal.ownsCookie(line)) continue;
      const open = this.#open(url.origin);
      open.text = undefined;
      open.jar.setCookieSync(line, url.href, { ignoreError: true });
    }
    if (setCookies.length > 0) this.#trim(url.origin);
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

  /** A full jar takes no new ones: the session's own cookie is among the first, wherever it is set again. */
  #trim(origin: string): void {
    const stored = this.#jars.get(origin);
    const json = typeof stored === 'object' ? stored.jar.toJSON() : undefined;
    if (json === undefined || json.cookies.length <= MAX_COOKIES) return;
    const jar = CookieJar.deserializeSync({ ...json, cookies: json.cookies.slice(0, MAX_COOKIES) });
    this.#jars.set(origin, { jar, text: undefined });
  }

  #open(origin: string): OpenJar {
    const stored = this.#jars.get(origin);
    if (typeof stored === 'object') return stored;
    const made = { jar: stored === undefined ? emptyJar() : restored(stored), text: undefined };
    this.#jars.set(origin, made);
    return made;
  }
}
