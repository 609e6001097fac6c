import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExams } from '../../src/campus/products/lakeside/parse.ts';
import type { SimulatedCampus } from '../../src/demo/simulated-campus.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

/** The second demo campus: no portal, another login, another academic system. */
let gateway: Gateway;
let lakeside: SimulatedCampus;
let token: string;

const student = { userid: 'L2026001', password: 'lakeside-password' };

beforeAll(async () => {
  gateway = await startGateway({ env: { CAMPUS: 'demo-lakeside' } });
  if (gateway.services.simulated === null) throw new Error('no second campus');
  lakeside = gateway.services.simulated;
  token = await gateway.register({ ...student, vpnPassword: '' });
});

afterAll(() => gateway.close());

const get = (path: string) => gateway.b('GET', path, { token });

describe('a campus without a portal', () => {
  it('ignores anything sent as that password, on both surfaces', async () => {
    lakeside.resetRequests();
    for (const vpn_password of [undefined, 7, 'x'.repeat(300)]) {
      const { status, body } = await gateway.b('POST', '/auth/login/next', { body: { ...student, vpn_password } });
      expect([vpn_password, status, body.data?.token?.length]).toEqual([vpn_password, 200, 43]);
    }
    const { body } = await gateway.a('/user/login', { ...student, vpn_password: 'other' });
    expect([body.code, body.message]).toEqual([200, expect.any(String)]);
    // The pair is the stored one every time.
    expect(lakeside.requests()).toEqual([]);
  });

  it('describes a login without it', async () => {
    const { body } = await gateway.b('GET', '/openapi.json');
    const [login, loginA] = [body.components.schemas.LoginRequest, body.components.schemas.V1LoginRequest];
    expect(login.required).toEqual(['userid', 'password']);
    expect(loginA.required).toEqual(['userid', 'password']);
    const bodies = Object.values<Record<string, { requestBody?: object }>>(body.paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ requestBody }) => JSON.stringify(requestBody ?? {}));
    expect(bodies.filter((one) => one.includes('vpn_password'))).toEqual([]);
    const { data } = (await gateway.b('GET', '/campus')).body;
    expect(data).toMatchObject({ id: 'demo-lakeside', name: { en: 'Lakeside University' } });
    expect(data.login).toEqual({
      fields: [
        { name: 'userid', secret: false },
        { name: 'password', secret: true },
      ],
      challenges: [],
    });
  });

  it('sends a wrong password once, and not again', async () => {
    lakeside.resetRequests();
    const wrong = { ...student, password: 'wrong' };
    const answers = [];
    for (let i = 0; i < 3; i += 1) {
      answers.push((await gateway.b('POST', '/auth/login/next', { body: wrong })).status);
    }
    expect(answers.every((status) => status !== 200)).toBe(true);
    expect(lakeside.requests().filter(({ method, path }) => `${method} ${path}` === 'POST /cas/login')).toHaveLength(1);
  });
});

describe('its academic system', () => {
  it('has terms, scores, timetable, exams and the current term that agree with each other', async () => {
    const { data: terms } = (await get('/jwc/term/all')).body;
    expect(terms).toHaveLength(3);
    const [now, before] = terms;
    expect(now).toMatchObject({ is_current: true, term_code: expect.stringMatching(/^\d{4}-\d{4}-[12]-1$/) });
    const current = (await get('/jwc/term/current')).body.data;
    expect(current.term_code).toBe(now.term_code);
    const table = (await get(`/jwc/schedule/${now.term_code}/table`)).body.data;
    expect(JSON.stringify(table)).toContain('湖沼学');
    expect(JSON.stringify(table)).toContain('1950');
    const scores = (await get(`/jwc/score/${before.term_code}/list`)).body.data;
    expect(scores.records.length).toBeGreaterThan(0);
    for (const { term_id, score } of scores.records) {
      expect(term_id).toBe(before.term_code);
      expect(Number(score)).toBeGreaterThanOrEqual(60);
    }
    const exams = (await get('/jwc/exam/info')).body.data;
    expect(exams.exams).toHaveLength(3);
    const noRoom = JSON.stringify({ exams: [{ name: 'x', date: '2026-06-01', building: '一教', room: null }] });
    expect(parseExams(noRoom).exams[0]?.location).toBe('一教');
    const { data: page } = (
      await gateway.a('/jwc/fetch_term_score', {
        AuthmeRequest: { token },
        request: { term_id: before.term_code, course_code: '', course_name: '', page_num: 1, page_size: 1 },
      })
    ).body;
    expect(page?.records ?? []).toHaveLength(1);
  });

  it('fills a calendar of classes and exams, in its own weeks', async () => {
    const { term_code } = (await get('/jwc/term/current')).body.data;
    await get('/jwc/term/all');
    await get(`/jwc/schedule/${term_code}/table`);
    await get('/jwc/exam/info');
    const made = await gateway.b('POST', '/calendar/feeds', {
      token,
      body: { name: 'Lakeside', include: ['classes', 'exams'] },
    });
    const { text } = await gateway.b('GET', new URL(made.body.data.url, gateway.url).pathname);
    expect(text.match(/BEGIN:VEVENT/g)?.length ?? 0).toBeGreaterThan(40);
    expect(text).toContain('湖沼学');
  });
});
