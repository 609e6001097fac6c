import { describe, expect, it } from 'vitest';
import { addressesOf } from '../../../support/addresses-of.ts';
import { mappedWiring as wiring } from '../../../support/unused-wiring.ts';

const addresses = addressesOf(wiring);
const from = addresses.url('jwc', '/index');

describe('the address in a redirect', () => {
  it.each([
    ['of a configured service, by its setting', 'http://api.inner.example/a?b=1', `${wiring.aacUrl}/a?b=1`],
    ['of an inner host, by the rule of the portal', 'http://10.1.2.3/x', `${wiring.competitionUrl}/x`],
    ['of an inner host behind TLS', 'https://api.club.example/x', `${wiring.aacUrl}/x`],
    ['of the host that is mapped without a port', 'http://isim.campus.example/home', `${wiring.isimUrl}/home`],
    ['of an inner host on another port', 'http://10.1.2.3:81/x', 'http://10.1.2.3:81/x'],
    ['of another scheme', 'ftp://10.1.2.3/x', 'ftp://10.1.2.3/x'],
    ['of a host that nothing maps to', 'http://elsewhere.example/x', 'http://elsewhere.example/x'],
    ['that is relative', '/x', `${wiring.jwcUrl}/x`],
  ])('%s', (_, location, target) => {
    expect(addresses.resolve(location, from)?.href).toBe(target);
  });

  it('leads nowhere when its text is no address', () => {
    expect(addresses.resolve('http://[', from)).toBeNull();
  });
});

it.each([
  ['/cas/login', true],
  ['/cas', true],
  ['/cas2/login', false],
  ['/login', false],
])(
  'the address %s of the host of the unified login is the login: %s; of another port or host it is not',
  (path, expected) => {
    const { origin } = new URL(wiring.casUrl);
    expect(addresses.isUnifiedLogin(new URL(origin + path))).toBe(expected);
    for (const other of ['http://cas-campus-example.vpn.campus.example', 'http://elsewhere.example:8118']) {
      expect(addresses.isUnifiedLogin(new URL(other + path))).toBe(false);
    }
  },
);

it('one answer has 1 MiB at most where students sign in, 2 MiB from applications, 4 MiB for plans and whole lists', () => {
  const mebibyte = 1_048_576;
  for (const name of addresses.upstreamNames) {
    const { sizeCeiling, wholeCeiling } = addresses.row(name);
    const isApplication = addresses.applicationNames.includes(name);
    expect([sizeCeiling, wholeCeiling]).toEqual(isApplication ? [2 * mebibyte, 4 * mebibyte] : [mebibyte, mebibyte]);
  }
});
