import { expect, it } from 'vitest';
import { CampusRequests, unlimitedBudget } from '../../../../src/campus/session/campus-requests.ts';
import { PlaceCall } from '../../../../src/campus/session/place-call.ts';
import { StudentState } from '../../../../src/campus/session/student-state.ts';
import { BreakerScope } from '../../../../src/campus/transport/breaker.ts';
import type { HttpAnswer } from '../../../../src/campus/transport/http.ts';
import { Semaphore } from '../../../../src/lib/queues.ts';
import { addressesOf } from '../../../support/addresses-of.ts';
import { recordingLog } from '../../../support/campus-rig.ts';
import { inlinePages } from '../../../support/inline-pages.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { unusedWiring } from '../../../support/unused-wiring.ts';

const answer = (text: string, more: Partial<HttpAnswer> = {}): HttpAnswer => ({
  kind: 'answer',
  status: 200,
  location: undefined,
  setCookies: [],
  text,
  ...more,
});
const loginPage = answer('<input name="lt" value="LT-1"><input name="execution" value="e1s1">');
const portalPage = '<html><body class="x"><div class="sangfor-main"></div></body></html>';
const service = unusedWiring.jwcService;

/** A ticket asked for while the unified login answers so: its outcome, and how often a password was sent. */
const ask = async (opened: HttpAnswer, submitted = answer('')) => {
  let passwords = 0;
  const addresses = addressesOf(unusedWiring);
  const send = async ({ method }: { method: string }) => {
    if (method === 'GET') return opened;
    passwords += 1;
    return submitted;
  };
  const requests = new CampusRequests(
    {
      http: { send },
      addresses,
      clock: new ManualClock(),
      attemptMs: 1,
      slowAttemptMs: 1,
      pages: inlinePages,
      oddities: { isNew: () => true },
      log: recordingLog(),
      tagOf: String,
    },
    new StudentState(addresses),
    {
      breakers: new BreakerScope(new Map(), 'first'),
      budget: unlimitedBudget,
      slots: new Semaphore(1, 1),
      signal: new AbortController().signal,
    },
  );
  const credentials = async () => ({ userid: '2023000001', password: 'secret' });
  const outcome = await new PlaceCall(requests, 'unified-login', '2023000001', { service }).signIn(credentials);
  return { outcome, passwords };
};

it('a page of the portal in place of the login page is a dead portal session, and no password is sent', async () => {
  expect(await ask(answer(portalPage))).toEqual({ outcome: { kind: 'portal-dead' }, passwords: 0 });
});

it.each([500, 503])('a page of the portal with status %i proves nothing', async (status) => {
  expect(await ask(answer(portalPage, { status }))).toMatchObject({
    outcome: {
      kind: 'failed',
      failure: { kind: 'sign-in-unavailable', step: 'unified-login', reason: `status ${status}` },
    },
    passwords: 0,
  });
});

const onward = '<input type="hidden" name="execution" value="e1s2">';
it.each([
  ['a field for a code', `<form><input name="token">${onward}</form>`],
  [
    'words of a refusal in its script',
    `<script>'用户名或密码错误'</script><form><input type="tel" name="otp">${onward}</form>`,
  ],
  ['the ticket of the login page', `<input name="lt" value="LT-2">${onward}<input type="text" name="sms">`],
  ['nothing to type in', `<form>${onward}<button>continue</button></form>`],
])('a page that continues without a password, with %s, is a step that cannot be taken here', async (_what, text) => {
  expect(await ask(loginPage, answer(text))).toMatchObject({
    outcome: {
      kind: 'needs-person',
      asked: { kind: 'elsewhere', hint: 'unknown' },
      resume: null,
      password: 'accepted',
    },
    passwords: 1,
  });
});

it('such a page in place of the login page is a step as well, and no password is sent', async () => {
  expect(await ask(answer(`<form><input name="token">${onward}</form>`))).toMatchObject({
    outcome: { kind: 'needs-person', asked: { kind: 'elsewhere', hint: 'unknown' }, resume: null, password: 'unsent' },
    passwords: 0,
  });
});

