import { describe, expect, it } from 'vitest';
import type { SignInAnswer, SignInCall, SignInRequest } from '../../../../../src/campus/contract/sign-in.ts';
import { jwglxtSignIn } from '../../../../../src/campus/products/jwglxt/sign-in.ts';
import type { HttpAnswer, Unanswered } from '../../../../../src/campus/transport/http.ts';
import { stripPkcs1 } from '../../../../../src/demo/crypto.ts';

/** For simulators only. */
const key = {
  modulus:
    'AKBKs8VI2tTa4bRMZAxISFXry9deFljyhvTElARovuVWws2gvGiXVYNzuoQnhGHmcXNT9NKpmkcmnqULb0WQnRGO3ayVoercHZ++svmL8+ZkCYAdxDVJx//OLemC0URMsNdav5alz3x1FEbvl/YXbi7P709fKipjKkYha9U625fP',
  d: 'Qmsx2om5w4F/DMqqmjxJXPD74h3mfKziJwJdowYUM8ujpLj52Qz8LiACJUiKnlZypCshwzjr6JekHReD3/twWXJAA/Yr4ASgEheMmDbOEhCDNh8JFa5qvvezDfEQ3RmyEmuBOp/7KYMZeo3amf14gIrSPf9QOoBspxydSHKlksE=',
};
const number = (base64: string): bigint => BigInt(`0x${Buffer.from(base64, 'base64').toString('hex')}`);

/** By hand: the library would answer random bytes where the padding is wrong. */
const decrypted = (base64: string): string | undefined => {
  const [modulus, bits] = [number(key.modulus), number(key.d).toString(2)];
  const clear = [...bits].reduce((sum, bit) => (sum * sum * (bit === '1' ? number(base64) : 1n)) % modulus, 1n);
  return stripPkcs1(Buffer.from(clear.toString(16).padStart(256, '0'), 'hex'))?.toString('utf8');
};

const page = (
  tip = '',
  more = '',
) => `<html><body><input id="mmsrddcshkzfs" value= 1><input id="yzcskz" value= 5><input id="dlsbsdsj" value= 10>
<form><h5>用户登录</h5><p id="tips" class="bg_danger"${tip === '' ? ' style="display:none"' : ''}>${tip}</p><input type="hidden" name="csrftoken" value="a,b"/>
<input type="text" name="yhm"><input type="password" name="mm"><input type="text" name="mm">${more}</form></body></html>`;
const menu = '<input id="sessionUserKey" value="2023000001"/>';
const keyText = JSON.stringify({ modulus: key.modulus, exponent: 'AQAB' });
const now = Date.parse('2026-01-10T08:00:00+08:00');

const answer = (text: string, status = 200, location?: string): HttpAnswer => ({
  kind: 'answer',
  status,
  location,
  setCookies: [],
  text,
});
const toMenu = answer('', 302, '/jwglxt/xtgl/index_initMenu.html?jsdm=xs&_t=1');
const toLogin = answer('', 302, '/jwglxt/xtgl/login_slogin.html');

interface Campus {
  readonly login?: HttpAnswer;
  readonly failures?: string;
  readonly key?: HttpAnswer;
  readonly password?: HttpAnswer | Unanswered;
  readonly menu?: HttpAnswer;
}

const run = async (campus: Campus, password = 'demo-password') => {
  const asked: SignInRequest[] = [];
  const rows: ReadonlyArray<readonly [RegExp, HttpAnswer | Unanswered]> = [
    [/^GET .*login_slogin/, campus.login ?? answer(page())],
    [/login_cxDlxgxx/, answer(campus.failures ?? '"1_1767000000000"')],
    [/getPublicKey/, campus.key ?? answer(keyText)],
    [/^POST .*login_slogin/, campus.password ?? toMenu],
    [/index_initMenu/, campus.menu ?? answer(menu)],
  ];
  const call: SignInCall = {
    now,
    userid: '2023000001',
    step: 'unified-login',
    service: null,
    renews: true,
    ask: (request) => {
      asked.push(request);
      const name = `${request.method} ${request.path}`;
      return Promise.resolve(rows.find(([each]) => each.test(name))?.[1] ?? answer('', 404));
    },
    locate: (reference, from = '') => new URL(reference, `https://jw.example.edu/jwglxt${from}`),
    leadsBack: () => null,
    saw: () => {},
  };
  let credentials = 0;
  const signIn = jwglxtSignIn();
  const outcome = await signIn.signIn(call, () => {
    credentials += 1;
    return Promise.resolve({ userid: '2023000001', password });
  });
  const posts = asked.filter(({ method, path }) => method === 'POST' && String(path).includes('login_slogin'));
  return { outcome, posts, credentials, asked, longest: signIn.longestPassword() };
};

