import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { followEvaluation, followUntil } from '../../clients/typescript/src/follow.ts';
import { type CampusClient, CampusError, createClient, createToken } from '../../clients/typescript/src/index.ts';
import { operations } from '../../clients/typescript/src/operations.ts';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { pictures } from '../support/images.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const pairOf = ({ userid, password, vpnPassword: vpn_password }: typeof first) => ({ userid, password, vpn_password });

let gateway: Gateway;
const clock = new ManualClock();
beforeAll(async () => {
  const demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  demo.switches.evaluationWaitSeconds = 0;
  gateway = await startGateway({
    clock,
    demo,
    env: { EVALUATION_WAIT_SECONDS: '0', EVALUATION_OPEN_EVERY_SECONDS: '1' },
  });
  await gateway.register(first);
  await gateway.register(second);
});
afterAll(async () => {
  await gateway.close();
  await gateway.demo.close();
});

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** A client, and what it sends. */
const newClient = (options: Partial<Parameters<typeof createClient>[0]> = {}) => {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: gateway.url,
    ...options,
    fetch: (url, init) => {
      sent.push({ url: String(url), headers: { ...Object(init?.headers) } });
      return fetch(url, init);
    },
  });
  return { client, sent };
};
const loggedIn = async (student = first, options: Partial<Parameters<typeof createClient>[0]> = {}) => {
  const { client, sent } = newClient(options);
  await client.call('login', { body: pairOf(student) });
  sent.length = 0;
  return { client, sent };
};
const failureOf = async (call: Promise<unknown>): Promise<CampusError> => {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CampusError)) throw new Error(`no CampusError: ${error}`);
  return error;
};

describe('calls', () => {
  it('of both surfaces are typed, and one login serves both', async () => {
    const { client } = await loggedIn();
    const info = await client.call('getAcademicInfo');
    expectTypeOf(info.data.gpa).toEqualTypeOf<number>();
    const same = await client.call('v1FetchAcademicInfo');
    expectTypeOf(same.data.countNotPass).toEqualTypeOf<number>();
    expect(same.data.gpa).toBe(info.data.gpa);
    expect(info).toMatchObject({ message: '获取学业信息成功', accepted: true, insteadOf: null });
    expect(gateway.log()).toContain(String(info.traceId));
  });

  it('fill in the path, the query and the token of wrapped bodies', async () => {
    const { client, sent } = await loggedIn();
    const scores = await client.call('listTermScores', { path: { term_code: '2025-2026-1-1' } });
    const [named] = scores.data.records;
    const found = await client.call('v1FetchTermScore', {
      body: { request: { term_id: '2025-2026-1-1', course_code: named?.course_code ?? '' } },
    });
    expect(found.data.records.map((row) => row.course_code)).toContain(named?.course_code);
    const clubs = await client.call('listJoinedClubs');
    const club_id = clubs.data.data[0]?.ID ?? '';
    await client.call('listClubActivities', { path: { club_id }, query: { page_size: 1 } });
    expect(sent.at(-1)?.url).toBe(`${gateway.url}/ldjlb/labor/club/${club_id}/activities?page_size=1`);
    const strange = await client.call('getActivityDetail', { path: { activity_id: 'a/b?c' } });
    expect(sent.at(-1)?.url).toBe(`${gateway.url}/ldjlb/labor/a%2Fb%3Fc/detail`);
    expect(strange.accepted).toBe(false);
  });

  it('do not compile without what they need', () => {
    const check = (client: CampusClient) => [
      // @ts-expect-error: the term is missing
      client.call('listTermScores'),
      // @ts-expect-error: no such operation
      client.call('listScores'),
      // @ts-expect-error: passwords are needed
      client.call('login', { body: { userid: '1' } }),
      // @ts-expect-error: the client fills in the token
      client.call('v1Authme', { body: { token: 'x' } }),
    ];
    expect(check).toBeTypeOf('function');
  });

  it('send files', async () => {
    const { client } = await loggedIn();
    const { data } = await client.call('uploadAvatar', { file: new Blob([pictures.png], { type: 'image/png' }) });
    await client.call('updateUserProfile', { body: { avatar_uuid: data.uuid } });
    const profile = await client.call('getUserProfile');
    expect((await fetch(String(profile.data.avatar_url))).headers.get('content-type')).toBe('image/png');
  });

  it('tell a refusal by the campus from an accepted request', async () => {
    const { client } = await loggedIn();
    const scanned = await client.call('scanSign', { body: { content: 'no such code', location: '104.0,30.5' } });
    expect(scanned.accepted).toBe(false);
    expect(scanned.message).toBe(scanned.data.msg);
  });
});

