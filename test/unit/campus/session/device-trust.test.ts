import { expect, it } from 'vitest';
import type { Addresses } from '../../../../src/campus/contract/addresses.ts';
import { SslVpn } from '../../../../src/campus/products/ssl-vpn/index.ts';
import { DeviceTrust } from '../../../../src/campus/session/cookies.ts';

const portal = new SslVpn({ url: 'https://vpn.campus.example', domain: 'vpn.campus.example' });
const [login, further, application] = ['http://login.test', 'http://further.test', 'http://jwc.test'] as const;
const page = (origin: string) => new URL('/login', origin);

const places: Pick<Addresses, 'trustedBy' | 'originsOf' | 'portal'> = {
  portal,
  originsOf: (upstream) => (upstream === 'unified-login' ? [login, further] : [application]),
  trustedBy: ({ origin }, cookie) => (cookie === 'TRUST' && origin !== application ? 'unified-login' : null),
};

const stored = (trust: DeviceTrust): string => trust.textToStore('unified-login') ?? '';

it('takes its own cookies at each address of the login, and leaves all others', () => {
  const trust = new DeviceTrust(places);
  const others = ['JSESSIONID=1; Path=/', 'TRUSTED=2; Path=/'];
  expect(trust.take(page(login), [...others, 'TRUST=a; Path=/; HttpOnly'])).toEqual(others);
  expect(trust.take(page(further), [' TRUST =b; Path=/'])).toEqual([]);
  expect(trust.take(page(application), ['TRUST=c; Path=/'])).toEqual(['TRUST=c; Path=/']);
  const sent = (trust: DeviceTrust) => [login, further, application].map((origin) => trust.header(page(origin)));
  expect(sent(trust)).toEqual(['TRUST=a', 'TRUST=b', '']);
  const elsewhere = new DeviceTrust(places);
  elsewhere.import(new Map([['unified-login', stored(trust)]]));
  expect([sent(elsewhere), elsewhere.textToStore('unified-login')]).toEqual([sent(trust), undefined]);
});

it('is changed until it is stored as it is, and what is stored replaces the rest', () => {
  const trust = new DeviceTrust(places);
  trust.take(page(login), ['TRUST=a; Path=/']);
  const first = stored(trust);
  trust.take(page(login), ['TRUST=b; Path=/']);
  trust.noteStored('unified-login', first);
  expect(stored(trust)).toContain('"value":"b"');
  // Not stored yet, so what is read from storage is older.
  trust.import(new Map([['unified-login', first]]));
  expect(trust.header(page(login))).toBe('TRUST=b');
  trust.noteStored('unified-login', stored(trust));
  expect(trust.textToStore('unified-login')).toBeUndefined();
  trust.import(new Map());
  expect(trust.header(page(login))).toBe('');
});

it('that the login ends is stored as ended, and a session of somebody else drops all of it', () => {
  const trust = new DeviceTrust(places);
  trust.take(page(login), ['TRUST=a; Path=/']);
  trust.noteStored('unified-login', stored(trust));
  trust.take(page(login), ['TRUST=; Path=/; Max-Age=0']);
  expect([trust.textToStore('unified-login'), trust.header(page(login))]).toEqual([null, '']);
  trust.take(page(login), ['TRUST=c; Path=/']);
  trust.drop();
  expect([trust.textToStore('unified-login'), trust.header(page(login))]).toEqual([undefined, '']);
});
