import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostName } from '../domain/hooks/targets.ts';

/** The addresses of a host, at most a few. Rejects where there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const TRY_MS = 2_000;
const TRIES = 2;
const MOST_ADDRESSES = 16;

/**
 * Asks the name servers of this machine, each time. Not `lookup`, which waits in the few threads that everything else of
 * the process needs, and reads names that only this machine knows.
 */
export const createResolver = (): Resolve => {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length === 0) throw new Error('no address found');
    return addresses.slice(0, MOST_ADDRESSES);
  };
};

/** The hosts of addresses as they are configured; what is none is a domain, and everything below it belongs to it. */
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
