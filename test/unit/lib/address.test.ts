import { describe, expect, it } from 'vitest';
import { addressList, callerAddress, callerUnit, isWideNetwork, networkOf } from '../../../src/lib/address.ts';

describe('the unit in which callers are counted', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::198.51.100.7', '64:ff9b:0:0::/64'],
    ['', ''],
    ['not an address', 'not an address'],
  ])('%s counts as %s', (address, unit) => {
    expect(callerUnit(address)).toBe(unit);
  });
});

describe('the network of an address', () => {
  it.each([
    ['198.51.100.7', 48, '198.51.100.0/24'],
    ['::ffff:198.51.100.7', 64, '198.51.100.0/24'],
    ['2001:db8:1:2::1', 64, '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', 48, '2001:db8:1::/48'],
    ['', 48, ''],
  ] as const)('%s by %i bits is in %s', (address, bits, network) => {
    expect(networkOf(address, bits)).toBe(network);
  });
});

describe('a list of networks', () => {
  const isListed = addressList(['192.0.2.10', '198.51.100.0/24', '2001:db8:5::/64', '2001:db8::9']);

  it.each(['192.0.2.10', '::ffff:192.0.2.10', '198.51.100.200', '2001:db8:5::77', '2001:db8:0::9'])(
    'has %s',
    (address) => {
      expect(isListed(address)).toBe(true);
    },
  );

  it.each(['192.0.2.11', '198.51.101.1', '2001:db8:6::77', '', 'nonsense'])('has no %s', (address) => {
    expect(isListed(address)).toBe(false);
  });
});

describe('the address of a caller behind proxies', () => {
  const addressOf = callerAddress(addressList(['192.0.2.20', '203.0.113.0/24', '2001:db8:20::20']));

  it.each([
    ['192.0.2.20', undefined, '192.0.2.20'],
    ['198.51.100.1', '198.51.100.7', '198.51.100.1'],
    ['192.0.2.20', '198.51.100.7', '198.51.100.7'],
    ['192.0.2.20', '198.51.100.6, 198.51.100.7', '198.51.100.7'],
    ['192.0.2.20', '198.51.100.6,198.51.100.7,203.0.113.9', '198.51.100.7'],
    ['192.0.2.20', '203.0.113.8, 203.0.113.9', '203.0.113.8'],
    ['::ffff:192.0.2.20', '198.51.100.7:49152', '198.51.100.7'],
    ['2001:db8:20::20', '[2001:db8:7::7]:443', '2001:db8:7::7'],
    ['192.0.2.20', '[2001:db8:7::7]', '2001:db8:7::7'],
    ['192.0.2.20', '2001:db8:7::7', '2001:db8:7::7'],
    ['192.0.2.20', 'x198.51.100.7', '192.0.2.20'],
    ['192.0.2.20', '198.51.100.7, unknown', '192.0.2.20'],
    ['192.0.2.20', '198.51.100.7, unknown, 203.0.113.9', '192.0.2.20'],
    ['192.0.2.20', '198.51.100.7:', '192.0.2.20'],
    ['192.0.2.20', '198.51.100.7:4915200', '192.0.2.20'],
    ['192.0.2.20', '', '192.0.2.20'],
  ])('%s with %s is %s', (connection, forwardedFor, address) => {
    expect(addressOf(connection, forwardedFor)).toBe(address);
  });
});

it.each([
  ['10.0.0.0/8', true],
  ['10.0.0.0/23', true],
  ['10.0.0.0/24', false],
  ['10.0.0.1', false],
  ['fd00::/8', true],
  ['fd00::/63', true],
  ['fd00::/64', false],
  ['fd00::1', false],
])('the network %s: wide is %s', (network, wide) => {
  expect(isWideNetwork(network)).toBe(wide);
});
