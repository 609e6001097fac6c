import { isIP, isIPv4 } from 'node:net';

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

/**
 * The unit in which callers are counted: an IPv4 address whole, an IPv6 address by its /64 (one household or machine
 * owns at least that much), an IPv4-mapped IPv6 address as the IPv4 address it stands for.
 */
export const callerNetwork = (address: string): string => {
  const plain = address.split('%')[0] ?? '';
  if (isIP(plain) !== 6) return address;
  const groups = ipv6Groups(plain);
  const [, , , , , mark = 0, high = 0, low = 0] = groups;
  if (groups.slice(0, 5).every((group) => group === 0) && mark === 0xffff) {
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
};
