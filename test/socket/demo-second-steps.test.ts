import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const userid = '2023000001';

let demo: DemoCampus;
let clock: ManualClock;
let shown: DemoMessage[];
beforeEach(async () => {
  clock = new ManualClock();
  shown = [];
  demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM, onMessage: (message) => shown.push(message) });
});
afterEach(() => demo.close());

const member = (text: string, name: string): string =>
  new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(text)?.[1] ?? '';

/** Speaks to the portal as a browser's script would, and takes nothing from the service's own client. */
class Visitor {
  twfid = '';

  async ask(method: 'GET' | 'POST', path: string, form: Record<string, string> = {}): Promise<string> {
    const answer = await fetch(`${demo.wiring.vpnUrl}${path}`, {
      method,
      headers: { cookie: `TWFID=${this.twfid}` },
      ...(method === 'POST' ? { body: new URLSearchParams(form) } : {}),
    });
    return answer.text();
  }

  async logIn({ image = '', password = 'demo-vpn', before = async () => {} } = {}): Promise<string> {
    const text = await this.ask('GET', '/por/login_auth.csp?apiversion=1');
    this.twfid = member(text, 'TwfID');
    const code = member(text, 'CSRF_RAND_CODE');
    const n = Buffer.from(member(text, 'RSA_ENCRYPT_KEY'), 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
    const hidden = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(`${password}_${code}`));
    await before();
    return this.ask('POST', '/por/login_psw.csp?anti_replay=1&encrypt=1&type=cs', {
      svpn_rand_code: image === 'shown' ? (shown.at(-1)?.text ?? '') : image,
      mitm: '',
      svpn_req_randcode: code,
      svpn_name: userid,
      svpn_password: hidden.toString('hex'),
    });
  }

  async isWhole(): Promise<boolean> {
    return (await this.ask('GET', '/por/conf.csp?apiversion=1')).includes('<Conf');
  }
}

const visitor = async (): Promise<Visitor> => {
  const one = new Visitor();
  await one.logIn();
  return one;
};
const code = () => demo.messages().at(-1)?.text ?? '';
const paths = () => demo.messages().map(({ path }) => path);

describe('a code by SMS', () => {
  beforeEach(() => demo.student(userid).setSecondFactor('sms'));

  it.each([
    ['login_psw', ['/por/login_psw.csp']],
    ['login_sms', ['/por/login_sms.csp']],
    ['post_sms', ['/por/post_sms.csp']],
  ] as const)('is sent by %s, whatever else is asked', async (sender, sent) => {
    demo.switches.smsSender = sender;
    const one = await visitor();
    await one.ask('POST', '/por/login_sms.csp?apiversion=1');
    await one.ask('POST', '/por/post_sms.csp?apiversion=1', { phone_number: '', phone_index: '0' });
    expect(paths()).toEqual(sent);
    expect(await one.isWhole()).toBe(false);
    await one.ask('POST', '/por/login_sms1.csp?apiversion=1', { svpn_inputsms: code() });
    expect(await one.isWhole()).toBe(true);
  });

  it('goes out again after the pause only, and its page says for how long it holds', async () => {
    const one = await visitor();
    const page = () => one.ask('POST', '/por/login_sms.csp?apiversion=1');
    expect(member(await page(), 'SmsSendInterval')).toBe('180');
    clock.advance(60_000);
    const again = await page();
    expect([member(again, 'SmsSendInterval'), member(again, 'SmsIsStillValid')]).toEqual(['120', '240']);
    expect(demo.messages()).toHaveLength(1);
    clock.advance(121_000);
    await page();
    expect(demo.messages()).toHaveLength(2);
  });

  it('ends the half session after five wrong ones, and holds for five minutes', async () => {
    const one = await visitor();
    await one.ask('POST', '/por/login_sms.csp?apiversion=1');
    const check = (text: string) => one.ask('POST', '/por/login_sms1.csp?apiversion=1', { svpn_inputsms: text });
    const old = code();
    clock.advance(301_000);
    expect(await check(old)).toContain('过期');
    await one.ask('POST', '/por/login_sms.csp?apiversion=1');
    for (let at = 0; at < 5; at += 1) expect(member(await check('x'), 'ErrorCode')).toBe('20012');
    expect(member(await check(code()), 'ErrorCode')).toBe('20026');
  });

  it("goes to the phone that was chosen, and is checked at that way's address", async () => {
    demo.student(userid).setSecondFactor('sms-two-phones');
    const one = await visitor();
    expect(member(await one.ask('POST', '/por/login_sms.csp?apiversion=1'), 'USER_PHONE')).toBe(
      '138****0000;15912341111',
    );
    expect(demo.messages()).toEqual([]);
    await one.ask('POST', '/por/get_sms.csp?apiversion=1', { phone_number: '15912341111', phone_index: '1' });
    expect(demo.messages().map(({ phone }) => phone)).toEqual(['15912341111']);
    const check = (way: number) => one.ask('POST', `/por/login_sms${way}.csp?apiversion=1`, { svpn_inputsms: code() });
    expect(member(await check(1), 'ErrorCode')).toBe('20026');
    expect(await check(2)).toContain('Auth sms suc');
    expect(await one.isWhole()).toBe(true);
  });

  it('does not go anywhere without a phone', async () => {
    demo.student(userid).setSecondFactor('sms-no-phone');
    const one = await visitor();
    expect(member(await one.ask('POST', '/por/login_sms.csp?apiversion=1'), 'USER_PHONE')).toBe('');
    expect(member(await one.ask('POST', '/por/post_sms.csp?apiversion=1'), 'ErrorCode')).toBe('20016');
  });
});

