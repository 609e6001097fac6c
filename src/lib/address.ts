import { BlockList, isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));

/** The eight groups of an IPv6 address, as numbers. `URL` writes a dotted end as two groups. */
const ipv6Groups = (address: string): number[] => {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
};

/** Without a zone, and an IPv4-mapped IPv6 address as the IPv4 address that it stands for. */
const plainAddress = (address: string): string => {
  const plain = address.split('%')[0] ?? '';
  if (isIP(plain) !== 6) return plain;
  const groups = ipv6Groups(plain);
  const [, , , , , mark = 0, high = 0, low = 0] = groups;
  if (groups.slice(0, 5).every((group) => group === 0) && mark === 0xffff) {
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  return plain;
};

const ipv6Prefix = (address: string, groups: number): string =>
  `${ipv6Groups(address)
    .slice(0, groups)
    .map((group) => group.toString(16))
    .join(':')}::/${groups * 16}`;

/** An IPv4 address whole, an IPv6 address by its /64: one household or machine owns at least that much. */
export const callerUnit = (address: string): string => {
  const plain = plainAddress(address);
  return isIP(plain) === 6 ? ipv6Prefix(plain, 4) : plain;
};

/** The /48 of an IPv6 address, which one customer may own; null for any other address. */
export const wideUnit = (address: string): string | null => {
  const plain = plainAddress(address);
  return isIP(plain) === 6 ? ipv6Prefix(plain, 3) : null;
};

/** IPv4 by its /24, IPv6 by so many bits; what is no address stays as it is. */
export const networkOf = (address: string, ipv6Bits: 48 | 64): string => {
  const plain = plainAddress(address);
  if (isIP(plain) === 6) return ipv6Prefix(plain, ipv6Bits / 16);
  return isIPv4(plain) ? `${plain.split('.').slice(0, 3).join('.')}.0/24` : plain;
};

/** Whether an address is in one of the networks, each an address or in CIDR form. */
export const addressList = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = isIPv4(base) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(bits), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
};

const isInGlobalSpace = addressList(['2000::/3']);

/** Not global unicast by the IANA special-purpose registry, and one network that only looks like it. */
const isSpecial = addressList([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; one cloud answers metadata there
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host, from inside its machines
  '169.254.0.0/16', // link-local, metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

/**
 * Whether packets to the address leave for the public internet. Of IPv6 nothing does outside of 2000::/3: mapped and
 * compatible addresses, NAT64, unique local, link-local, site-local and multicast ones are there. False for what is no
 * address, or has a zone.
 */
export const isGlobalUnicast = (address: string): boolean =>
  isIP(address) !== 0 && !address.includes('%') && (isIPv4(address) || isInGlobalSpace(address)) && !isSpecial(address);

const inBrackets = /^\[([^\]]+)\](?::\d{1,5})?$/;
const withPort = /^([\d.]+):\d{1,5}$/;

/** An address as proxies write it, with or without brackets and port; null for anything else. */
const writtenAddress = (text: string): string | null => {
  const written = text.trim();
  const address = (inBrackets.exec(written) ?? withPort.exec(written))?.[1] ?? written;
  return isIP(address) === 0 ? null : address;
};

/**
 * A caller's address behind proxies: the last one in `X-Forwarded-For` that is not a proxy's. What is not an address
 * would be a new caller each time, so the address of the connection counts instead.
 */
export const callerAddress =
  (isProxy: (address: string) => boolean) =>
  (connection: string, forwardedFor: string | undefined): string => {
    if (forwardedFor === undefined || !isProxy(connection)) return connection;
    let address = connection;
    for (const text of forwardedFor.split(',').reverse()) {
      const next = writtenAddress(text);
      if (next === null) return connection;
      address = next;
      if (!isProxy(address)) return address;
    }
    return address;
  };

/** Whether everything in `X-Forwarded-For` is an address. */
export const isForwardedList = (forwardedFor: string): boolean =>
  forwardedFor.split(',').every((text) => writtenAddress(text) !== null);

/** The address of a server on this machine; one that listens on all addresses is asked over loopback. */
export const localUrl = (host: string, port: number): string => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};

/** Whether it holds more than an IPv4 /24 or an IPv6 /64, the smallest networks that are usually given out. */
export const isWideNetwork = (network: string): boolean => {
  const [base = '', bits] = network.split('/');
  return bits !== undefined && Number(bits) < (isIPv4(base) ? 24 : 64);
};

/** The spelling in which hosts are compared: lower case, punycode, without trailing dots, IPv6 without brackets. */
export const hostName = (host: string): string => {
  const plain = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');
  return isIP(plain) === 0 ? domainToASCII(plain) : plain;
};
