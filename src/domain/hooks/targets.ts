import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { addressList } from '../../lib/address.ts';
import { isGlobalUnicast } from '../../lib/global-address.ts';
import { type HookFormat, hookFormats } from './formats.ts';

/** A network of the operator's own that hooks may call, at one port. */
interface AllowedTarget {
  readonly network: string;
  readonly port: number;
}

interface TargetSettings {
  readonly allow: readonly AllowedTarget[];
  /** Networks, and domains with all below them. */
  readonly deny: readonly string[];
  /** Of the campus and of this service: hosts, and domains written with a dot in front, in lower case. */
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

/**
 * The spelling in which hosts are compared: lower case, punycode, without trailing dots, IPv6 without brackets.
 */
export const hostName = (host: string): string => {
  const plain = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');
  return isIP(plain) === 0 ? domainToASCII(plain) : plain;
};

const hasEmptyLabel = (host: string): boolean => host.split('.').includes('');

const isBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

export interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

export interface Targets {
  /** Judges an address before its host is resolved. */
  check(address: string, format: HookFormat): Target | TargetFault;
  /**
   * Those of the addresses of a target that may be called. A bad one among them does not rule out the good ones, since
   * the connection goes to one of these. `own` are addresses of the campus and of this service, which never are; `here`
   * those of this machine, which have to be allowed.
   */
  usable(
    target: Target,
    addresses: readonly string[],
    known: { own: readonly string[]; here: readonly string[] },
  ): string[];
  /** Hosts whose addresses are never a target. */
  readonly ownHosts: readonly string[];
}

/** Which addresses hooks may call: pure rules, the same when a hook is made and before each delivery. */
export const createTargets = ({ allow, deny, own }: TargetSettings): Targets => {
  const denied = addressList(deny.filter((entry) => isIP(entry.split('/')[0] ?? '') !== 0));
  const deniedDomains = deny.filter((entry) => isIP(entry.split('/')[0] ?? '') === 0).map(hostName);
  const allowed = allow.map(({ network, port }) => ({ port, has: addressList([network]) }));
  const ownHosts = own.filter((host) => !host.startsWith('.'));
  const ownDomains = own.filter((host) => host.startsWith('.')).map((domain) => domain.slice(1));

  const isAllowed = (address: string, port: number): boolean =>
    allowed.some((row) => row.port === port && row.has(address));
  const isPublic = (address: string, port: number): boolean => port === HTTPS_PORT && isGlobalUnicast(address);

  return {
    ownHosts,
    check(address, format) {
      if (address.length > LONGEST_TARGET || !URL.canParse(address)) return 'malformed';
      const url = new URL(address);
      if (url.protocol !== 'https:') return 'not-https';
      if (url.username !== '' || url.password !== '') return 'user-information';
      if (url.hash !== '') return 'malformed';
      // A parser finds a host in `https:///x` too.
      if (!/^https:\/\/[^/\\]/i.test(address)) return 'malformed';
      const host = hostName(url.hostname);
      if (hasEmptyLabel(host)) return 'malformed';
      if (isIP(host) === 0) url.hostname = host;
      const port = Number(url.port || HTTPS_PORT);
      const target = { url, host, port };
      if (ownHosts.includes(host) || ownDomains.some((domain) => isBelow(host, domain))) return 'own';
      if (deniedDomains.some((domain) => isBelow(host, domain))) return 'denied';
      const { hosts } = hookFormats[format];
      if (
        hosts !== null &&
        !hosts.some((name) => (name.startsWith('.') ? isBelow(host, name.slice(1)) : host === name))
      )
        return 'format-host';
      if (port !== HTTPS_PORT && !allowed.some((row) => row.port === port)) return 'port';
      if (isIP(host) === 0) return target;
      if (denied(host)) return 'denied';
      return isPublic(host, port) || isAllowed(host, port) ? target : 'private';
    },
    usable({ port }, addresses, { own: ownAddresses, here }) {
      const [isOwn, isHere] = [addressList(ownAddresses), addressList(here)];
      return addresses.filter((address) => {
        if (denied(address) || isOwn(address)) return false;
        return isAllowed(address, port) || (isPublic(address, port) && !isHere(address));
      });
    },
  };
};
