import { BlockList, isIP, isIPv4 } from 'node:net';

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));

/** The last two groups of an address that ends in dotted IPv4. */
const withoutDots = (address: string): string => {
  const at = address.lastIndexOf(':');
  const tail = address.slice(at + 1);
  if (!isIPv4(tail)) return address;
  const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number);
  return `${address.slice(0, at + 1)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

/** The eight groups of an IPv6 address, as numbers. */
const ipv6Groups = (address: string): number[] => {
  const [head = '', tail] = withoutDots(address).split('::');
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

/**
 * The unit in which single callers are counted: an IPv4 address whole, an IPv6 address by its /64 (one household or
 * machine owns at least that much).
 */
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

/** Whether it holds more than an IPv4 /24 or an IPv6 /64, the smallest networks that are usually given out. */
export const isWideNetwork = (network: string): boolean => {
  const [base = '', bits] = network.split('/');
  return bits !== undefined && Number(bits) < (isIPv4(base) ? 24 : 64);
};