const told = (outcome: SignInAnswer): object => {
  if (outcome.kind === 'signed-in') return { kind: outcome.kind };
  if (outcome.kind === 'needs-person') return { ...outcome.asked, password: outcome.password, last: outcome.last };
  const { kind, reason } = outcome.failure;
  return {
    kind,
    reason,
    ...('passwords' in outcome.failure && { passwords: outcome.failure.passwords }),
    ...('upstreamMessage' in outcome.failure && { words: outcome.failure.upstreamMessage }),
    ...('lockedSeconds' in outcome.failure && { lockedSeconds: outcome.failure.lockedSeconds }),
  };
};

it('encrypts the password for the key, and sends it in both places with the fields of the page', async () => {
  const { outcome, posts, longest } = await run({});
  expect(told(outcome)).toEqual({ kind: 'signed-in' });
  const [post] = posts;
  expect(post?.form?.map(([name]) => name)).toEqual(['csrftoken', 'yhm', 'mm', 'mm']);
  const [first, second] = (post?.form ?? []).filter(([name]) => name === 'mm').map(([, value]) => value);
  expect([decrypted(first ?? ''), second]).toEqual(['demo-password', first]);
  expect(longest).toBe(117);
});

const unsent = { kind: 'sign-in-unavailable', passwords: 'unsent' };
const unread = { kind: 'sign-in-unavailable', passwords: 'unread' };

describe('before the password', () => {
  it.each<[string, Campus, object]>([
    ['no such user', { failures: '"0"' }, { kind: 'credentials-refused', passwords: 'unsent' }],
    [
      'a lock',
      { failures: `"5_${now - 60_000}"` },
      { kind: 'sign-in-guarded', passwords: 'locked', lockedSeconds: 540 },
    ],
    ['a key that is none', { key: answer('{}') }, unsent],
    ['a page for a key', { key: answer(page()) }, unsent],
    [
      'a key of 512 bits',
      { key: answer(JSON.stringify({ modulus: Buffer.alloc(64, 0xc1).toString('base64'), exponent: 'AQAB' })) },
      unsent,
    ],
    ['an exponent of one', { key: answer(JSON.stringify({ modulus: key.modulus, exponent: 'AQ==' })) }, unsent],
    ['a firewall at the key', { key: answer('', 412) }, { ...unsent, reason: 'a server cannot pass this firewall' }],
    [
      'the night',
      { login: answer('<html><body>系统维护中，开放时间：7:00-23:00</body></html>', 403) },
      { ...unsent, words: '系统维护中，开放时间：7:00-23:00' },
    ],
    ['the night at the key', { key: answer('<p>系统维护</p>', 403) }, { ...unsent, words: '系统维护' }],
  ])('stops at %s, and sends none', async (_, campus, expected) => {
    const { outcome, posts, credentials } = await run(campus);
    expect([told(outcome), posts.length]).toMatchObject([expected, 0]);
    // Only a key that no password may be trusted to is judged with it in hand.
    expect(credentials).toBeLessThanOrEqual(1);
  });

  it.each(['', 'x', '"7"', `"4_${now}"`, `"5_${now - 601_000}"`])(
    'goes on where the count of failures is %s',
    async (failures) => {
      expect(told((await run({ failures })).outcome)).toEqual({ kind: 'signed-in' });
    },
  );

  it('refuses a page that is not its own, and a password that the key has no room for', async () => {
    expect(told((await run({ login: answer('<p>别的页面</p>') })).outcome)).toMatchObject({
      kind: 'sign-in-unavailable',
    });
    const long = await run({}, 'x'.repeat(118));
    expect([told(long.outcome), long.posts.length]).toMatchObject([unsent, 0]);
  });
});

