import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Challenge } from '../../src/domain/challenge.ts';
import { type Failure, failures } from '../../src/domain/errors.ts';
import { appUnderTest } from '../support/app.ts';
import { exampleChallenge, exampleToken } from '../support/fake-services.ts';

const pair = { userid: '2023000001', password: 'pass-1', vpn_password: 'vpn-1' };
const own = { publicUrl: 'https://campus.example.edu' };
const base = `/auth/challenges/${exampleChallenge.id}`;
const begun = (challenge: Partial<Challenge> = {}): Failure =>
  failures.loginChallenge('portal', { ...exampleChallenge, ...challenge });
const captcha = { asked: { kind: 'captcha', image: { type: 'image/png', base64: 'iVBORw0KGgo=' } } } as const;

describe('a login that waits for a person', () => {
  it('without PUBLIC_URL the words name no page, and `Host` changes nothing', async () => {
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
      services.accounts[name].fails(failures.challengeBusy(42));
      const busy = await app.inject({ method: 'POST', url: `/api/v1/user/${name}`, payload });
      expect([busy.json().code, busy.headers['retry-after']]).toEqual([429, '42']);
      await app.close();
    },
  );

  it.each([own, {}])('a data call below /api/v1 names the page where its address is known (%o)', async (server) => {
    const { app, services } = await appUnderTest({}, server);
    services.academics.summary.fails(failures.personNeeded('portal', undefined, { wanted: 'sms' }));
    const url = '/api/v1/jwc/fetch_academic_info';
    const { code, message } = (await app.inject({ method: 'POST', url, payload: { token: exampleToken } })).json();
    expect([code, message.includes('https://campus.example.edu/challenge')]).toEqual([400, server === own]);
  });

  it('a data call says what is wanted, and that nothing is open', async () => {
    const { app, services } = await appUnderTest();
    services.academics.summary.fails(failures.personNeeded('portal', undefined, { wanted: 'captcha' }));
    const headers = { authorization: `Bearer ${exampleToken}` };
    const answer = await app.inject({ url: '/jwc/academic/info', headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'PERSON_NEEDED']);
    expect(answer.json().data.challenge).toMatchObject({
      id: null,
      kind: 'captcha',
      image_png_base64: null,
      message: '学校VPN门户要求图形验证码，请在这里重新登录并完成验证',
    });
    services.academics.summary.fails(failures.personNeeded('portal', undefined, { wanted: 'certificate' }));
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
  it('answers 422 for an answer that cannot be sent to the campus', async () => {
    const { app, services } = await appUnderTest();
    services.challenges.answer.fails(failures.challengeAnswer());
    services.challenges.send.fails(failures.challengeTarget());
    const answer = await app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 'what?' } });
    const sent = await app.inject({ method: 'POST', url: `${base}/send` });
    expect([answer, sent].map((one) => [one.statusCode, one.json().error.details[0].loc])).toEqual([
      [422, ['body', 'answer']],
      [422, ['body', 'target']],
    ]);
  });
});

describe('the page', () => {
  it('is one file whose policy names its style and script, neither cached nor framed, with or without PUBLIC_URL', async () => {
    for (const server of [own, {}]) {
      const { app } = await appUnderTest({}, server);
      const { statusCode, headers, body } = await app.inject('/challenge');
      const hashOf = (mark: string): string => {
        const [, text = ''] = new RegExp(`<${mark}(?: type="module")?>(.+?)</${mark}>`, 's').exec(body) ?? [];
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
      const markup = body.replace(/<script type="module">.*<\/script>/s, '');
      expect(markup).not.toMatch(/<[^>]* (?:style|on[a-z]+)=|https?:/);
      expect((await app.inject({ method: 'POST', url: '/challenge' })).statusCode).toBe(405);
    }
  });
});
