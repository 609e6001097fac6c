import { CookieJar } from 'tough-cookie';

const MAX_COOKIES_PER_ANSWER = 50;
const MAX_COOKIE_LENGTH = 8_192;

/**
 * Cookies of one student, one jar per origin: several campus systems use the name JSESSIONID, and cookie rules alone
 * ignore the port. The portal's TWFID never enters a jar; the session sends its known value explicitly, so it
 * cannot go out twice.
 */
export class CookieJars {
  readonly #jars = new Map<string, CookieJar>();

  store(url: URL, setCookies: readonly string[]): void {
    for (const line of setCookies.slice(0, MAX_COOKIES_PER_ANSWER)) {
      if (line.length > MAX_COOKIE_LENGTH || /^\s*TWFID\s*=/i.test(line)) continue;
      this.#jar(url.origin).setCookieSync(line, url.href, { ignoreError: true });
    }
  }

  /** `Cookie` header for a request, with the explicit TWFID last; empty when there is none. */
  header(url: URL, twfid: string | null): string {
    const own = this.#jars.get(url.origin)?.getCookieStringSync(url.href) ?? '';
    return [own, twfid === null ? '' : `TWFID=${twfid}`].filter((part) => part !== '').join('; ');
  }

  clear(origin: string): void {
    this.#jars.delete(origin);
  }

  /** JSON text of one origin's jar, null when it is empty. */
  export(origin: string): string | null {
    const jar = this.#jars.get(origin)?.toJSON();
    return jar && jar.cookies.length > 0 ? JSON.stringify(jar) : null;
  }

  import(origin: string, text: string): void {
    this.#jars.set(origin, CookieJar.deserializeSync(text));
  }

  #jar(origin: string): CookieJar {
    const known = this.#jars.get(origin);
    if (known) return known;
    const made = new CookieJar(undefined, { rejectPublicSuffixes: false });
    this.#jars.set(origin, made);
    return made;
  }
}