describe('the answer to the password', () => {
  const broken: Unanswered = { kind: 'no-answer', fault: 'broken' };
  it.each<[string, Campus, object]>([
    [
      'a page that leads to the menu',
      { password: answer('<meta http-equiv="refresh" content="0;url=/jwglxt/xtgl/index_initMenu.html">') },
      { kind: 'signed-in' },
    ],
    ['back to the login, with a session', { password: toLogin }, { kind: 'signed-in' }],
    ['back to the login, without one', { password: toLogin, menu: toLogin }, unread],
    ['another redirect', { password: answer('', 302, '/jwglxt/xtgl/xgmm.html') }, unread],
    [
      'a wrong pair',
      { password: answer(page('用户名或密码不正确，请重新输入！')) },
      { kind: 'credentials-refused', reason: 'refused' },
    ],
    [
      'a lock',
      { password: answer(page('您已超过最大登录失败次数，请在300秒后再登录！')) },
      { kind: 'sign-in-guarded', passwords: 'locked', lockedSeconds: 300 },
    ],
    ['an image', { password: answer(page('验证码不能为空')) }, { kind: 'captcha', password: 'guarded' }],
    ...[
      '<input id="mmsfjm" value="0"><input name="publicKey" value="x">',
      '<script src="/zfdun_captcha.js"></script>',
    ].map((more): [string, Campus, object] => [
      'an image, on a page that takes no password of ours',
      { password: answer(page('验证码不能为空', more)) },
      { kind: 'elsewhere', hint: 'captcha', password: 'guarded' },
    ]),
    ['a slider', { password: answer(page('请先滑动图片进行验证')) }, { kind: 'elsewhere', hint: 'unknown' }],
    [
      'a code by SMS',
      { password: answer('<form><input name="dxyz"><span>短信验证码已发送</span></form>') },
      { kind: 'elsewhere', hint: 'sms', password: 'accepted' },
    ],
    [
      'a new password',
      { password: answer('<form><input type="password" name="newmm"><input type="password" name="newmm2"></form>') },
      { kind: 'elsewhere', hint: 'password-change' },
    ],
    [
      'a closed campus',
      { password: answer(page('当前不在系统开放时间内')) },
      { kind: 'sign-in-unavailable', passwords: 'closed' },
    ],
    ['words that nobody knows', { password: answer(page('请联系辅导员')) }, { ...unread, words: '请联系辅导员' }],
    ['the night', { password: answer('<p>系统维护</p>', 403) }, { ...unread, words: '系统维护' }],
    ['a firewall', { password: answer('<script>$_ts=1</script>') }, unread],
    ['a fault of the server', { password: answer('', 500) }, unread],
    ['silence', { password: broken }, unread],
    ['a menu of another student', { menu: answer('<input id="sessionUserKey" value="2023000002"/>') }, unread],
    ['a profile to fill in', { menu: answer('<h1>完善信息</h1>') }, unread],
    ['a session that is lost at once', { menu: toLogin }, { kind: 'sign-in-unavailable', passwords: 'unstable' }],
    ['the same by its status', { menu: answer('', 901) }, { kind: 'sign-in-unavailable', passwords: 'unstable' }],
  ])('is read as what it is: %s', async (_, campus, expected) => {
    const { outcome, posts } = await run(campus);
    expect([told(outcome), posts.length]).toMatchObject([expected, 1]);
  });

  it('is no refusal where the page said the same before', async () => {
    const standing = page('', '<div class="help">密码错误五次后账号将被锁定</div>');
    const { outcome } = await run({ login: answer(standing), password: answer(standing) });
    expect(told(outcome)).toMatchObject(unread);
  });
});
