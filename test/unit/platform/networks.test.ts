import { describe, expect, it } from 'vitest';
import { createNetworks } from '../../../src/platform/networks.ts';

describe('a list of networks', () => {
  const isListed = createNetworks(['192.0.2.10', '10.0.0.0/8', '2001:db8::/32', '2001:db9::1']);

  it.each(['192.0.2.10', '10.255.0.1', '::ffff:10.1.2.3', '2001:db8:ffff::1', '2001:db9::1', '2001:db8::1%eth0'])(
    'has %s',
    (address) => expect(isListed(address)).toBe(true),
  );

  it.each(['192.0.2.11', '11.0.0.1', '::ffff:11.0.0.1', '2001:db9::2', '::1', '', 'nonsense'])(
    'does not have %j',
    (address) => expect(isListed(address)).toBe(false),
  );

  it('that is empty has nobody', () => expect(createNetworks([])('127.0.0.1')).toBe(false));
});
