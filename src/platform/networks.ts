import { BlockList, isIP } from 'node:net';

/** Whether an address is in one of the networks, given as addresses or in CIDR form. */
export const createNetworks = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const each of networks) {
    const [address = '', bits] = each.split('/');
    const version = isIP(address);
    const family = version === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (version === 6 ? 128 : 32)), family);
  }
  return (address) => {
    const plain = address.split('%')[0] ?? '';
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };
};
