import { isIP } from 'node:net';
import { hostName } from '../domain/hooks/targets.ts';

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
