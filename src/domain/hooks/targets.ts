import { isIP } from 'node:net';
import { addressList, hostName, isGlobalUnicast } from '../../lib/address.ts';
import { type HookFormat, hookFormats } from './formats.ts';

interface TargetSettings {
  /** Networks of the operator's own that hooks may call, each at one port. */
  readonly allow: ReadonlyArray<{ readonly network: string; readonly port: number }>;
  /** Networks, and domains with all below them. */
  readonly deny: readonly string[];
  /** Hosts of the campus and of this service, and domains written with a leading dot; lower case. */
  readonly own: readonly string[];
}

export type TargetFault =
  | 'malformed'
  | 'not-https'
  | 'user-information'
  | 'port'
  | 'format-host'
  | 'own'
  | 'denied'
  | 'private';

const HTTPS_PORT = 443;
export const LONGEST_TARGET = 1_000;

const isBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

const isPublic = (address: string, port: number): boolean => port === HTTPS_PORT && isGlobalUnicast(address);

export interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

type HasAddress = ReturnType<typeof addressList>;

const isNetwork = (entry: string): boolean => isIP(entry.split('/')[0] ?? '') !== 0;

/** Decides which addresses hooks may call, by the same pure rules when a hook is made and before each delivery. */
export class Targets {
  /** Hosts whose addresses are never a target. */
  readonly ownHosts: readonly string[];
  readonly #ownDomains: readonly string[];
  readonly #denied: HasAddress;
  readonly #deniedDomains: readonly string[];
  readonly #allowed: ReadonlyArray<{ readonly port: number; readonly has: HasAddress }>;

  constructor({ allow, deny, own }: TargetSettings) {
    this.ownHosts = own.filter((host) => !host.startsWith('.'));
    this.#ownDomains = own.filter((host) => host.startsWith('.')).map((domain) => domain.slice(1));
    this.#denied = addressList(deny.filter(isNetwork));
    this.#deniedDomains = deny.filter((entry) => !isNetwork(entry)).map(hostName);
    this.#allowed = allow.map(({ network, port }) => ({ port, has: addressList([network]) }));
  }

  /** Judges an address before its host is resolved. */
  check(address: string, format: HookFormat): Target | TargetFault {
    if (address.length > LONGEST_TARGET || !URL.canParse(address)) return 'malformed';
    const url = new URL(address);
    if (url.protocol !== 'https:') return 'not-https';
    if (url.username !== '' || url.password !== '') return 'user-information';
    // A parser finds a host in `https:///x` too.
    if (url.hash !== '' || !/^https:\/\/[^/\\]/i.test(address)) return 'malformed';
    const host = hostName(url.hostname);
    if (host.split('.').includes('')) return 'malformed';
    if (isIP(host) === 0) url.hostname = host;
    const target = { url, host, port: Number(url.port || HTTPS_PORT) };
    return this.#faultOf(target, hookFormats[format].hosts) ?? target;
  }

  /**
   * Those of the addresses of a target that may be called. A bad one among them does not rule out the good ones, since
   * the connection goes to one of these. `own` are addresses of the campus and of this service, which never are; `here`
   * those of this machine, which have to be allowed.
   */
  usable({ port }: Target, addresses: readonly string[], known: { own: readonly string[]; here: readonly string[] }) {
    const isOwn = addressList(known.own);
    const isHere = addressList(known.here);
    return addresses.filter((address) => {
      if (this.#denied(address) || isOwn(address)) return false;
      return this.#isAllowed(address, port) || (isPublic(address, port) && !isHere(address));
    });
  }

  #faultOf({ host, port }: Target, hosts: readonly string[] | null): TargetFault | null {
    const isBelowOne = (domains: readonly string[]): boolean => domains.some((domain) => isBelow(host, domain));
    if (this.ownHosts.includes(host) || isBelowOne(this.#ownDomains)) return 'own';
    if (isBelowOne(this.#deniedDomains)) return 'denied';
    const isOfFormat = (name: string): boolean => (name.startsWith('.') ? isBelow(host, name.slice(1)) : host === name);
    if (hosts !== null && !hosts.some(isOfFormat)) return 'format-host';
    if (port !== HTTPS_PORT && !this.#allowed.some((row) => row.port === port)) return 'port';
    if (isIP(host) === 0) return null;
    if (this.#denied(host)) return 'denied';
    return isPublic(host, port) || this.#isAllowed(host, port) ? null : 'private';
  }

  #isAllowed(address: string, port: number): boolean {
    return this.#allowed.some((row) => row.port === port && row.has(address));
  }
}
