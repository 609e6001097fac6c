import { expect, it } from 'vitest';
import type { Credentials, SignInCall, SignInRequest } from '../../../../../src/campus/contract/sign-in.ts';
import { croyptoPages, encryptUnderCroypto, parseCroyptoPage } from '../../../../../src/campus/products/cas/croypto.ts';
import { croypto } from '../../../../../src/campus/products/cas/index.ts';
import type { HttpAnswer } from '../../../../../src/campus/transport/http.ts';

const [des, aes] = ['ASNFZ4mrze8=', 'ASNFZ4mrze8BI0VniavN7w=='];
const pageOf = (key: string, more = '') =>
  `<html><body><p id="login-croypto">${key}</p><p id="login-page-flowkey">e1s1</p>${more}</body></html>`;
const answer = (more: Partial<HttpAnswer>): HttpAnswer => ({
  ...{ kind: 'answer', status: 200, location: undefined, setCookies: [], text: '' },
  ...more,
});

/** One sign-in at a login that shows this page, and answers a password so. */
const signIn = async (page: string, after: Partial<HttpAnswer>) => {
  const asked: SignInRequest[] = [];
  let given = 0;
  const call: SignInCall = {
    ...{ now: 0, userid: '2023000001', step: 'unified-login', service: 'http://jwc.example.edu/in', renews: false },
    async ask(request) {
      asked.push(request);
      return answer(request.method === 'GET' ? { text: page } : after);
    },
    locate: (reference) => URL.parse(reference, 'https://sso.example.edu/login'),
    leadsBack: () => null,
    saw: () => {},
  };
  const pair: Credentials = { userid: '2023000001', password: 'demo-password' };
  const outcome = await croypto.create({ url: 'https://sso.example.edu' }).signIn(call, async () => {
    given += 1;
    return pair;
  });
  return { outcome, asked, given };
};

it('encrypts with DES or AES, by the length of the key', () => {
  expect(encryptUnderCroypto('demo-password', des)).toBe('Ygzf54yakmS8BAV4K+WDaQ==');
  expect(encryptUnderCroypto('demo-password', aes)).toBe('bEWFAbens/cQdOUfuV91nw==');
});

it('reads key and flow from the text or the value of their elements', () => {
  const wanted = { key: des, flow: 'e1s1', image: '' };
  expect(parseCroyptoPage(pageOf(des))).toEqual(wanted);
  expect(parseCroyptoPage(`<input value="e1s1" id=login-page-flowkey><input id='login-croypto' value=${des}>`)).toEqual(
    wanted,
  );
});

it('sends its form once, and is signed in by the redirect with a ticket', async () => {
  const location = 'http://jwc.example.edu/in?ticket=ST-1';
  const { outcome, asked } = await signIn(pageOf(aes), { status: 302, location });
  expect(outcome).toEqual({ kind: 'signed-in', ticket: location });
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'POST']);
  expect(asked[1]?.form).toEqual([
    ['username', '2023000001'],
    ['type', 'UsernamePassword'],
    ['_eventId', 'submit'],
    ['geolocation', ''],
    ['execution', 'e1s1'],
    ['captcha_code', ''],
    ['croypto', aes],
    ['password', 'bEWFAbens/cQdOUfuV91nw=='],
  ]);
});

it.each(['用户名或密码错误', '账号或密码错误', '账号或密码不正确'])('takes %s for a refusal', async (text) => {
  const { outcome } = await signIn(pageOf(des), { text: pageOf(des, `<div class="errors">${text}</div>`) });
  expect(outcome).toMatchObject({ kind: 'failed', failure: { kind: 'credentials-refused' } });
});

it('takes no other answer for a refusal', async () => {
  const { outcome } = await signIn(pageOf(des), { text: pageOf(des, '<div class="errors">E-1024</div>') });
  expect(outcome).toMatchObject({ kind: 'failed', failure: { kind: 'sign-in-unavailable', passwords: 'unread' } });
});

it('names the SMS that it wants after a password', async () => {
  const { outcome } = await signIn(pageOf(des), { text: '<span id="phone-number">138****0000</span>' });
  expect(outcome).toMatchObject({
    kind: 'needs-person',
    asked: { kind: 'elsewhere', hint: 'sms' },
    password: 'accepted',
  });
});

it('sends no password beside an image, under a key of another length, or to another page', async () => {
  const image = await signIn(pageOf(des, '<img src="api/captcha/generate/DEFAULT">'), {});
  expect(image.outcome).toMatchObject({ kind: 'needs-person', asked: { kind: 'captcha' }, password: 'unsent' });
  const odd = await signIn(pageOf('AAAAAAAAAAAAAAAA'), {});
  expect(odd.outcome).toMatchObject({ kind: 'failed', failure: { kind: 'sign-in-unavailable', passwords: 'unsent' } });
  const other = await signIn('<form><input name="lt" value="1"><input name="execution" value="e"></form>', {});
  expect(other.outcome).toMatchObject({ kind: 'failed', failure: { kind: 'sign-in-unavailable' } });
  for (const { given, asked } of [image, odd, other]) {
    expect([given, asked.filter(({ method }) => method === 'POST')]).toEqual([0, []]);
  }
});

it('reads key and flow as a browser shows them', () => {
  const page = '<p id="login-croypto">ASNFZ4mrze8&#61;</p><p id="login-page-flowkey">e1&amp;s1</p>';
  expect(parseCroyptoPage(page)).toMatchObject({ key: des, flow: 'e1&s1' });
});

it.each(['ASNFZ4mrze8', 'MTIzNDU2Nzg5MDEyMzQ1Ng', 'MTIzNDU2Nzg5MDEyMzQ1Ng=='])('%s is a key', (key) => {
  expect(croyptoPages.unknownCipher?.(pageOf(key))).toBeNull();
});

it.each([
  'ASNFZ4mrze8=garbage',
  '密钥ASNFZ4mrze8',
  'ASNFZ4-rze8=',
  'ASNF\nZ4mrze8=',
  'ASNFZ4mrze8＝',
  '!!!not!!base64!!',
])('sends nothing under a key that a decoder would only make something of: %s', async (key) => {
  const { outcome, given, asked } = await signIn(pageOf(key), {});
  expect(outcome).toMatchObject({ kind: 'failed', failure: { passwords: 'unsent' } });
  expect([given, asked.length]).toEqual([0, 1]);
});

it('sends nothing while something has to be slid first', async () => {
  const { outcome, given } = await signIn(pageOf(des, '<div class="tip">请拖动滑块完成拼图</div>'), {});
  expect(outcome).toMatchObject({ kind: 'needs-person', asked: { hint: 'unknown' }, password: 'unsent' });
  expect(given).toBe(0);
});

it.each([
  ['{"code":"LOCKED","message":"账号已锁定，请30分钟后再试"}', 'sign-in-guarded'],
  ['{"success":false,"errorMsg":"\\u8d26\\u53f7\\u5df2\\u9501\\u5b9a"}', 'sign-in-guarded'],
  ['{"code":401,"data":{"msg":"\\u7528\\u6237\\u540d\\u6216\\u5bc6\\u7801\\u9519\\u8bef"}}', 'credentials-refused'],
])('reads the message of an answer in JSON: %s', async (text, kind) => {
  const { outcome } = await signIn(pageOf(des), { text });
  expect(outcome).toMatchObject({ failure: { kind, upstreamMessage: expect.stringMatching(/^[^{"]+$/) } });
});
