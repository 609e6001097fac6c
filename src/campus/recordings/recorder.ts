import type { Addresses } from '../contract/addresses.ts';
import type { CampusHttp, HttpAnswer, HttpRequest, Unanswered } from '../transport/http.ts';
import { charsets } from './charset.ts';
import type { Exchange, FieldPairs, RecordedPage } from './recording.ts';

type RequestShape = Pick<Exchange, 'page' | 'method' | 'path' | 'query' | 'form'>;

/** The whole body by the charset in which it was read; null: it was not text of one charset alone. */
const wholeText = (bytes: Uint8Array, read: string): Pick<Exchange, 'charset' | 'text'> | null => {
  for (const charset of charsets) {
    try {
      const text = new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
      if (text.trim() === read) return { charset, text };
    } catch {
      // It is in another one.
    }
  }
  return null;
};

const withoutValues = (pairs: FieldPairs): FieldPairs => pairs.map(([name]) => [name, '']);

/** The fields of a form, or the members of a JSON object, whose values are JSON. */
export const fieldsOf = ({ body = '', headers }: HttpRequest): FieldPairs => {
  if (!/json/i.test(headers['content-type'] ?? '')) return [...new URLSearchParams(body)];
  const value: unknown = JSON.parse(body);
  return Object.entries(Object(value)).map(([name, each]) => [name, JSON.stringify(each)] as const);
};

/** Below the address of the system. */
const pathBelowBase = (addresses: Pick<Addresses, 'base'>, system: string, url: URL): string => {
  const base = addresses.base(system).pathname.replace(/\/$/, '');
  const whole = url.pathname + url.search;
  return url.pathname.startsWith(`${base}/`) ? whole.slice(base.length) : whole;
};

export const pathBelow = (addresses: Pick<Addresses, 'base'>, system: string, url: URL): string =>
  pathBelowBase(addresses, system, url).split('?', 1)[0] ?? '';

const nameOf = (line: string): string => line.split('=', 1)[0]?.trim() ?? '';

/**
 * Stands before the network of one command, and keeps in memory what passes. Of a sign-in it keeps no value at all: what
 * it saw of a password, a ticket or an image is gone when the answer is handed on.
 */
export class Recorder {
  /** What the command is reading; of a request on the way to a session it is not asked. */
  page: Exclude<RecordedPage, 'sign-in'> | null = null;
  #exchanges: readonly Exchange[] = [];
  /** What led out of the system, to a login that the replay does not have: the page to which it comes back answers it. */
  #ledOut: RequestShape | null = null;
  readonly #http: Pick<CampusHttp, 'send'>;
  readonly #addresses: Pick<Addresses, 'base'>;
  /** The driver of each upstream. */
  readonly #products: ReadonlyMap<string, string>;

  constructor(
    http: Pick<CampusHttp, 'send'>,
    addresses: Pick<Addresses, 'base'>,
    products: ReadonlyMap<string, string>,
  ) {
    this.#http = http;
    this.#addresses = addresses;
    this.#products = products;
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  async send(request: HttpRequest): Promise<HttpAnswer | Unanswered> {
    const answer = await this.#http.send({ ...request, raw: true });
    if (answer.kind === 'answer') this.#keep(request, answer);
    return answer;
  }

  #keep(request: HttpRequest, answer: HttpAnswer): void {
    const system = request.upstream ?? '';
    const page = request.page === undefined ? 'sign-in' : (this.page ?? 'sign-in');
    // The session has died: the reading begins again, and what it read until here is asked once more.
    if (page === 'sign-in')
      this.#exchanges = this.#exchanges.filter((each) => each.page !== this.page || each.system !== system);
    const isSignIn = page === 'sign-in';
    const { status, setCookies, contentType = '' } = answer;
    const query = [...request.url.searchParams];
    const form = fieldsOf(request);
    const location = isSignIn ? null : this.#leadsTo(system, request.url, answer.location);
    const own: RequestShape = {
      page,
      method: request.method,
      path: pathBelow(this.#addresses, system, request.url),
      query: isSignIn ? withoutValues(query) : query,
      form: isSignIn ? withoutValues(form) : form,
    };
    const before = !isSignIn && this.#ledOut?.page === page ? this.#ledOut : null;
    if (!isSignIn && answer.location !== undefined && (before !== null || location === null)) {
      const isOwn = request.url.origin === this.#addresses.base(system).origin;
      this.#ledOut = before ?? (isOwn ? own : null);
      return;
    }
    if (!isSignIn) this.#ledOut = null;
    this.#exchanges = [
      ...this.#exchanges,
      {
        ...(before ?? own),
        system,
        product: this.#products.get(system) ?? '',
        status,
        location,
        cookies: setCookies.map(nameOf),
        contentType: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
        ...this.#bodyOf(request, answer, isSignIn),
      },
    ];
  }

  #bodyOf({ image }: HttpRequest, { text, bytes }: HttpAnswer, isSignIn: boolean) {
    if (image || isSignIn || bytes === undefined) return { charset: 'utf-8', text: '', body: new Uint8Array() };
    return { ...(wholeText(bytes, text) ?? { charset: '', text }), body: bytes };
  }

  /** A redirect within the system; null: there is none. */
  #leadsTo(system: string, from: URL, location: string | undefined): string | null {
    const target = location === undefined ? null : URL.parse(location, from.href);
    return target?.origin === from.origin ? pathBelowBase(this.#addresses, system, target) : null;
  }
}
