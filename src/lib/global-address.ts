import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not global unicast, by the IANA special-purpose registry, and one that only looks like it. */
const special4 = [
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
];

/**
 * Of 2000::/3, outside which nothing is global unicast: mapped and compatible addresses, NAT64, unique local, link-local,
 * site-local and multicast ones all are.
 */
const special6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

const listed = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    list.addSubnet(base, Number(bits), family);
  }
  return list;
};

const special = { 4: listed(special4, 'ipv4'), 6: listed(special6, 'ipv6') };
const global6 = listed(['2000::/3'], 'ipv6');

/** Whether packets to the address leave for the public internet. False for what is no address, or has a zone. */
export const isGlobalUnicast = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return !special[4].check(address, 'ipv4');
  return (
    version === 6 && !address.includes('%') && global6.check(address, 'ipv6') && !special[6].check(address, 'ipv6')
  );
};
