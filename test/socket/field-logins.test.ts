import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DemoCampusSwitches, DemoMessage } from '../../src/demo/types.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

// What portals and logins in the field answer to a password, and how often it is sent then.

const MINUTE = 60_000;

let gateway: Gateway;
let clock: ManualClock;
let token: string;
let images: DemoMessage[];
beforeEach(async () => {
  clock = new ManualClock();
  images = [];
  gateway = await startGateway({ clock, onMessage: (message) => void images.push(message) });
  token = await gateway.register();
  end();
});
afterEach(() => gateway.close());

/** No session is left, and the campus was not asked for minutes. */
const end = (): void => {
  clock.advance(5 * MINUTE);
  const student = gateway.demo.student(first.userid);
  student.expirePortal();
  student.expireUnifiedLogin();
  student.expireService('jwc');
  gateway.demo.resetRequests();
};

const posts = (line: string): number => gateway.wire().filter((each) => each === line).length;
const portalPosts = (): number => posts('vpn POST /por/login_psw.csp');
const loginPosts = (): number => posts('cas POST /cas/login');
const read = () => gateway.b('GET', '/jwc/academic/info', { token });
const login = () => gateway.b('POST', '/auth/login/next', { body: entryOf(first), token });

/** Status and code of each of four reads. */
const fourReads = async (): Promise<string[]> => {
  const told: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    const { status, body } = await read();
    told.push(`${status} ${body.error?.code ?? ''}`.trim());
  }
  return told;
};
const paused = Array(4).fill('502 REMOTE_SERVICE_ERROR');
const elsewhere = Array(4).fill('403 PERSON_NEEDED');

describe('an image that the portal wants:', () => {
  beforeEach(() => {
    gateway.demo.switches.captcha = 'unannounced';
  });

  it('four reads send one password', async () => {
    expect(await fourReads()).toEqual(paused);
    expect(portalPosts()).toBe(1);
  });

  it('a person is shown one; read wrong, a new one, and neither is a wrong password', async () => {
    const { status, body } = await login();
    expect([status, body.data.challenge.kind]).toEqual([428, 'captcha']);
    const { id } = body.data.challenge;
    const answer = (text: string) => gateway.b('POST', `/auth/challenges/${id}/answer`, { body: { answer: text } });
    const wrong = await answer('ZZZZ');
    expect([wrong.status, wrong.body.error.code, wrong.body.data.challenge.kind]).toEqual([
      428,
      'LOGIN_CHALLENGE',
      'captcha',
    ]);
    expect(portalPosts()).toBe(2);
    const shown = await gateway.b('POST', `/auth/challenges/${id}/send`, { body: {} });
    expect([shown.status, portalPosts()]).toEqual([200, 2]);
    expect((await answer(images.at(-1)?.text ?? '')).status).toBe(200);
  });
});

it('a policy of the portal: one password', async () => {
  gateway.demo.switches.loginPolicy = 'number';
  const { body, headers } = await read();
  expect(body.message).toContain('不允许该账号登录');
  expect(headers.get('retry-after')).toBe('60');
  expect(await fourReads()).toEqual(paused);
  expect(portalPosts()).toBe(1);
  // The owner, who brings a token, learns what it is.
  const { status, body: told } = await login();
  expect([status, told.message]).toEqual([502, expect.stringContaining('不允许该账号登录')]);
});

it.each(['page', 'redirect'] as const)(
  'a demand for a new password by a %s is a step elsewhere: one password',
  async (form) => {
    gateway.demo.switches.unifiedLoginChange = form;
    const { body } = await read();
    expect(body.message).toContain('修改密码');
    expect(await fourReads()).toEqual(elsewhere);
    expect([portalPosts(), loginPosts()]).toEqual([1, 1]);
  },
);

it('the fields of a hidden form for phones are left alone', async () => {
  gateway.demo.switches.unifiedLoginForms = 'two';
  expect((await read()).status).toBe(200);
  expect(loginPosts()).toBe(1);
});

it.each<[string, Partial<DemoCampusSwitches>, number]>([
  ['a password to be changed', { unifiedLoginChange: 'page' }, 403],
  ['an account that is locked', { unifiedLoginWords: { text: '账号已锁定', also: 'right' } }, 502],
])('%s is one student alone: after three of them others sign in', async (_, switches, status) => {
  const { demo } = gateway;
  const usual = { ...demo.switches };
  const others = ['2023000011', '2023000012', '2023000013'];
  const tokens: string[] = [];
  for (const userid of others) {
    const other = { userid, password: 'p', vpnPassword: 'v' };
    demo.addStudent(other);
    tokens.push(await gateway.register(other));
  }
  clock.advance(5 * MINUTE);
  for (const userid of others) {
    demo.student(userid).expireUnifiedLogin();
    demo.student(userid).expireService('jwc');
  }
  Object.assign(demo.switches, switches);
  for (const each of tokens) {
    expect((await gateway.b('GET', '/jwc/academic/info', { token: each })).status).toBe(status);
  }
  Object.assign(demo.switches, usual);
  // The breaker of all is closed.
  expect((await read()).status).toBe(200);
});

describe('words of the unified login', () => {
  it('a wrong password is refused and not sent again', async () => {
    gateway.demo.switches.unifiedLoginWords = { text: '您提供的用户名或者密码有误', also: 'wrong' };
    gateway.demo.student(first.userid).changePasswords({ password: 'other' });
    expect(await fourReads()).toEqual(Array(4).fill('403 USER_NEED_RESET_PASSWORD'));
    expect(loginPosts()).toBe(1);
  });

  it.each([
    ['账号已被冻结', paused, 1],
    ['系统维护中', paused, 1],
    ['密码已过期，请修改密码', elsewhere, 1],
    ['验证码错误', paused, 1],
    ['系统异常', paused, 3],
    ['<span style="display:none">用户名或密码错误</span>', paused, 3],
  ])('"%s" is no wrong password', async (text, told, passwords) => {
    gateway.demo.switches.unifiedLoginWords = { text, also: 'right' };
    expect(await fourReads()).toEqual(told);
    expect(loginPosts()).toBe(passwords);
    gateway.demo.switches.unifiedLoginWords = null;
    clock.advance(61 * MINUTE);
    if (told === elsewhere) expect((await login()).status).toBe(200);
    expect((await read()).status).toBe(200);
  });
});

it('a page that names a salt gets no password', async () => {
  gateway.demo.switches.unifiedLoginSalt = true;
  expect(await fourReads()).toEqual(paused);
  expect(loginPosts()).toBe(0);
  expect(posts('cas GET /cas/login')).toBe(4);
  expect(gateway.log()).toContain('pwdEncryptSalt');
});

it.each(['https', 'no port', 'other host'] as const)('a ticket is redeemed by its cookie: %s', async (landing) => {
  gateway.demo.switches.landing = landing;
  expect((await read()).status).toBe(200);
  expect(gateway.wire().filter((line) => line.startsWith('jwc GET'))).toEqual(['jwc GET /j_spring_cas_security_check']);
});
