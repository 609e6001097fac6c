import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { IMAGE_TEXT, ownLoginDrivers, ownLoginManifest, startOwnLoginCampus } from '../support/own-login-campus.ts';

/** Every login of this campus shows an image. */
let campus: Awaited<ReturnType<typeof startOwnLoginCampus>>;
let gateway: Gateway;
let token: string;

const student = { userid: 'L2026001', password: 'lakeside-password' };

beforeAll(async () => {
  campus = await startOwnLoginCampus({ showsImage: true });
  const url = Object.values(campus.origins)[0] ?? '';
  gateway = await startGateway({
    drivers: ownLoginDrivers,
    manifest: () => ownLoginManifest(url, { attended: true }),
  });
});

afterAll(async () => {
  await gateway.close();
  await campus.close();
});

const sent = () => campus.requests().map(({ method, path }) => `${method} ${path}`);
const read = (headers: Record<string, string> = {}) => gateway.b('GET', '/jwc/academic/info', { token, headers });
const fresh = { 'cache-control': 'no-cache' };
const answer = (id: string, text = IMAGE_TEXT) =>
  gateway.b('POST', `/auth/challenges/${id}/answer`, { body: { answer: text } });

describe('a campus whose every login shows an image', () => {
  it('says so', async () => {
    const { body } = await gateway.b('GET', '/campus');
    expect(body.data).toMatchObject({ sign_in: 'attended', login: { challenges: ['captcha'] } });
  });

  it('registers a student who reads the image, and sends the password once', async () => {
    campus.resetRequests();
    const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
    const asked = await gateway.b('POST', '/auth/register/next', {
      body: { ...student, invite_token: invite.body.data.invite_token },
    });
    expect([asked.status, asked.body.data.challenge.kind]).toEqual([428, 'captcha']);
    const passed = await answer(asked.body.data.challenge.id);
    expect(passed.status).toBe(200);
    token = passed.body.data.token;
    expect(sent()).toEqual(['GET /login', 'GET /image', 'POST /check']);
    expect((await read()).status).toBe(200);
  });

  it('begins no sign-in when the session has ended: no request, no rest, and a copy only where one may be', async () => {
    campus.model.expireSessions();
    const found = await read(fresh);
    expect([found.status, found.body.error.code]).toEqual([403, 'PERSON_NEEDED']);
    campus.resetRequests();
    for (let call = 0; call < 10; call += 1) {
      const { status, body } = await read(fresh);
      expect([status, body.error.code, body.error.reason]).toEqual([403, 'PERSON_NEEDED', undefined]);
    }
    expect(sent()).toEqual([]);
    const copy = await read();
    expect([copy.status, copy.headers.has('age')]).toEqual([200, true]);
    expect(sent()).toEqual([]);
    expect(gateway.log()).not.toContain('session-backoff');
  });

  it('is renewed by the student, as often as images may be shown, and not one of them counts as a step', async () => {
    for (let time = 0; time < 12; time += 1) {
      campus.model.expireSessions();
      expect((await read(fresh)).status).toBe(403);
      const begun = await gateway.b('POST', '/auth/challenges', { token });
      expect([time, begun.status]).toEqual([time, 200]);
      expect((await answer(begun.body.data.challenge.id)).status).toBe(200);
      expect((await read(fresh)).status).toBe(200);
    }
  });
});