it.each([
  [
    'the login page again',
    `<input name="username"><input type="password" name="password">${onward}`,
    'sign-in-unavailable',
  ],
  ['with an image to read', `<input name="password"><input name="captcha">${onward}`, 'sign-in-unavailable'],
  [
    'a refusal without its fields',
    `用户名或密码错误<input type="hidden" name="lt" value="LT-2">${onward}`,
    'credentials-refused',
  ],
  [
    'a form of something else',
    '<form><input name="token"><input name="execution" value=""></form>',
    'sign-in-unavailable',
  ],
])('%s is no step', async (_what, text, kind) => {
  expect(await ask(loginPage, answer(text))).toMatchObject({ outcome: { failure: { kind } } });
});

it.each([
  [200, '用户名或密码错误', 'credentials-refused'],
  [401, 'Invalid username or password', 'credentials-refused'],
  [500, '用户名或密码错误', 'sign-in-unavailable'],
  [200, '系统繁忙', 'sign-in-unavailable'],
])('an answer %i "%s" to the password is %s', async (status, text, kind) => {
  expect(await ask(loginPage, answer(text, { status }))).toMatchObject({
    outcome: { kind: 'failed', failure: { kind, step: 'unified-login' } },
    passwords: 1,
  });
});

const within = (path: string) => `${unusedWiring.casUrl}${path}`;
const elsewhere = (hint: string) => ({
  kind: 'needs-person',
  asked: { kind: 'elsewhere', hint },
  resume: null,
  password: 'accepted',
});
const unread = { kind: 'failed', failure: { kind: 'sign-in-unavailable', passwords: 'unread' } };
it.each([
  [within('/changePassword'), elsewhere('password-change')],
  [within('/login?execution=e1s2'), elsewhere('unknown')],
  [within('/firstLogin.do'), elsewhere('unknown')],
  [within('/login?resetPwd=1&service=x'), elsewhere('password-change')],
  // The first page again, or no page of the login.
  [within('/login?service=x'), unread],
  [within('/login?service=x&error=1'), unread],
  ['http://elsewhere.invalid/changePassword', unread],
  [`${unusedWiring.jwcUrl}/changePassword`, unread],
])('a redirect after the password to %s, without a ticket', async (location, outcome) => {
  const redirect = answer('', { status: 302, location });
  expect(await ask(loginPage, redirect)).toMatchObject({ outcome, passwords: 1 });
});

it('a page that wants an unknown cipher gets no password, and is asked for once', async () => {
  const salted = answer(`${loginPage.text}<input id="pwdEncryptSalt" value="Qw3rTyKp8sDfGh2J">`);
  expect(await ask(salted)).toMatchObject({
    outcome: {
      kind: 'failed',
      failure: { kind: 'sign-in-unavailable', passwords: 'unsent', reason: expect.stringContaining('pwdEncryptSalt') },
    },
    passwords: 0,
  });
});

it('the words of a message that we do not know are the reason, and it is no refusal', async () => {
  const page = answer(
    '<input name="username"><input type="password" name="password"><p class="errors">系统异常 <b>7</b></p>',
  );
  expect(await ask(loginPage, page)).toMatchObject({
    outcome: { kind: 'failed', failure: { passwords: 'unread', upstreamMessage: '系统异常 7' } },
  });
});

it('a help text of the page before is no answer', async () => {
  const help = '<div class="tips">首次登录请修改初始密码</div>';
  const before = answer(`${loginPage.text}<input type="password" name="password">${help}`);
  expect(await ask(before, before)).toMatchObject({ outcome: unread });
});

it('a demand for a new password goes before the texts beside it', async () => {
  const fields = '<input type="password" name="oldPassword"><input type="password" name="newPassword">';
  const page = answer(`<form>${fields}${onward}<p class="tip">两次密码不一致，密码有误</p></form>`);
  expect(await ask(loginPage, page)).toMatchObject({ outcome: elsewhere('password-change'), passwords: 1 });
});
