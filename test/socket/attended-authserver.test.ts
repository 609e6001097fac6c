import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drivers } from '../../src/campus/drivers.ts';
import { startJinzhi } from '../../src/demo/emap/campus.ts';
import { startSeaside } from '../../src/demo/seaside/campus.ts';
import type { DemoMessage } from '../../src/demo/types.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

/** The manifest says that every login of authserver shows an image, as the login then does. */
const shown: DemoMessage[] = [];
const onMessage = (message: DemoMessage) => void shown.push(message);

const behind = [
  {
    name: 'URP',
    start: () => startSeaside({ onMessage, challenge: 'captcha' }),
    login: 'http://login.seaside.test',
    application: {
      driver: 'jwc',
      url: 'http://academics.seaside.test',
      service: 'http://academics.seaside.test/j_spring_cas_security_check',
    },
    pair: { userid: 'S2026001', password: 'seaside-password' },
    path: '/jwc/academic/info',
  },
  {
    name: 'emap',
    start: () => startJinzhi({ onMessage, challenge: 'captcha' }),
    login: 'http://login.jinzhi.test',
    application: { driver: 'emap', url: 'http://academics.jinzhi.test', ehall: 'http://ehall.jinzhi.test' },
    pair: { userid: 'J2026001', password: 'jinzhi-password' },
    path: '/jwc/term/all',
  },
] as const;

const fresh = { 'cache-control': 'no-cache' };

describe.each(behind)('an attended authserver in front of $name', ({ start, login, application, pair, path }) => {
  let campus: Awaited<ReturnType<typeof start>>;
  let gateway: Gateway;
  let token: string;

  beforeAll(async () => {
    campus = await start();
    const at = (host: string): string => campus.origins[host] ?? '';
    gateway = await startGateway({
      drivers,
      manifest: () => ({
        name: { zh: '云', en: 'Cloud' },
        time_zone: 'Asia/Shanghai',
        portal: null,
        login: { driver: 'authserver', url: `${at(login)}/authserver`, attended: true },
        applications: [
          {
            ...application,
            url: at(application.url),
            ...('ehall' in application && { ehall: at(application.ehall) }),
          },
        ],
      }),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await campus.close();
  });

  const read = (headers: Record<string, string> = fresh) => gateway.b('GET', path, { token, headers });
  const answer = (id: string) =>
    gateway.b('POST', `/auth/challenges/${id}/answer`, { body: { answer: shown.at(-1)?.text } });
  const passwords = () => campus.requests().filter(({ method, path: to }) => method === 'POST' && /login$/.test(to));

  it('is told by GET /campus', async () => {
    expect((await gateway.b('GET', '/campus')).body.data).toMatchObject({ sign_in: 'attended' });
  });

  it('registers a student who reads the image', async () => {
    const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
    const body = { ...pair, invite_token: invite.body.data.invite_token };
    const asked = await gateway.b('POST', '/auth/register/next', { body });
    expect([asked.status, asked.body.data.challenge.kind, passwords()]).toEqual([428, 'captcha', []]);
    const passed = await answer(asked.body.data.challenge.id);
    expect([passed.status, passwords().length]).toEqual([200, 1]);
    token = passed.body.data.token;
    expect((await read()).status).toBe(200);
  });

  it('renews sessions unattended as long as the login lives, which takes no password', async () => {
    campus.expireSessions();
    campus.resetRequests();
    expect([(await read()).status, passwords()]).toEqual([200, []]);
  });

  it('begins no sign-in once it has ended: no request, no pause of the student, and a copy where one may be', async () => {
    campus.expireSessions();
    campus.expireLogins();
    campus.resetRequests();
    expect((await read()).body.error.code).toBe('PERSON_NEEDED');
    expect(passwords()).toEqual([]);
    campus.resetRequests();
    for (let call = 0; call < 10; call += 1) {
      const { status, body, headers } = await read();
      expect([status, body.error.code, headers.has('retry-after')]).toEqual([403, 'PERSON_NEEDED', false]);
    }
    const copy = await read({});
    expect([copy.status, copy.headers.has('age')]).toEqual([200, true]);
    expect(campus.requests()).toEqual([]);
    expect(gateway.log()).not.toContain('session-backoff');
  });

  it('is renewed by the student, more often than steps may be taken', async () => {
    for (let time = 0; time < 12; time += 1) {
      campus.expireSessions();
      campus.expireLogins();
      expect((await read()).status).toBe(403);
      const begun = await gateway.b('POST', '/auth/challenges', { token });
      expect([time, begun.status]).toEqual([time, 200]);
      expect((await answer(begun.body.data.challenge.id)).status).toBe(200);
      expect([time, (await read()).status]).toEqual([time, 200]);
    }
  });
});
