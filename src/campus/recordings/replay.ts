import type { TSchema } from '@sinclair/typebox';
import type { Clock } from '../../lib/time.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { Driver, Drivers } from '../contract/driver.ts';
import type { Manifest, ManifestPart } from '../contract/manifest.ts';
import type { HttpAnswer, HttpRequest } from '../transport/http.ts';
import { NotRecorded } from './calls.ts';
import { fieldNamesOf } from './pages.ts';
import { fieldsOf, pathBelow } from './recorder.ts';
import type { Exchange, Recorded } from './recording.ts';

/** Stands still, and lets nobody wait. */
export const stoppedClock = (now: number): Clock => ({
  now: () => now,
  monotonic: () => 0,
  wait: async (_ms, signal) => signal?.throwIfAborted(),
  timer: () => () => {},
});

const literalOf = (schema: TSchema | undefined): unknown => schema?.anyOf?.[0]?.const;

/** Any options with which the driver works: what a recorded page says does not depend on addresses. */
const replayOptionsOf = (driver: Driver | undefined, host: string, isTicketed: boolean): ManifestPart['options'] => {
  const { properties = {}, required = [] } = driver?.options ?? {};
  const names = Object.keys(properties).filter((name) => required.includes(name) || (name === 'service' && isTicketed));
  const optionOf = (name: string): unknown =>
    literalOf(properties[name]) ?? (name === 'domain' ? host : `http://${host}`);
  return Object.fromEntries(names.map((name) => [name, optionOf(name)]));
};

/** A campus of the recorded products, at addresses that are nowhere. */
export const recordedManifest = (
  { products, timeZone }: Pick<Recorded, 'products' | 'timeZone'>,
  drivers: Drivers,
): Manifest => {
  const isTicketed = products.some(({ system }) => system === 'unified-login');
  const partOf = ({ product }: Recorded['products'][number]): ManifestPart => ({
    driver: product,
    options: replayOptionsOf(drivers[product], `${product}.recorded.test`, isTicketed),
  });
  const place = (system: string): ManifestPart | null =>
    products.filter((each) => each.system === system).map(partOf)[0] ?? null;
  return {
    id: 'recorded',
    name: { zh: '录制', en: 'Recording' },
    timeZone,
    portal: place('portal'),
    login: place('unified-login'),
    applications: products.filter(({ product }) => drivers[product]?.kind === 'application').map(partOf),
    notes: [],
  };
};

/** How much of a request is the same, where its names are; null: it is another one. */
const likeness = (recorded: Exchange, asked: Pick<Exchange, 'method' | 'path' | 'query' | 'form'>): number | null => {
  const [own, other] = [recorded.path.split('/'), asked.path.split('/')];
  const isSame =
    recorded.method === asked.method &&
    own.length === other.length &&
    fieldNamesOf(recorded.query) === fieldNamesOf(asked.query) &&
    fieldNamesOf(recorded.form) === fieldNamesOf(asked.form);
  if (!isSame) return null;
  const values = [...recorded.query, ...recorded.form].map(([, value]) => value);
  const askedValues = [...asked.query, ...asked.form].map(([, value]) => value);
  return (
    own.filter((segment, at) => segment === other[at]).length +
    values.filter((value, at) => value === askedValues[at]).length
  );
};

/** Stands in place of the network: each exchange answers once, and what was never asked is no answer. */
export class RecordedCampus {
  /** Of the call that is made. */
  page: Exchange['page'] | null = null;
  readonly #addresses: Addresses;
  #left: readonly Exchange[];

  constructor(exchanges: readonly Exchange[], addresses: Addresses) {
    this.#left = exchanges;
    this.#addresses = addresses;
  }

  /** Exchanges that nothing has asked for, beside those of sign-ins. */
  get left(): readonly Exchange[] {
    return this.#left.filter(({ page }) => page !== 'sign-in');
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { method, url, upstream = '' } = request;
    const path = pathBelow(this.#addresses, upstream, url);
    const asked = { method, path, query: [...url.searchParams], form: fieldsOf(request) };
    let best: { readonly exchange: Exchange; readonly score: number } | null = null;
    for (const exchange of this.#left) {
      const isOfPage = exchange.page === this.page && exchange.system === upstream && request.page !== undefined;
      const score = isOfPage ? likeness(exchange, asked) : null;
      if (score !== null && (best === null || score > best.score)) best = { exchange, score };
    }
    if (best === null) throw new NotRecorded(`${method} ${upstream} was not recorded`);
    const { exchange } = best;
    this.#left = this.#left.filter((each) => each !== exchange);
    const { status, location, text } = exchange;
    return {
      kind: 'answer',
      status,
      location: location === null ? undefined : this.#addresses.url(upstream, location).href,
      setCookies: [],
      text: text.trim(),
    };
  }
}
