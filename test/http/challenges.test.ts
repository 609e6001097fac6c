import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Challenge } from '../../src/domain/accounts/challenges/ports.ts';
import { Failure, type FailureKind } from '../../src/domain/errors.ts';
import { maskedId } from '../../src/surfaces/page/html.ts';
import { appUnderTest } from '../support/app.ts';
import { exampleChallenge, exampleToken } from '../support/fake-services.ts';

const pair = { userid: '2023000001', password: 'pass-1', vpn_password: 'vpn-1' };
const own = { publicUrl: 'https://campus.example.edu' };
const base = `/auth/challenges/${exampleChallenge.id}`;
const begun = (challenge: Partial<Challenge> = {}): Failure =>
  new Failure('login-challenge', { step: 'portal', challenge: { ...exampleChallenge, ...challenge } });
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const captcha = { kind: 'captcha', image: { type: 'image/png', bytes: png } } as const;

describe('a login that waits for a person', () => {
  it.each(['login', 'register'] as const)('%s: 428 with everything that is to be answered', async (name) => {
    const { app, services } = await appUnderTest({}, own);
    services.accounts[name].fails(begun());
    const payload = name === 'login' ? pair : { ...pair, invite_token: 'i' };
    const answer = await app.inject({ method: 'POST', url: `/auth/${name}/next`, payload });
    const message =
      '学校VPN门户要求短信验证码，请打开 https://campus.example.edu/challenge 输入 7K2M-9QXD 完成验证，然后用同样的密码重新登录';
    expect(answer.statusCode).toBe(428);
    expect(answer.json()).toMatchObject({ message, error: { code: 'LOGIN_CHALLENGE', message, retryable: false } });
    expect(answer.json().data).toEqual({
      challenge: {
        id: exampleChallenge.id,
        step: 'portal',
        kind: 'sms',
        message,
        image_png_base64: null,
        targets: [],
        sent: 'unknown',
        still_valid: false,
        answers_left: 3,
        resend_after: 0,
        expires_at: '2026-03-18 10:05:00',
        page_url: 'https://campus.example.edu/challenge',
        page_code: '7K2M-9QXD',
      },
    });
    await app.close();
  });

  it('without PUBLIC_URL there is no page, whatever Host says, and the words name none', async () => {
    const { app, services } = await appUnderTest();
    services.accounts.login.fails(begun({ ...captcha, last: 'wrong' }));
    const headers = { host: 'evil.example' };
    const answer = await app.inject({ method: 'POST', url: '/auth/login/next', payload: pair, headers });
    const { challenge } = answer.json().data;
    expect([challenge.page_url, challenge.page_code, challenge.image_png_base64]).toEqual([
      null,
      null,
      png.toString('base64'),
    ]);
    expect(challenge.message).toMatch(/^输入不正确。学校VPN门户要求图形验证码，请在应用中完成验证/);
    expect(answer.body).not.toMatch(/evil|7K2M/);
    for (const method of ['GET', 'POST'] as const) {
      expect((await app.inject({ method, url: '/challenge' })).statusCode).toBe(404);
    }
  });

  it.each(['login', 'register'] as const)('below /api/v1 %s has code 428, words and a header', async (name) => {
    const { app, services } = await appUnderTest({}, own);
    services.accounts[name].fails(begun());
    const payload = name === 'login' ? pair : { ...pair, invite_token: 'i' };
    const headers = { origin: 'https://app.example' };
    const answer = await app.inject({ method: 'POST', url: `/api/v1/user/${name}`, payload, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ code: 428, message: expect.stringContaining('输入 7K2M-9QXD'), data: null });
    expect(answer.headers['x-challenge']).toBe(exampleChallenge.id);
    expect(String(answer.headers['access-control-expose-headers'])).toContain('X-Challenge');
    expect(answer.body).not.toContain(exampleChallenge.id);
    services.accounts[name].fails(new Failure('challenge-busy', { retryAfterSeconds: 42 }));
    const busy = await app.inject({ method: 'POST', url: `/api/v1/user/${name}`, payload });
    expect([busy.json().code, busy.headers['retry-after']]).toEqual([429, '42']);
    await app.close();
  });

  it('a data call says what is wanted, and that nothing is open', async () => {
    const { app, services } = await appUnderTest();
    services.academics.summary.fails(new Failure('person-needed', { step: 'portal', wanted: 'captcha' }));
    const headers = { authorization: `Bearer ${exampleToken}` };
    const answer = await app.inject({ url: '/jwc/academic/info', headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'PERSON_NEEDED']);
    expect(answer.json().data.challenge).toMatchObject({
      id: null,
      kind: 'captcha',
      image_png_base64: null,
      message: '学校VPN门户要求图形验证码，请在这里重新登录并完成验证',
    });
    services.academics.summary.fails(new Failure('person-needed', { step: 'portal', wanted: 'certificate' }));
    const other = (await app.inject({ url: '/jwc/academic/info', headers })).json().data.challenge;
    expect([other.kind, other.message]).toEqual([
      'elsewhere',
      '学校VPN门户要求数字证书，请先在门户网站登录一次，再回到这里重新登录',
    ]);
    const url = '/api/v1/jwc/fetch_academic_info';
    const below = await app.inject({ method: 'POST', url, payload: { token: exampleToken } });
    expect(below.json()).toEqual({ code: 400, message: other.message, data: null });
    expect(below.headers['x-challenge']).toBeUndefined();
  });
});