describe('the token', () => {
  it('is told at every change, restored, and forgotten at the logout', async () => {
    const token = createToken();
    const told: unknown[] = [];
    const stop = token.onChange((state) => told.push(state));
    const { client } = newClient({ token });
    await client.call('v1Login', { body: pairOf(first) });
    const given = client.token.get().token;
    const again = createClient({ baseUrl: gateway.url, token: given });
    expect((await again.call('checkToken')).data.userid).toBe(first.userid);
    await client.call('logout');
    stop();
    client.token.set('later');
    expect(told).toEqual([
      { token: given, ended: false },
      { token: null, ended: false },
    ]);
    expect(await failureOf(again.call('v1Authme'))).toMatchObject({ code: 401, tokenEnded: true });
  });

  it('goes with the next login when it has ended, and with no other open call', async () => {
    const { client, sent } = newClient({ token: 'A'.repeat(43) });
    const refused = await failureOf(client.call('getAcademicInfo'));
    expect(refused).toMatchObject({ code: 'INVALID_AUTHENTICATION', status: 401, advice: 'log-in' });
    expect(gateway.log()).toContain(String(refused.traceId));
    expect(client.token.get()).toEqual({ token: 'A'.repeat(43), ended: true });
    await client.call('login', { body: pairOf(first) });
    await client.call('verifyInviteCode', { body: { invite_code: 'DEMO-2026' } });
    const bearers = sent.map(({ headers }) => headers.Authorization);
    expect(bearers).toEqual([`Bearer ${'A'.repeat(43)}`, `Bearer ${'A'.repeat(43)}`, undefined]);
    expect(client.token.get().ended).toBe(false);
  });

  it('that is new does not end with a late refusal of the old one', async () => {
    const token = createToken('old');
    const { client } = newClient({ token });
    const late = client.call('checkToken');
    token.set('new');
    await failureOf(late);
    expect(token.get()).toEqual({ token: 'new', ended: false });
  });
});