describe('a one-time password', () => {
  it('is taken once, within its half minute, after a code where both are wanted', async () => {
    demo.student(userid).setSecondFactor('sms-then-totp');
    const one = await visitor();
    await one.ask('POST', '/por/login_sms.csp?apiversion=1');
    const next = await one.ask('POST', '/por/login_sms1.csp?apiversion=1', { svpn_inputsms: code() });
    expect(member(next, 'NextService')).toBe('auth/token');
    expect(await one.isWhole()).toBe(false);
    const old = demo.totp(userid);
    clock.advance(30_000);
    const check = (text: string) => one.ask('POST', '/por/login_token.csp', { svpn_inputtoken: text });
    expect(member(await check(old), 'Result')).toBe('0');
    expect(await check(demo.totp(userid))).toContain('Totp auth succ');
    expect(await one.isWhole()).toBe(true);
    demo.student(userid).setSecondFactor('totp');
    const two = await visitor();
    expect(
      member(await two.ask('POST', '/por/login_token.csp', { svpn_inputtoken: demo.totp(userid) }), 'Result'),
    ).toBe('0');
  });
});

describe('a captcha', () => {
  it('is a new image each time, typed with the password of its own challenge', async () => {
    demo.switches.captcha = 'always';
    const one = new Visitor();
    const image = async () => {
      await one.ask('GET', '/por/rand_code.csp?apiversion=1');
    };
    expect(await one.logIn()).toContain('CAPTCHA required');
    expect(member(await one.logIn({ image: 'shown' }), 'ErrorCode')).toBe('20023');
    expect(member(await one.logIn({ image: 'wrong', before: image }), 'ErrorCode')).toBe('20043');
    expect(await one.logIn({ image: 'shown', before: image })).toContain('password auth success');
    expect(await one.isWhole()).toBe(true);
  });

  it('is a picture by its first bytes', async () => {
    const answer = await fetch(`${demo.wiring.vpnUrl}/por/rand_code.csp?apiversion=1`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([102, 42]);
  });

  it('is announced after three refused passwords, until one is accepted', async () => {
    demo.switches.captcha = 'after-3-failures';
    const one = new Visitor();
    for (let at = 0; at < 3; at += 1) expect(await one.logIn({ password: `no${at}` })).toContain('Invalid');
    expect(member(await one.ask('GET', '/por/login_auth.csp?apiversion=1'), 'RndImg')).toBe('1');
    await one.logIn({ image: 'shown', before: async () => void (await one.ask('GET', '/por/rand_code.csp')) });
    expect(member(await one.ask('GET', '/por/login_auth.csp?apiversion=1'), 'RndImg')).toBe('0');
  });
});
