import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { followEvaluation, followUntil } from '../../clients/typescript/src/follow.ts';
import {
  type CampusClient,
  CampusError,
  createClient,
  createToken,
  type PersonSays,
  renewWithPerson,
  walkChallenge,
  withPerson,
} from '../../clients/typescript/src/index.ts';
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

  it('encode what stands in the path', async () => {
    const { client, sent } = await loggedIn();
    await client.call('getActivityDetail', { path: { activity_id: 'a/b?c' } });
    expect(sent.at(-1)?.url).toBe(`${gateway.url}/ldjlb/labor/a%2Fb%3Fc/detail`);
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
  it('is reported at every change, restored, and forgotten at the logout', async () => {
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

/** Closed after the test. */
const listening = async (answer: RequestListener) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { server, baseUrl: `http://127.0.0.1:${Object(server.address()).port}` };
};

describe('failures', () => {
  it('say what to do: other passwords, wait, register', async () => {
    const { client } = newClient();
    const wrong = { ...pairOf(second), password: 'wrong' };
    expect(await failureOf(client.call('login', { body: wrong }))).toMatchObject({
      code: 'REMOTE_CREDENTIALS_INVALID',
      status: 403,
      advice: 'new-passwords',
      retryable: false,
      system: 'unified-login',
      reason: 'login_refused',
    });
    const waiting = await failureOf(client.call('login', { body: { ...wrong, password: 'wrong again' } }));
    expect(waiting).toMatchObject({ code: 'COOLDOWN', status: 429, advice: 'wait' });
    expect(waiting.retryAfter).toBeGreaterThan(0);
    const unknown = { ...wrong, userid: '2023999999' };
    expect(await failureOf(client.call('login', { body: unknown }))).toMatchObject({ advice: 'register' });
    expect(await failureOf(client.call('v1Login', { body: unknown }))).toMatchObject({
      code: 400,
      advice: 'register',
      retryable: false,
    });
  });

  it('list what is wrong with a request, in Chinese for who asks for it', async () => {
    const { client } = await loggedIn(first, { language: 'zh' });
    const wrong = client.call('listTermScores', { path: { term_code: 'spring' } });
    const { code, details, advice } = await failureOf(wrong);
    expect([code, advice, details[0]?.loc]).toEqual(['VALIDATION_ERROR', 'mend', ['path', 'term_code']]);
    expect(details[0]).toMatchObject({ msg: '应为学期代码，例如 2025-2026-1-1', ctx: { pattern: expect.any(String) } });
    const large = client.call('v1FetchTermScore', { body: { request: { term_id: 't', page_size: 1000 } } });
    expect(await failureOf(large)).toMatchObject({ code: 422, details: [{ msg: '应小于或等于 100' }] });
  });

  it.each([301, 302, 303, 307, 308])(
    '%s: what is redirected is not followed, and no password goes along',
    async (status) => {
      const taken: string[] = [];
      const thief = await listening((request, response) => {
        taken.push(`${request.method} ${request.url}`);
        response.end('{"success":true}');
      });
      const { baseUrl } = await listening((_request, response) => {
        response.writeHead(status, { location: `${thief.baseUrl}/elsewhere` }).end('{"success":true,"data":{}}');
      });
      const client = createClient({ baseUrl, token: 'kept' });
      const redirected = { code: 'NOT_THE_SERVICE', status };
      expect(await failureOf(client.call('login', { body: pairOf(first) }))).toMatchObject(redirected);
      expect(await failureOf(client.call('getAcademicInfo'))).toMatchObject(redirected);
      expect(taken).toEqual([]);
      expect(client.token.get().token).toBe('kept');
    },
  );

  it('of the way there have their own codes', async () => {
    let stall = false;
    const { server, baseUrl } = await listening((_request, response) => {
      if (!stall) response.writeHead(502, { 'content-type': 'text/html' }).end('<html>502 Bad Gateway</html>');
    });
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

/** A client of a service that answers what it is told, one after another. */
const answeredBy = (...answers: readonly Response[]) => {
  const left = [...answers];
  const sent: string[] = [];
  const client = createClient({
    baseUrl: 'http://127.0.0.1:9',
    token: 'T',
    fetch: async (_url, init) => {
      sent.push(String(init?.method));
      const answer = left.shift();
      if (answer === undefined) throw new Error('nothing more was expected');
      return answer;
    },
  });
  return { client, sent };
};
const success = () => Response.json({ success: true, message: '', data: null, error: null });
const failing = (status: number, error: object, headers: Record<string, string> = {}) =>
  Response.json({ success: false, message: 'no', data: null, error }, { status, headers });

describe('a call is sent once more', () => {
  const passing = { code: 'REMOTE_SERVICE_ERROR', retryable: true };
  const lasting = { code: 'REMOTE_SERVICE_ERROR', retryable: false };
  const soon = { 'retry-after': '0' };
  it.each<[string, Response[], number, string]>([
    ['where the service says that it may be', [failing(502, passing, soon), success()], 2, 'success'],
    ['and not a third time', [failing(502, passing, soon), failing(502, passing, soon)], 2, 'REMOTE_SERVICE_ERROR'],
    ['only where it says so', [failing(502, lasting, soon)], 1, 'REMOTE_SERVICE_ERROR'],
    ['not after a long wait', [failing(503, passing, { 'retry-after': '60' })], 1, 'REMOTE_SERVICE_ERROR'],
    ['not where a proxy answers', [new Response('<html>', { status: 502 })], 1, 'NOT_THE_SERVICE'],
    ['not below /api/v1, which says nothing', [Response.json({ code: 500, message: '' })], 1, '500'],
  ])('%s', async (name, answers, times, outcome) => {
    const { client, sent } = answeredBy(...answers);
    const call: Promise<unknown> = name.includes('/api/v1') ? client.v1FetchAcademicInfo() : client.getAcademicInfo();
    expect(
      await call.then(
        () => 'success',
        (error) => String(error.code),
      ),
    ).toBe(outcome);
    expect(sent).toHaveLength(times);
  });

  it('unless the caller wants no wait, or leaves while it lasts', async () => {
    const never = answeredBy(failing(502, passing, soon));
    await failureOf(never.client.getAcademicInfo({ retryWithinMs: -1 }));
    const leaving = new AbortController();
    const left = answeredBy(failing(502, passing, { 'retry-after': '5' }));
    const call = left.client.getAcademicInfo({ signal: leaving.signal });
    await vi.waitFor(() => expect(left.sent).toHaveLength(1), { timeout: 20_000 });
    leaving.abort(new Error('the student left'));
    await expect(call).rejects.toThrow('the student left');
    expect([never.sent.length, left.sent.length]).toEqual([1, 1]);
  });
});

it.each<[string, Partial<ConstructorParameters<typeof CampusError>[0]>, CampusError['advice']]>([
  ['listTerms', { status: 502, code: 'REMOTE_SERVICE_ERROR', retryable: true }, 'try-again'],
  ['listTerms', { status: 502, code: 'REMOTE_SERVICE_ERROR' }, 'tell'],
  ['listTerms', { status: 504, code: 'NO_COPY' }, 'ask-campus'],
  ['listTerms', { status: 0, code: 'NETWORK' }, 'try-again'],
  ['listTerms', { status: 403, code: 'PERSON_NEEDED' }, 'see-portal'],
  ['listTerms', { status: 403, code: 'PERSON_NEEDED', data: { challenge: { kind: 'elsewhere' } } }, 'see-portal'],
  ['listTerms', { status: 403, code: 'PERSON_NEEDED', data: { challenge: { kind: 'totp' } } }, 'answer'],
  ['login', { status: 403, code: 'PERSON_NEEDED', data: { challenge: { kind: 'captcha' } } }, 'see-portal'],
  ['login', { status: 428, code: 'LOGIN_CHALLENGE' }, 'answer'],
  ['v1Login', { status: 200, code: 428 }, 'answer'],
  [
    'v1FetchAllTerms',
    { status: 200, code: 400, message: '学校VPN门户要求短信验证码，请在这里重新登录并完成验证' },
    'answer',
  ],
  ['answerChallenge', { status: 502, code: 'REMOTE_SERVICE_ERROR' }, 'tell'],
  ['v1FetchAllTerms', { status: 200, code: 500 }, 'try-again'],
  ['v1FetchAllTerms', { status: 200, code: 400, message: '学校VPN门户要求短信验证码，请先登录' }, 'see-portal'],
  ['v1Login', { status: 200, code: 403 }, 'see-portal'],
  ['applyForActivity', { status: 504, code: 'TIMEOUT' }, 'look-first'],
  ['applyForActivity', { status: 0, code: 'NO_ANSWER' }, 'look-first'],
  ['applyForActivity', { status: 503, code: 'SERVICE_UNAVAILABLE', retryable: true, retryAfter: 1 }, 'wait'],
  ['v1StartEvaluation', { status: 200, code: 500 }, 'look-first'],
  ['updateUserProfile', { status: 408, code: 'BODY_TOO_SLOW', retryable: true }, 'try-again'],
  ['login', { status: 504, code: 'TIMEOUT' }, 'tell'],
  ['login', { status: 502, code: 'REMOTE_SERVICE_ERROR', retryAfter: 60 }, 'wait'],
  ['getRoom', { status: 404, code: 'ROOM_NOT_FOUND' }, 'mend'],
])('%s failing with %j: %s', (operation, parts, advice) => {
  expect(new CampusError({ operation, message: '', code: 'X', ...parts }).advice).toBe(advice);
});

it('sends nothing without the values of the path', async () => {
  const { client, sent } = answeredBy();
  for (const club_id of ['', '.', '..', Object(undefined), undefined]) {
    const path = Object({ club_id: typeof club_id === 'object' ? null : club_id });
    expect(await failureOf(client.listClubActivities({ path }))).toMatchObject({
      code: 'MISSING_VALUE',
      status: 0,
      advice: 'mend',
      message: expect.stringContaining('club_id'),
    });
  }
  expect(sent).toEqual([]);
});

describe('freshness', () => {
  it('asks for copies, and says how old they are and which failure they replace', async () => {
    const { client, sent } = await loggedIn();
    const asked = await client.call('getAcademicInfo', { freshness: { noCache: true, maxAge: 60 } });
    expect([asked.fromCopy, asked.readAt instanceof Date, (await client.checkToken()).readAt]).toEqual([
      false,
      true,
      null,
    ]);
    // `fetch` itself says no-cache beside a tag, so that is no explicit refresh.
    expect(sent.at(-2)?.headers).toMatchObject({ 'Cache-Control': 'max-age=0' });
    clock.advance(90_000);
    const copy = await client.call('getAcademicInfo', { freshness: { onlyIfCached: true, maxAge: 3600 } });
    expect([copy.age, copy.insteadOf, copy.fromCopy]).toEqual([90, null, true]);
    expect(Math.abs(Date.now() - 90_000 - Number(copy.readAt))).toBeLessThan(60_000);
    expect(sent.at(-1)?.headers).toMatchObject({ 'Cache-Control': 'max-age=3600', 'X-Copy': 'only' });
    const none = client.call('getExamInfo', { freshness: { onlyIfCached: true } });
    expect(await failureOf(none)).toMatchObject({
      code: 'NO_COPY',
      status: 504,
      retryable: false,
      system: null,
      advice: 'ask-campus',
    });
    gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
    onTestFinished(() => gateway.demo.clearFaults());
    expect(await failureOf(client.call('getAcademicInfo', { retryWithinMs: 0 }))).toMatchObject({
      code: 'REMOTE_SERVICE_ERROR',
      advice: 'try-again',
      retryable: true,
      system: 'academics',
      reason: null,
    });
    const old = await client.call('getAcademicInfo', { freshness: { staleIfError: 86_400 } });
    expect([old.age, old.insteadOf, old.fromCopy]).toEqual([90, 'REMOTE_SERVICE_ERROR', true]);
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
          const status = advice === 'passing' ? 502 : 422;
          throw new CampusError({ operation: 'listTerms', message: '', code: 'X', status, retryable: status === 502 });
        }
        return { data: 'done', pollAfter: null };
      };
    };
    const isOver = (state: string) => state === 'done';
    await expect(followUntil(failing('passing', 3), isOver, { everyMs: 1 })).resolves.toBe('done');
    await expect(followUntil(failing('passing', 6), isOver, { everyMs: 1 })).rejects.toThrow(CampusError);
    await expect(followUntil(failing('lasting', 1), isOver, { everyMs: 1 })).rejects.toThrow(CampusError);
  });

  it('asks again when the service says, and no longer where it says that nothing moves', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const looks: number[] = [];
    const client = createClient({
      baseUrl: 'http://127.0.0.1:9',
      fetch: async () => {
        looks.push(Date.now());
        const [status, after] =
          [
            ['initializing', '1'],
            ['running', '5'],
            ['paused', '10'],
            ['completed', null],
          ][looks.length - 1] ?? [];
        const headers = { 'x-poll-after': after };
        return Response.json({ success: true, data: { status } }, after === null ? {} : { headers: Object(headers) });
      },
    });
    const end = followEvaluation(client);
    await vi.runAllTimersAsync();
    expect(await end).toMatchObject({ status: 'completed' });
    expect(looks.map((at) => at - (looks[0] ?? 0))).toEqual([0, 1_000, 6_000, 16_000]);
  });

  it('ends with its time, and at once with its signal', async () => {
    const leaving = new AbortController();
    const never = followUntil(
      async () => ({ data: 'running', pollAfter: null }),
      () => false,
      { everyMs: 60_000_000, forMs: 90_000_000, signal: leaving.signal },
    );
    leaving.abort(new Error('left'));
    await expect(never).rejects.toThrow('left');
    let looks = 0;
    const look = async () => {
      looks += 1;
      return { data: looks, pollAfter: null };
    };
    await expect(followUntil(look, () => false, { everyMs: 5, forMs: 12 })).resolves.toBeLessThan(4);
  });
});

describe('what only the student can do', () => {
  const open = {
    id: 'c1',
    step: 'portal',
    kind: 'sms',
    message: '请验证',
    targets: [],
    sent: 'unknown',
    answers_left: 3,
  };
  const challenged = (members: object = {}): [number, object] => [
    428,
    {
      success: false,
      message: '请验证',
      data: { challenge: { ...open, ...members } },
      error: { code: 'LOGIN_CHALLENGE' },
    },
  ];
  const state = (challenge: object | null): [number, object] => [
    200,
    { success: true, message: '', data: { challenge } },
  ];
  const token: [number, object] = [200, { success: true, message: '', data: { token: 'fresh' } }];
  const done: [number, object] = [200, { success: true, message: '', data: { success: true } }];
  const failing = (status: number, code: string): [number, object] => [
    status,
    { success: false, message: code, data: null, error: { code } },
  ];
  const body = pairOf(first);

  /** A client whose calls are answered in turn, null being no answer, and a student who says these things in turn. */
  const scripted = (
    answers: ReadonlyArray<[number, object, Record<string, string>?] | null>,
    says: readonly PersonSays[],
  ) => {
    const [left, words] = [[...answers], [...says]];
    const sent: string[] = [];
    const asked: Array<string | null> = [];
    const opened: Array<string | null> = [];
    const client = createClient({
      baseUrl: 'https://campus.example',
      retryWithinMs: 0,
      fetch: async (url, init) => {
        const content = typeof init?.body === 'string' && !String(url).includes('login') ? ` ${init.body}` : '';
        sent.push(`${init?.method} ${String(url).replace('https://campus.example', '')}${content}`);
        const [status, answer, headers = {}] = left.shift() ?? [];
        if (status === undefined) throw new TypeError('no connection');
        return new Response(JSON.stringify(answer), { status, headers });
      },
    });
    const options = {
      ask: async (_challenge: object, problem: CampusError | null) => {
        asked.push(problem === null ? null : String(problem.code));
        return words.shift() ?? null;
      },
      onOpen: (id: string | null) => opened.push(id),
    };
    return { client, options, sent, asked, opened };
  };
  const answerPath = 'POST /auth/challenges/c1/answer';

  it('is asked for until the login is complete', async () => {
    const answers = [
      challenged(),
      state({ ...open, sent: 'perhaps' }),
      challenged({ answers_left: 2 }),
      failing(422, 'VALIDATION_ERROR'),
      token,
    ];
    const says = [{ send: true, target: 1 }, { answer: '1111' }, { answer: '??' }, { answer: '2222' }] as const;
    const { client, options, sent, asked, opened } = scripted(answers, says);
    expect(await withPerson(client, () => client.login({ body }), options)).toBe(true);
    expect(client.token.get()).toEqual({ token: 'fresh', ended: false });
    expect(sent.slice(1)).toEqual([
      'POST /auth/challenges/c1/send {"target":1}',
      `${answerPath} {"answer":"1111"}`,
      `${answerPath} {"answer":"??"}`,
      `${answerPath} {"answer":"2222"}`,
    ]);
    expect(asked).toEqual([null, null, 'LOGIN_CHALLENGE', 'VALIDATION_ERROR']);
    expect(opened).toEqual(['c1', null]);
  });

  it('an answer that was lost is never sent again: the challenge is looked at, and over where it was taken', async () => {
    const lost = scripted([challenged(), null, state(open), token], [{ answer: '1111' }, { answer: '2222' }]);
    expect(await withPerson(lost.client, () => lost.client.login({ body }), lost.options)).toBe(true);
    expect(lost.sent.slice(1)).toEqual([
      `${answerPath} {"answer":"1111"}`,
      'GET /auth/challenges/c1',
      `${answerPath} {"answer":"2222"}`,
    ]);
    const taken = scripted([challenged(), null, failing(404, 'NOT_FOUND')], [{ answer: '1111' }]);
    const failure = await failureOf(withPerson(taken.client, () => taken.client.login({ body }), taken.options));
    expect([failure.code, taken.opened]).toEqual(['NOT_FOUND', ['c1', null]]);
  });

  it('continues with the id after the app was closed', async () => {
    const resumed = scripted([state(open), token], [{ answer: '1111' }]);
    expect(await walkChallenge(resumed.client, 'c1', resumed.options)).toBe(true);
    expect(resumed.sent).toEqual(['GET /auth/challenges/c1', `${answerPath} {"answer":"1111"}`]);
  });

  it('is given up, or over', async () => {
    const given = scripted([challenged(), done], [null]);
    expect(await withPerson(given.client, () => given.client.login({ body }), given.options)).toBe(false);
    expect(given.sent[1]).toBe('DELETE /auth/challenges/c1');
    const over = scripted([challenged(), failing(404, 'NOT_FOUND')], [{ answer: '1111' }]);
    const failure = await failureOf(withPerson(over.client, () => over.client.login({ body }), over.options));
    expect([failure.code, over.opened]).toEqual(['NOT_FOUND', ['c1', null]]);
  });

  it('a failure that opens nothing is passed on, and a session that is live needs no renewal', async () => {
    const closed = failing(403, 'REMOTE_CREDENTIALS_INVALID');
    const refused = scripted([closed], []);
    expect(
      (await failureOf(withPerson(refused.client, () => refused.client.login({ body }), refused.options))).code,
    ).toBe('REMOTE_CREDENTIALS_INVALID');
    for (const answers of [[state(null)], [failing(409, 'CHALLENGE_NEEDLESS')], [state(open), token]]) {
      const renewal = scripted(answers, [{ answer: '1111' }]);
      expect(await renewWithPerson(renewal.client, renewal.options)).toBe(true);
    }
  });
});