describe('/auth/challenges', () => {
  const bearer = { authorization: `Bearer ${exampleToken}` };

  it('begins one with a token of a login alone', async () => {
    const { app, services } = await appUnderTest();
    const begin = (headers = {}) => app.inject({ method: 'POST', url: '/auth/challenges', headers });
    expect((await begin()).statusCode).toBe(401);
    const answer = await begin(bearer);
    expect([answer.statusCode, answer.json().data.challenge.id]).toEqual([200, exampleChallenge.id]);
    services.challenges.begin.returns(null);
    expect((await begin(bearer)).json().data).toEqual({ challenge: null });
    services.challenges.begin.fails(new Failure('challenge-needless'));
    expect([(await begin(bearer)).statusCode, (await begin(bearer)).json().error.code]).toEqual([
      409,
      'CHALLENGE_NEEDLESS',
    ]);
  });

  it('looks, sends, answers and ends with the id and nothing else', async () => {
    const { app, services } = await appUnderTest();
    const { look, send, answer, end } = services.challenges;
    expect((await app.inject(base)).json().data.challenge.kind).toBe('sms');
    look.returns('passed');
    expect((await app.inject(base)).json()).toMatchObject({ data: { challenge: null }, message: '验证已完成' });
    const sent = await app.inject({ method: 'POST', url: `${base}/send` });
    expect(sent.json().data.challenge).toMatchObject({ sent: 'perhaps', resend_after: 60 });
    await app.inject({ method: 'POST', url: `${base}/send`, payload: { target: 1 } });
    expect(send.calls.map(([key, target]) => [key, target])).toEqual([
      [{ id: exampleChallenge.id }, undefined],
      [{ id: exampleChallenge.id }, 1],
    ]);
    const done = await app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: '482913' } });
    expect(done.json()).toMatchObject({ message: '登录成功', data: { token: exampleToken } });
    expect(answer.calls[0]?.slice(0, 2)).toEqual([{ id: exampleChallenge.id }, '482913']);
    answer.returns({ kind: 'renewed' });
    const renewed = await app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: '482913' } });
    expect(renewed.json().data).toEqual({ token: null });
    expect((await app.inject({ method: 'DELETE', url: base })).json().data).toEqual({ success: true });
    expect(end.calls).toEqual([[{ id: exampleChallenge.id }]]);
  });

  it('an answer that was wrong is 428 and goes on with what is left', async () => {
    const { app, services } = await appUnderTest();
    services.challenges.answer.fails(begun({ last: 'wrong', answersLeft: 2 }));
    const answer = await app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: '1234' } });
    expect([answer.statusCode, answer.json().data.challenge.answers_left]).toEqual([428, 2]);
  });

  it('unknown, ended and foreign ones are alike', async () => {
    const { app, services } = await appUnderTest();
    const gone = () => Promise.reject(new Failure('challenge-unknown'));
    const { look, send, answer, end } = services.challenges;
    look.does(gone);
    send.does(gone);
    answer.does(gone);
    end.does(gone);
    const seen = await Promise.all([
      app.inject(base),
      app.inject({ method: 'POST', url: `${base}/send` }),
      app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: '1' } }),
      app.inject({ method: 'DELETE', url: base }),
    ]);
    expect(seen.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    const bodies = seen.map((one) => ({ ...one.json(), error: { ...one.json().error, trace_id: '' } }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it.each<[string, object, string]>([
    ['answer', { answer: 'x'.repeat(10_000) }, 'body.answer'],
    ['answer', {}, 'body.answer'],
    ['send', { target: -1 }, 'body.target'],
  ])('%s with %o is 422 and asks nobody', async (path, payload, loc) => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ method: 'POST', url: `${base}/${path}`, payload });
    expect([answer.statusCode, answer.json().error.details[0].loc.join('.')]).toEqual([422, loc]);
    expect([...services.challenges.answer.calls, ...services.challenges.send.calls]).toEqual([]);
  });

  it('what the campus cannot be sent is 422 too', async () => {
    const { app, services } = await appUnderTest();
    services.challenges.answer.fails(new Failure('challenge-answer'));
    services.challenges.send.fails(new Failure('challenge-target'));
    const answer = await app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 'what?' } });
    const sent = await app.inject({ method: 'POST', url: `${base}/send` });
    expect([answer, sent].map((one) => [one.statusCode, one.json().error.details[0].loc])).toEqual([
      [422, ['body', 'answer']],
      [422, ['body', 'target']],
    ]);
  });
});

