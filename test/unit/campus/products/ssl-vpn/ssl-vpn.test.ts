import { expect, it } from 'vitest';
import { SslVpn } from '../../../../../src/campus/products/ssl-vpn/index.ts';
import type { HttpAnswer } from '../../../../../src/campus/transport/http.ts';

const page = (text: string): HttpAnswer => ({ kind: 'answer', status: 200, location: undefined, setCookies: [], text });
/** 1024 bits: 128 bytes, of which the padding takes 11. */
const modulus = `c1${'5b'.repeat(126)}8f`;

const portalWith = (challenge: string) => {
  const portal = new SslVpn({ url: 'https://vpn.campus.example', domain: 'vpn.campus.example' });
  let passwords = 0;
  const logIn = (password: string) =>
    portal.signIn(
      {
        now: 0,
        userid: '2023000001',
        step: 'portal',
        service: null,
        renews: true,
        locate: () => null,
        leadsBack: () => null,
        saw() {},
        async ask({ method }) {
          if (method === 'GET') return page(`<TwfID>a</TwfID>${challenge}`);
          passwords += 1;
          return page('<Result>1</Result>');
        },
      },
      async () => ({ userid: '2023000001', password }),
    );
  return { portal, logIn, sent: () => passwords };
};

it.each([
  ['with a code', `<RSA_ENCRYPT_KEY>${modulus}</RSA_ENCRYPT_KEY><CSRF_RAND_CODE>1732050807</CSRF_RAND_CODE>`, 106],
  ['without a code', `<RSA_ENCRYPT_KEY>${modulus}</RSA_ENCRYPT_KEY>`, 117],
  ['whose key begins with zeros', `<RSA_ENCRYPT_KEY>0000${modulus}</RSA_ENCRYPT_KEY>`, 117],
])('a portal %s says how long a password may be, and none that is longer is sent', async (_, challenge, longest) => {
  const { portal, logIn, sent } = portalWith(challenge);
  expect(portal.longestPassword()).toBe(256);
  expect(await logIn('x'.repeat(longest))).toEqual({ kind: 'signed-in', session: 'a' });
  expect(portal.longestPassword()).toBe(longest);
  expect(await logIn('x'.repeat(longest + 1))).toMatchObject({
    kind: 'failed',
    failure: { kind: 'sign-in-unavailable', step: 'portal', reason: 'portal key is too short for the password' },
  });
  expect(sent()).toBe(1);
});

it.each([
  ['512 bits', `c1${'5b'.repeat(62)}8f`, 'portal key has 512 bits'],
  ['1,023 bits', `71${'5b'.repeat(126)}8f`, 'portal key has 1023 bits'],
  ['512 bits behind zeros', `${'00'.repeat(64)}c1${'5b'.repeat(62)}8f`, 'portal key has 512 bits'],
])('a portal key of %s gets no password, and says nothing about how long one may be', async (_, key, reason) => {
  for (const image of ['', '<RndImg>1</RndImg>']) {
    const { portal, logIn, sent } = portalWith(`<RSA_ENCRYPT_KEY>${key}</RSA_ENCRYPT_KEY>${image}`);
    expect(await logIn('demo-vpn')).toMatchObject({
      kind: 'failed',
      failure: { kind: 'sign-in-unavailable', step: 'portal', reason, passwords: 'unsent' },
    });
    expect([sent(), portal.longestPassword()]).toEqual([0, 256]);
  }
});

it.each([
  ['its origin', 'https://vpn.campus.example:4430/por', true, true],
  ['its bare host at another port', 'http://vpn.campus.example:8118/go', false, true],
  ['its domain', 'http://web.campus.example/go', false, true],
  ['its domain, where a setting names that origin', 'http://web.campus.example/go', true, false],
  ['another host', 'https://other.example/por', false, false],
])('a redirect to %s asks for a login at the portal: %s, configured %s: %s', (_, target, configured, expected) => {
  const portal = new SslVpn({ url: 'https://vpn.campus.example:4430', domain: 'web.campus.example' });
  expect(portal.isLoginRedirect(target, new URL(target), configured)).toBe(expected);
});
