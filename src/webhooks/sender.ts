import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { HookCallResult, HookRequest, HookSender } from '../domain/hooks/ports.ts';
import type { Target, Targets } from '../domain/hooks/targets.ts';
import { hostName } from '../lib/address.ts';
import { abortAfter, type Clock, MINUTE_MS } from '../lib/time.ts';

const LOOKUP_MS = 2_000;
const LOOKUP_TRIES = 2;
const MOST_ADDRESSES = 16;
const DEADLINE_MS = 15_000;
const CONNECT_MS = 5_000;
/** We read so much of a reply, and cut off the rest. */
const REPLY_BYTES = 4_096;
/** We look up the addresses of the campus and of this service so often. */
const OWN_MS = 5 * MINUTE_MS;
const USER_AGENT = 'CampusGateway-Hooks/1';

/** The addresses of a host, at most a few. Rejects where there are none. */
type Resolve = (host: string) => Promise<readonly string[]>;

export interface SenderDeps {
  readonly targets: Targets;
  readonly resolve: Resolve;
  readonly clock: Clock;
  /** Addresses of this machine; left out: those of its interfaces. */
  readonly here?: () => readonly string[];
  /** Replaces how Node checks certificates. */
  readonly tls?: ConnectionOptions;
}

/** `lookup` would take the few threads that the process has, and read names that only this machine knows. */
export const createResolver = (): Resolve => {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: LOOKUP_TRIES });
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length === 0) throw new Error('no address found');
    return addresses.slice(0, MOST_ADDRESSES);
  };
};

/** The hosts of configured addresses. A text that is no address is a domain, with every host below it. */
export const ownHostsOf = (addresses: ReadonlyArray<string | null | undefined>): string[] => [
  ...new Set(
    addresses.flatMap((address) => {
      if (address == null || address === '') return [];
      const named = URL.canParse(address) ? new URL(address).hostname : address;
      const host = hostName(named);
      return URL.canParse(address) || isIP(host) !== 0 ? [host] : [host, `.${host}`];
    }),
  ),
];

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));

const addressesOf = async (resolve: Resolve, host: string): Promise<readonly string[]> =>
  isIP(host) === 0 ? (await resolve(host)).filter((address) => isIP(address) !== 0) : [host];

/** IPv4 first: where there is no IPv6, the first attempt need not find out. */
const byFamily = (a: string, b: string): number => isIP(a) - isIP(b);

/** The receiver was certainly not reached. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|.*_CERT.*|.*_SIGNATURE)$/.test(
    error.code,
  );

/** Rejects only where no answer has begun; a reply that breaks off counts as far as it came. */
const post = async (
  client: Client,
  { target, headers, body }: HookRequest,
  signal: AbortSignal,
): Promise<HookCallResult> => {
  const { pathname, search } = target.url;
  const answer = await client.request({
    method: 'POST',
    path: `${pathname}${search}`,
    headers: { 'user-agent': USER_AGENT, ...headers },
    body,
    signal,
  });
  const { 'retry-after': asked } = answer.headers;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= REPLY_BYTES) break;
    }
  } catch {
    // The status is there, and it settles the delivery.
  }
  const reply = Buffer.concat(chunks).subarray(0, REPLY_BYTES).toString('utf8');
  return { kind: 'answer', status: answer.statusCode, retryAfter: typeof asked === 'string' ? asked : null, reply };
};

/**
 * The one way out to receivers. It connects to an address that it has checked, so that a name which changes in between
 * gains nothing. A connection serves one delivery: no redirects and no cookies.
 */
export class WebhookSender implements HookSender {
  readonly #deps: Required<SenderDeps>;
  #own: { readonly addresses: readonly string[]; readonly at: number } | null = null;

  constructor(deps: SenderDeps) {
    this.#deps = { here: interfaceAddresses, tls: {}, ...deps };
  }

  async send(request: HookRequest, signal: AbortSignal): Promise<HookCallResult> {
    const { target } = request;
    using late = abortAfter(this.#deps.clock, DEADLINE_MS);
    const ending = AbortSignal.any([signal, late.signal]);
    let client: Client | null = null;
    try {
      const address = await this.#addressFor(target, request.attempt);
      if (address === 'unresolved' || address === 'private') return { kind: 'no-answer', fault: address };
      client = this.#connectionTo(target, address);
      return await post(client, request, ending);
    } catch (error) {
      if (ending.aborted) return { kind: 'no-answer', fault: 'timed-out' };
      return { kind: 'no-answer', fault: isUnsent(error) ? 'not-connected' : 'broken' };
    } finally {
      await client?.destroy();
    }
  }

  #connectionTo({ host, url }: Target, hostname: string): Client {
    const { tls } = this.#deps;
    const connect = buildConnector({ timeout: CONNECT_MS, allowH2: false, maxCachedSessions: 0, ...tls });
    const servername = isIP(host) === 0 ? host : undefined;
    return new Client(url.origin, {
      connect: (options, done) => connect({ ...options, hostname, servername }, done),
      allowH2: false,
    });
  }

  async #addressFor(target: Target, attempt: number): Promise<string | 'unresolved' | 'private'> {
    const { targets, resolve, here } = this.#deps;
    const [addresses, own] = await Promise.all([
      addressesOf(resolve, target.host).catch((): readonly string[] => []),
      this.#ownAddresses(),
    ]);
    if (addresses.length === 0) return 'unresolved';
    const usable = targets.usable(target, addresses, { own, here: here() }).sort(byFamily);
    return usable[(attempt - 1) % usable.length] ?? 'private';
  }

  async #ownAddresses(): Promise<readonly string[]> {
    const { targets, resolve, clock } = this.#deps;
    const now = clock.monotonic();
    if (this.#own !== null && now - this.#own.at < OWN_MS) return this.#own.addresses;
    const before = this.#own?.addresses ?? [];
    const found = await Promise.allSettled(targets.ownHosts.map((host) => addressesOf(resolve, host)));
    const resolved = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    // A name that does not resolve now keeps the addresses that it had.
    const isWhole = found.every(({ status }) => status === 'fulfilled');
    const addresses = isWhole ? resolved : [...new Set([...resolved, ...before])];
    this.#own = { addresses, at: now };
    return addresses;
  }
}