describe('the page', () => {
  type Under = Awaited<ReturnType<typeof appUnderTest>>;
  const build = () => appUnderTest({}, { ...own, trustedProxies: ['127.0.0.1'], requestTimeoutMs: 100_000 });
  let shared: Under;
  let under: Under;
  beforeAll(async () => {
    shared = await build();
    return () => shared.app.close();
  });
  beforeEach(() => {
    under = shared;
    const { look, send, answer } = under.services.challenges;
    look.returns(exampleChallenge);
    send.returns({ ...exampleChallenge, sent: 'perhaps', resendAfter: 60 });
    for (const { calls } of [look, send, answer]) calls.length = 0;
  });
  const open = (headers = {}) => under.app.inject({ url: '/challenge', headers });
  const post = (members: Record<string, string>, { from = '203.0.113.7', ...headers }: Record<string, string> = {}) =>
    under.app.inject({
      method: 'POST',
      url: '/challenge',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from, ...headers },
      payload: new URLSearchParams(members).toString(),
    });
  const code = '7k2m 9qxd';
  const elsewhere = { ...exampleChallenge, asker: { ...exampleChallenge.asker, isHere: false } };

  it('is English or Chinese, has one style that its policy names, and is kept and told nowhere', async () => {
    for (const [language, tag, heading] of [
      ['en', 'en', 'Confirm a login'],
      ['zh-CN,zh', 'zh-CN', '登录验证'],
    ] as const) {
      const { headers, body } = await open({ 'accept-language': language });
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toBe(
        `default-src 'none';base-uri 'none';img-src data:;style-src 'sha256-${hash}';form-action 'self';frame-ancestors 'none'`,
      );
      expect([headers['cache-control'], headers['referrer-policy'], headers['content-type']]).toEqual([
        'no-store',
        'no-referrer',
        'text/html; charset=utf-8',
      ]);
      expect(String(headers.vary)).toContain('Accept-Language');
      expect(body).toContain(`<html lang="${tag}">`);
      expect(body).toContain(`<h1>${heading}</h1>`);
      expect(body).not.toMatch(/<script| style="| on[a-z]+=|https?:/);
    }
  });

  it('reads a code whatever its case, blanks and look-alikes, and names who began the login', async () => {
    const { look } = under.services.challenges;
    for (const typed of [code, '7K2M-9QXD', '７k2m９QXD']) {
      const { statusCode, body } = await post({ code: typed });
      expect(statusCode).toBe(200);
      for (const text of ['2023****01', '2026-03-18 10:00:00', 'CampusApp', '203.0.113.0/24']) {
        expect(body).toContain(text);
      }
      expect(body).not.toContain('2023000001');
      expect(body).not.toContain(exampleChallenge.id);
    }
    await post({ code: 'oil0-oil0' });
    expect(look.calls.map(([key]) => key)).toEqual([
      ...Array(3).fill({ pageCode: '7K2M9QXD' }),
      { pageCode: '01100110' },
    ]);
  });

  it('shows what each kind needs, and nothing else', async () => {
    const { look } = under.services.challenges;
    look.returns({ ...exampleChallenge, ...captcha });
    const image = (await post({ code })).body;
    expect(image).toContain(`src="data:image/png;base64,${png.toString('base64')}"`);
    expect(image).toMatch(/<label for="answer">Characters in the image<.*Show another image/s);
    look.returns({ ...exampleChallenge, kind: 'totp' });
    expect((await post({ code })).body).not.toContain('value="send"');
    look.returns({
      ...exampleChallenge,
      targets: [
        { index: 0, label: '138****0000' },
        { index: 1, label: '<b>"159****1111"</b>' },
      ],
      resendAfter: 60,
      stillValid: true,
    });
    const sms = (await post({ code }, { 'accept-language': 'zh' })).body;
    expect(sms).toContain('value="1" required> &lt;b&gt;&quot;159****1111&quot;&lt;/b&gt;');
    expect(sms).toContain('10:01:00 之后可以再次获取');
    expect(sms).toContain('上一次收到的验证码仍然有效');
  });

  it('sends and answers with the code, and says what became of it', async () => {
    const { send, answer } = under.services.challenges;
    expect((await post({ code, action: 'send', target: '1' })).body).toContain('A code was sent now, or the last one');
    expect(send.calls[0]?.slice(0, 2)).toEqual([{ pageCode: '7K2M9QXD' }, 1]);
    answer.fails(begun({ last: 'wrong', answersLeft: 2 }));
    const wrong = await post({ code, action: 'answer', answer: '1234' });
    expect(wrong.body).toMatch(/role="alert" id="notice">That was not right\. Tries left: 2\./);
    expect(wrong.body).toMatch(/aria-describedby="answer-hint notice" aria-invalid="true"/);
    answer.returns({ kind: 'freed' });
    const done = await post({ code, answer: '４８２９１３' });
    expect([done.statusCode, /<h1>Done</.test(done.body)]).toEqual([200, true]);
    expect(answer.calls.at(-1)?.slice(0, 2)).toEqual([{ pageCode: '7K2M9QXD' }, '482913']);
    answer.returns({ kind: 'renewed' });
    expect((await post({ code, answer: '1' })).body).toContain('it works again');
    under.services.challenges.look.returns('passed');
    expect((await post({ code, answer: '1' })).body).toContain('log in there again');
    expect(answer.calls).toHaveLength(3);
  });

  it('marks what is wrong, and nothing else: the title says it, the field or the phones have the focus', async () => {
    const { look, send, answer } = under.services.challenges;
    const targets = [0, 1].map((index) => ({ index, label: `138****000${index}` }));
    look.returns({ ...exampleChallenge, targets, sent: 'perhaps' });
    send.fails(new Failure('challenge-target'));
    const unchosen = (await post({ code, action: 'send' })).body;
    expect(unchosen).toContain('<title>Choose a phone first. · ');
    expect(unchosen).toMatch(/<fieldset aria-describedby="notice">.*value="0" required autofocus>/s);
    expect(unchosen).not.toContain('aria-invalid');
    // Nothing is told as sent that waits for a choice, which comes first.
    expect(unchosen).not.toContain('A code was sent');
    expect(unchosen.indexOf('value="send"')).toBeLessThan(unchosen.indexOf('name="answer"'));
    send.fails(new Failure('rate-limited', { retryAfterSeconds: 42 }));
    const early = (await post({ code, action: 'send' })).body;
    expect(early).toContain('role="alert" id="notice">Nothing was sent: it is too early');
    expect(early).not.toMatch(/aria-invalid|autofocus/);
    answer.fails(new Failure('challenge-answer'));
    expect((await post({ code, answer: 'x' })).body).toMatch(
      /aria-describedby="answer-hint notice" aria-invalid="true" autofocus>/,
    );
    look.returns(elsewhere);
    expect((await post({ code, answer: '1234' })).body).toContain('<title>Stop: is this really your login? · Campus');
  });

  it.each<[FailureKind, number, string]>([
    ['challenge-unknown', 404, 'This login is over'],
    ['person-needed', 403, 'of the unified login itself'],
    ['credentials-refused', 403, 'refused the passwords'],
    ['challenge-answer', 200, 'does not look like such a code'],
    ['challenge-busy', 200, 'being checked at this moment'],
    ['sign-in-unavailable', 502, 'Look again'],
    ['timed-out', 504, 'Look again'],
    ['storage-failed', 500, 'cannot do this'],
  ])('an answer that fails with %s is %i, in words', async (kind, status, words) => {
    under.services.challenges.answer.fails(new Failure(kind, { step: 'portal', wanted: 'certificate' }));
    const { statusCode, body } = await post({ code, answer: '1234' });
    expect([statusCode, body.includes(words)]).toEqual([status, true]);
  });

  it('from another network than the login an answer is confirmed first, and goes nowhere before', async () => {
    const { look, answer } = under.services.challenges;
    look.returns(elsewhere);
    const asked = await post({ code, answer: '<1>"' });
    expect(asked.body).toContain('Stop: is this really your login?');
    expect(asked.body).toContain('name="answer" value="&lt;1&gt;&quot;"');
    expect(answer.calls).toEqual([]);
    answer.returns({ kind: 'freed' });
    expect((await post({ code, answer: '1234', confirmed: 'yes' })).body).toContain('<h1>Done<');
    expect(answer.calls).toHaveLength(1);
  });

  it('a form that another site has sent holds nothing', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const members = { code, answer: '1234', confirmed: 'yes', action: 'answer' };
      expect((await post(members, { 'sec-fetch-site': site })).body).toContain('Confirm a login');
    }
    const { look, answer } = under.services.challenges;
    expect([...look.calls, ...answer.calls]).toEqual([]);
    await post({ code }, { 'sec-fetch-site': 'same-origin' });
    expect(look.calls).toHaveLength(1);
  });

  it('bodies of other kinds and of any length are answered with the page', async () => {
    const send = (type: string, payload: string) =>
      under.app.inject({ method: 'POST', url: '/challenge', headers: { 'content-type': type }, payload });
    expect((await send('application/json', '{"code":"7K2M9QXD"}')).statusCode).toBe(200);
    expect((await send('application/x-www-form-urlencoded', `code=${'7'.repeat(10_000)}`)).statusCode).toBe(413);
    expect((await send('application/x-www-form-urlencoded', `code=${'%'.repeat(2_000)}`)).statusCode).toBe(404);
    expect(under.services.challenges.look.calls).toEqual([]);
  });

  describe('wrong codes', () => {
    const wrong = () => Promise.reject(new Failure('challenge-unknown'));
    const right = () => Promise.resolve(exampleChallenge);
    const type = (from: string) => post({ code: 'AAAA-AAAA' }, { from });
    const typeMany = async (times: number, from: (at: number) => string) => {
      const seen = [];
      for (let at = 0; at < times; at += 1) seen.push((await type(from(at))).statusCode);
      return seen;
    };
    beforeEach(async () => {
      under = await build();
      under.services.challenges.look.does(wrong);
      return () => under.app.close();
    });

    it('20 of an address in 15 minutes; then one is looked at in 5 seconds, and a right one passes', async () => {
      const { clock, challenges } = under.services;
      expect(await typeMany(20, () => '203.0.113.7')).toEqual(Array(20).fill(404));
      const first = await type('203.0.113.7');
      expect([first.statusCode, Number(first.headers['retry-after'])]).toEqual([429, 900]);
      expect(challenges.look.calls).toHaveLength(21);
      // The next one waits for its turn, and is right.
      challenges.look.does(right);
      const waiting = type('203.0.113.7');
      await expect.poll(() => clock.timers).toBe(1);
      expect(challenges.look.calls).toHaveLength(21);
      clock.advance(5_000);
      expect((await waiting).statusCode).toBe(200);
      // Nobody else is kept waiting, and it ends.
      expect((await type('203.0.113.8')).statusCode).toBe(200);
      clock.advance(15 * 60_000);
      challenges.look.does(wrong);
      expect((await type('203.0.113.7')).statusCode).toBe(404);
    });

    it('8 of them wait at most', async () => {
      const { clock, challenges } = under.services;
      await typeMany(21, () => '203.0.113.7');
      challenges.look.does(right);
      const line = Promise.all(Array.from({ length: 9 }, () => type('203.0.113.7')));
      for (let at = 0; at < 8; at += 1) {
        await expect.poll(() => clock.timers).toBe(1);
        clock.advance(5_000);
      }
      expect((await line).map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(8).fill(200), 429]);
    });

    it('60 of an IPv6 /48', async () => {
      const seen = await typeMany(61, (at) => `2001:db8:7:${at.toString(16)}::1`);
      expect(seen).toEqual([...Array(60).fill(404), 429]);
      expect((await type('2001:db8:8::1')).statusCode).toBe(404);
    });

    it('600 a minute in all, and right ones pass', async () => {
      const { clock, challenges } = under.services;
      const seen = await typeMany(601, (at) => `10.${at >> 8}.${at & 255}.1`);
      expect(seen).toEqual([...Array(600).fill(404), 429]);
      challenges.look.does(right);
      const waiting = type('198.51.100.1');
      await expect.poll(() => clock.timers).toBe(1);
      clock.advance(5_000);
      expect((await waiting).statusCode).toBe(200);
      clock.advance(60_000);
      challenges.look.does(wrong);
      expect((await type('198.51.100.1')).statusCode).toBe(404);
    });
  });
});

it.each([
  ['2023000001', '2023****01'],
  ['12345', '1***5'],
  ['123', '***'],
])('%s is shown as %s', (userid, masked) => {
  expect(maskedId(userid)).toBe(masked);
});