describe('failures', () => {
  it('say what to do: other passwords, wait, register', async () => {
    const { client } = newClient();
    const wrong = { ...pairOf(second), password: 'wrong' };
    expect(await failureOf(client.call('login', { body: wrong }))).toMatchObject({
      code: 'REMOTE_CREDENTIALS_INVALID',
      status: 403,
      advice: 'new-passwords',
    });
    const waiting = await failureOf(client.call('login', { body: { ...wrong, password: 'wrong again' } }));
    expect(waiting).toMatchObject({ code: 'COOLDOWN', status: 429, advice: 'wait' });
    expect(waiting.retryAfter).toBeGreaterThan(0);
    const unknown = { ...wrong, userid: '2023999999' };
    expect(await failureOf(client.call('login', { body: unknown }))).toMatchObject({ advice: 'register' });
    expect(await failureOf(client.call('v1Login', { body: unknown }))).toMatchObject({ code: 400, advice: 'register' });
  });

  it('list what is wrong with a request, in Chinese for who asks for it', async () => {
    const { client } = await loggedIn(first, { language: 'zh' });
    const wrong = client.call('listTermScores', { path: { term_code: 'spring' } });
    const { code, details, advice } = await failureOf(wrong);
    expect([code, advice, details[0]?.loc]).toEqual(['VALIDATION_ERROR', 'mend', ['path', 'term_code']]);
    expect(details[0]?.msg).toContain('格式应符合');
    const large = client.call('v1FetchTermScore', { body: { request: { term_id: 't', page_size: 1000 } } });
    expect(await failureOf(large)).toMatchObject({ code: 422, details: [{ msg: '应小于或等于 100' }] });
  });

  it('of the way there have codes of their own', async () => {
    let stall = false;
    const server = createServer((_request, response) => {
      if (!stall) response.writeHead(502, { 'content-type': 'text/html' }).end('<html>502 Bad Gateway</html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const client = createClient({ baseUrl });
    expect(await failureOf(client.call('alive'))).toMatchObject({
      code: 'NOT_THE_SERVICE',
      status: 502,
      advice: 'try-again',
    });
    stall = true;
    expect(await failureOf(client.call('alive', { timeoutMs: 20 }))).toMatchObject({ code: 'NO_ANSWER', status: 0 });
    const leaving = new AbortController();
    const left = client.call('alive', { signal: leaving.signal });
    leaving.abort(new Error('the student left'));
    await expect(left).rejects.toThrow('the student left');
    await expect(client.call('alive', { signal: leaving.signal })).rejects.toThrow('the student left');
    server.closeAllConnections();
    server.close();
    expect(await failureOf(client.call('alive'))).toMatchObject({ code: 'NETWORK', advice: 'try-again' });
  });
});

describe('freshness', () => {
  it('asks for copies, and says how old they are and what they stand in for', async () => {
    const { client, sent } = await loggedIn();
    await client.call('getAcademicInfo', { freshness: { noCache: true } });
    clock.advance(90_000);
    const copy = await client.call('getAcademicInfo', { freshness: { onlyIfCached: true, maxAge: 3600 } });
    expect([copy.age, copy.insteadOf]).toEqual([90, null]);
    expect(sent.at(-1)?.headers).toMatchObject({ 'Cache-Control': 'max-age=3600', 'X-Copy': 'only' });
    const none = client.call('getExamInfo', { freshness: { onlyIfCached: true } });
    expect(await failureOf(none)).toMatchObject({ code: 'NO_COPY', status: 504 });
    gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
    onTestFinished(() => gateway.demo.clearFaults());
    expect(await failureOf(client.call('getAcademicInfo'))).toMatchObject({ code: 'REMOTE_SERVICE_ERROR' });
    const old = await client.call('getAcademicInfo', { freshness: { staleIfError: 86_400 } });
    expect([old.age, old.insteadOf]).toEqual([90, 'REMOTE_SERVICE_ERROR']);
    const any = await client.call('getAcademicInfo', { freshness: { maxStale: true } });
    expect([any.age, any.insteadOf]).toEqual([90, null]);
  });
});

describe('following', () => {
  it('the evaluation tells its states and ends with it', async () => {
    const { client } = await loggedIn(first);
    gateway.demo.student(first.userid).setEvaluation(2);
    await client.call('v1InitializeEvaluation');
    await client.call('v1StartEvaluation');
    const states: unknown[] = [];
    const moving = setInterval(() => clock.advance(1_000), 5);
    onTestFinished(() => clearInterval(moving));
    const end = await followEvaluation(client, { everyMs: 5, onState: (state) => states.push(state?.status) });
    expect(end).toMatchObject({ status: 'completed', success_count: 2, fail_count: 0 });
    expect(states).toContain('running');
    expect(states.at(-1)).toBe('completed');
  });

  it('waits for failures that pass, and for no others', async () => {
    const failing = (advice: 'passing' | 'lasting', times: number) => {
      let left = times;
      return async () => {
        if (left-- > 0) {
          throw new CampusError({ operation: 'x', message: '', code: 'X', status: advice === 'passing' ? 502 : 422 });
        }
        return 'done';
      };
    };
    const isOver = (state: string) => state === 'done';
    await expect(followUntil(failing('passing', 3), isOver, { everyMs: 1 })).resolves.toBe('done');
    await expect(followUntil(failing('passing', 6), isOver, { everyMs: 1 })).rejects.toThrow(CampusError);
    await expect(followUntil(failing('lasting', 1), isOver, { everyMs: 1 })).rejects.toThrow(CampusError);
  });

  it('ends with its time, and at once with its signal', async () => {
    const leaving = new AbortController();
    const never = followUntil(
      async () => 'running',
      () => false,
      { everyMs: 60_000_000, forMs: 90_000_000, signal: leaving.signal },
    );
    leaving.abort(new Error('left'));
    await expect(never).rejects.toThrow('left');
    let looks = 0;
    const look = async () => {
      looks += 1;
      return looks;
    };
    await expect(followUntil(look, () => false, { everyMs: 5, forMs: 12 })).resolves.toBeLessThan(4);
  });
});

it('knows every operation that answers JSON', async () => {
  interface Described {
    readonly operationId: string;
    readonly responses: Record<string, { readonly content?: object }>;
  }
  const { paths } = (await gateway.b('GET', '/openapi.json')).body;
  const described = Object.entries<Record<string, Described>>(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { responses }]) => Object.hasOwn(responses['200']?.content ?? {}, 'application/json'))
      .map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  );
  const known = Object.entries(operations).map(([id, { method, path }]) => `${id} ${method} ${path}`);
  expect(known.toSorted()).toEqual(described.toSorted());
});
