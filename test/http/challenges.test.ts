import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Challenge } from '../../src/domain/challenge.ts';
import { Failure } from '../../src/domain/errors.ts';
import { appUnderTest } from '../support/app.ts';
import { exampleChallenge, exampleToken } from '../support/fake-services.ts';

const pair = { userid: '2023000001', password: 'pass-1', vpn_password: 'vpn-1' };
const own = { publicUrl: 'https://campus.example.edu' };
const base = `/auth/challenges/${exampleChallenge.id}`;
const begun = (challenge: Partial<Challenge> = {}): Failure =>
  new Failure('login-challenge', { step: 'portal', challenge: { ...exampleChallenge, ...challenge } });
const captcha = { asked: { kind: 'captcha', image: { type: 'image/png', base64: 'iVBORw0KGgo=' } } } as const;

describe('a login that waits for a person', () => {
  it.each(['login', 'register'] as const)('%s: 428 with everything that is to be answered', async (name) => {
    const { app, services } = await appUnderTest({}, own);
    services.accounts[name].fails(begun());
    const payload = name === 'login' ? pair : { ...pair, invite_token: 'i' };
    const answer = await app.inject({ method: 'POST', url: `/auth/${name}/next`, payload });
    const message =
      '学校VPN门户要求短信验证码，请在应用中完成验证；应用没有这一功能时请打开 https://campus.example.edu/challenge 登录并完成验证，然后回到应用，用同样的密码重新登录';
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
      },
    });
    await app.close();
  });

  it('without PUBLIC_URL the words name no page, whatever Host says', async () => {
    const { app, services } = await appUnderTest();
    services.accounts.login.fails(begun({ ...captcha, last: 'wrong' }));
    const headers = { host: 'evil.example' };
    const answer = await app.inject({ method: 'POST', url: '/auth/login/next', payload: pair, headers });
    const { challenge } = answer.json().data;
    expect([challenge.page_url, challenge.image_png_base64]).toEqual([null, 'iVBORw0KGgo=']);
    expect(challenge.message).toMatch(/^输入不正确。学校VPN门户要求图形验证码，请在应用中完成验证/);
    expect(answer.body).not.toContain('evil');
  });

  it.each(['login', 'register'] as const)(
    'below /api/v1 %s has code 428 and words that name the page',
    async (name) => {
      const { app, services } = await appUnderTest({}, own);
      services.accounts[name].fails(begun());
      const payload = name === 'login' ? pair : { ...pair, invite_token: 'i' };
      const answer = await app.inject({ method: 'POST', url: `/api/v1/user/${name}`, payload });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        code: 428,
        message: expect.stringContaining('https://campus.example.edu/challenge'),
        data: null,
      });
      // It holds nothing that only a challenge has.
      expect(JSON.stringify([answer.headers, answer.body])).not.toContain(exampleChallenge.id);
      services.accounts[name].fails(new Failure('challenge-busy', { retryAfterSeconds: 42 }));
      const busy = await app.inject({ method: 'POST', url: `/api/v1/user/${name}`, payload });
      expect([busy.json().code, busy.headers['retry-after']]).toEqual([429, '42']);
      await app.close();
    },
  );

  it.each([own, {}])('a data call below /api/v1 names the page where its address is known (%o)', async (server) => {
    const { app, services } = await appUnderTest({}, server);
    services.academics.summary.fails(new Failure('person-needed', { step: 'portal', wanted: 'sms' }));
    const url = '/api/v1/jwc/fetch_academic_info';
    const { code, message } = (await app.inject({ method: 'POST', url, payload: { token: exampleToken } })).json();
    expect([code, message.includes('https://campus.example.edu/challenge')]).toEqual([400, server === own]);
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
    const { send, answer, end } = services.challenges;
    expect((await app.inject(base)).json().data.challenge.kind).toBe('sms');
    const sent = await app.inject({ method: 'POST', url: `${base}/send` });
    expect(sent.json().data.challenge).toMatchObject({ sent: 'unknown', resend_after: 60 });
    await app.inject({ method: 'POST', url: `${base}/send`, payload: { target: 1 } });
    expect(send.calls.map(([key, target]) => [key, target])).toEqual([
      [exampleChallenge.id, undefined],
      [exampleChallenge.id, 1],
    ]);
    const done = await app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: '482913' } });
    expect(done.json()).toMatchObject({ message: '登录成功', data: { token: exampleToken } });
    expect(answer.calls[0]?.slice(0, 2)).toEqual([exampleChallenge.id, '482913']);
    answer.returns({ kind: 'renewed' });
    const renewed = await app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: '482913' } });
    expect(renewed.json().data).toEqual({ token: null });
    expect((await app.inject({ method: 'DELETE', url: base })).json().data).toEqual({ success: true });
    expect(end.calls).toEqual([[exampleChallenge.id]]);
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
  it('is one file, whose style and script its policy names, kept and framed nowhere, with or without PUBLIC_URL', async () => {
    for (const server of [own, {}]) {
      const { app } = await appUnderTest({}, server);
      const { statusCode, headers, body } = await app.inject('/challenge');
      const hashOf = (mark: string): string => {
        const [, text = ''] = new RegExp(`<${mark}>(.+?)</${mark}>`, 's').exec(body) ?? [];
        return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
      };
      expect([statusCode, headers['content-security-policy']]).toEqual([
        200,
        `default-src 'none';connect-src 'self';img-src data:;style-src ${hashOf('style')};script-src ${hashOf('script')};base-uri 'none';form-action 'none';frame-ancestors 'none'`,
      ]);
      expect([headers['cache-control'], headers['referrer-policy'], headers['content-type']]).toEqual([
        'no-store',
        'no-referrer',
        'text/html; charset=utf-8',
      ]);
      // Neither attributes that the policy would refuse, nor anything from elsewhere.
      expect(body).not.toMatch(/<[^>]* (?:style|on[a-z]+)=|https?:/);
      expect((await app.inject({ method: 'POST', url: '/challenge' })).statusCode).toBe(405);
    }
  });
});
