import { cookieName } from '../contract/sign-in.ts';
import type { Upstream } from '../contract/upstreams.ts';
import type { Addresses } from './addresses.ts';
import { CookieJars } from './cookies.ts';

type Places = Pick<Addresses, 'trustedBy' | 'originsOf' | 'portal'>;

/**
 * The cookies by which a login knows a browser that has passed its step. They belong to a stored pair and not to a session,
 * which they outlive, so they have a jar and a sealed copy of their own. What is stored holds, over all replicas.
 */
export class DeviceTrust {
  readonly #addresses: Places;
  /** Null while there is none: most students in memory are idle. */
  #jars: CookieJars | null = null;
  /** The places that have set it since it was last stored. */
  #changed: readonly Upstream[] = [];

  constructor(addresses: Places) {
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
