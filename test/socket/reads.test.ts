import { afterEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { apply } from '../support/labor-calls.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { paths } from '../support/study-reads.ts';

const INFO = '/jwc/academic/info';
const asked = ['jwc POST /main/academicInfo'];
let gateway: Gateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const start = async (env: Record<string, string> = {}) => {
  const clock = new ManualClock();
  const demo = await startDemoCampus({ clock });
  const opened = await startGateway({ clock, demo, env: { FRESH_SECONDS: '10', ...env } });
  gateway = opened;
  const token = await opened.register(first);
  /** A read of the first student, with these headers; what it asks the campus for. */
  const get = async (headers: Record<string, string> = {}, path = INFO, by = token) => {
    demo.resetRequests();
    const response = await fetch(opened.url + path, { headers: { authorization: `Bearer ${by}`, ...headers } });
    const text = await response.text();
    const body = text === '' ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body, wire: opened.wire() };
  };
  const down = () => demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
  return { clock, demo, gateway: opened, token, get, down };
};

/** The words that a value older than its freshness carries. */
const words = /（数据更新于 \d{4}-\d{2}-\d{2} \d{2}:\d{2}）$/;
const cacheHeaders = (headers: Headers) => [
  headers.get('cache-status'),
  headers.get('age'),
  headers.get('cache-control'),
];

describe('a read with an age', () => {
  it('is answered again without the campus while it is fresh, with its age and a tag', async () => {
    const { clock, get } = await start();
    const first = await get();
    expect(first.wire).toEqual(asked);
    expect(cacheHeaders(first.headers)).toEqual(['campus-gateway; fwd=miss', null, 'private, no-cache']);
    expect(first.headers.get('vary')).toContain('Authorization');
    clock.advance(9_999);
    const again = await get();
    expect(again.wire).toEqual([]);
    expect(cacheHeaders(again.headers)).toEqual(['campus-gateway; hit', '9', 'private, no-cache']);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.body.message).toBe(first.body.message);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    clock.advance(1);
    expect((await get()).wire).toEqual(asked);
  });

  it('is the same text each time but for the time at its end, until it is read anew', async () => {
    const { clock, demo, token, gateway: opened } = await start({ FRESH_SECONDS: '300' });
    const read = async (path: string) => {
      const response = await fetch(opened.url + path, { headers: { authorization: `Bearer ${token}` } });
      const text = await response.text();
      const time = /"timestamp":"([^"]*)"\}$/.exec(text)?.[1];
      return { text: text.replace(String(time), 'TIME'), time, type: response.headers.get('content-type') };
    };
    for (const path of ['/aac/credit/list', '/aac/credit/info']) {
      const asked = await read(path);
      for (let at = 0; at < 3; at += 1) {
        clock.advance(1_000);
        const copy = await read(path);
        expect({ text: copy.text, type: copy.type }).toEqual({ text: asked.text, type: asked.type });
        expect(Number(copy.time?.slice(-2)) % 60).toBe((Number(asked.time?.slice(-2)) + at + 1) % 60);
      }
      clock.advance(300_000);
      demo.resetRequests();
      expect((await read(path)).text).toBe(asked.text);
      expect(demo.requests({ system: 'aac' })).not.toEqual([]);
    }
  });

  it('obeys the directives of the request', async () => {
    const { clock, get } = await start();
    expect((await get({ 'x-copy': 'only' })).body.error.code).toBe('NO_COPY');
    await get();
    const anew = await get({ 'cache-control': 'no-cache' });
    expect([anew.wire, anew.headers.get('cache-status')]).toEqual([asked, 'campus-gateway; fwd=request']);
    clock.advance(60_000);
    expect((await get({ 'cache-control': 'max-age=120' })).wire).toEqual([]);
    const stale = await get({ 'cache-control': 'max-stale=50' });
    expect(stale.wire).toEqual([]);
    expect(stale.body.message).toMatch(words);
    expect([stale.headers.get('etag'), ...cacheHeaders(stale.headers)]).toEqual([
      null,
      'campus-gateway; hit',
      '60',
      'no-store',
    ]);
    expect((await get({ 'cache-control': 'max-stale=49' })).wire).toEqual(asked);
  });

  it('answers a copy alone where only that is wanted, and 504 where there is none', async () => {
    const { clock, get } = await start();
    await get();
    clock.advance(86_400_000);
    const offline = await get({ 'cache-control': 'only-if-cached' });
    expect([offline.status, offline.wire]).toEqual([200, []]);
    expect(offline.body.message).toMatch(words);
    const refused = await get({ 'cache-control': 'only-if-cached, max-age=60' });
    expect([refused.status, refused.body.error.code, refused.wire]).toEqual([504, 'NO_COPY', []]);
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  it('is a failure when the campus fails, unless a copy was asked for; then it says so, and is never a 304', async () => {
    const { clock, get, down } = await start();
    const { headers, body } = await get();
    const tag = headers.get('etag') ?? '';
    clock.advance(30_000);
    down();
    const failed = await get();
    expect([failed.status, failed.headers.get('cache-control')]).toEqual([502, 'no-store']);
    expect((await get({ 'cache-control': 'stale-if-error=29' })).status).toBe(502);
    const copy = await get({ 'cache-control': 'stale-if-error=60', 'if-none-match': tag });
    expect(copy.status).toBe(200);
    expect(copy.body.data).toEqual(body.data);
    expect(copy.body.message).toMatch(words);
    expect([copy.headers.get('etag'), ...cacheHeaders(copy.headers)]).toEqual([
      null,
      'campus-gateway; fwd=stale; detail=REMOTE_SERVICE_ERROR',
      '30',
      'no-store',
    ]);
    expect((await get({ 'if-none-match': tag })).status).toBe(502);
  });

  it('is answered 304 to the student who has it, and to nobody else', async () => {
    const { gateway, get } = await start();
    const other = await gateway.register(second);
    const tag = (await get()).headers.get('etag') ?? '';
    const known = await get({ 'if-none-match': `"x", ${tag}` });
    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, null, tag]);
    expect(known.headers.get('cache-control')).toBe('private, no-cache');
    expect((await get({ 'if-none-match': tag }, INFO, other)).status).toBe(200);
  });

  it('is not fresh any more after a write to its application', async () => {
    const { gateway, token, get } = await start();
    const path = '/ldjlb/labor/progress';
    await get({}, path);
    expect((await get({}, path)).wire).toEqual([]);
    await get();
    expect((await apply(gateway, token, 3)).status).toBe(200);
    expect((await get({}, path)).wire).not.toEqual([]);
    expect((await get()).wire).toEqual([]);
  });

  it('is shared by calls at the same moment', async () => {
    const { demo, gateway, token, get } = await start();
    await get({}, '/jwc/term/all');
    demo.resetRequests();
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.b('GET', INFO, { token })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(gateway.wire()).toEqual(asked);
  });

  it('stands in for a failure by the word of the operator, on both surfaces, and not against the caller', async () => {
    const { clock, gateway, token, get, down } = await start({ STALE_IF_ERROR_SECONDS: '3600' });
    const a = () => gateway.a('/jwc/fetch_academic_info', { token });
    const fresh = await a();
    await get();
    clock.advance(600_000);
    down();
    expect((await get()).body.message).toMatch(words);
    expect((await get({ 'cache-control': 'stale-if-error=0' })).status).toBe(502);
    expect((await get({ 'cache-control': 'no-cache' })).status).toBe(502);
    const stale = await a();
    expect([fresh.body.code, stale.body.code]).toEqual([200, 200]);
    expect(stale.body.message).toMatch(words);
    expect(stale.headers.get('age')).toBe('600');
    expect(stale.headers.get('cache-control')).toBe('no-store');
  });

  it('half an exam list is shown by surface A and never kept; for surface B the whole copy stands in', async () => {
    const { clock, demo, gateway, token, get } = await start();
    const path = '/jwc/exam/info';
    const half = () => demo.fault({ system: 'jwc', path: paths.otherExams, fault: { kind: 'status', status: 500 } });
    const a = () => gateway.a('/jwc/fetch_exam_info', { token });
    half();
    const first = await a();
    expect([first.body.code, first.headers.get('cache-status')]).toEqual([200, 'campus-gateway; fwd=miss']);
    expect((await a()).headers.get('cache-status')).toBe('campus-gateway; fwd=miss');
    expect((await get({ 'x-copy': 'only' }, path)).body.error.code).toBe('NO_COPY');

    demo.clearFaults();
    const whole = await get({}, path);
    expect(whole.status).toBe(200);
    clock.advance(60_000);
    half();
    expect((await a()).body.data.total_count).toBeLessThan(whole.body.data.exams.length);
    expect((await get({ 'x-copy': 'only' }, path)).body.data).toEqual(whole.body.data);
    const copy = await get({ 'cache-control': 'stale-if-error=60' }, path);
    expect([copy.status, copy.headers.get('age')]).toEqual([200, '60']);
    expect(copy.body.data).toEqual(whole.body.data);
    expect((await get({}, path)).status).toBe(502);
  });

  it('a copy never hides that the student has to log in anew', async () => {
    const { gateway, get } = await start();
    await get();
    const { accounts } = gateway.services.storage;
    const version = (await accounts.readPair(first.userid))?.version ?? 0;
    await accounts.markPairRefused(first.userid, version, 'portal');
    const refused = await get({ 'x-copy': 'only' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'USER_NEED_RESET_PASSWORD']);
  });

  it('with KEEP_COPIES=off nothing is stored, and what is fresh is held in memory', async () => {
    const { get, gateway } = await start({ KEEP_COPIES: 'off' });
    await get();
    expect((await get()).wire).toEqual([]);
    await gateway.services.storage.sweep(0);
    const key = { userid: first.userid, read: 'summary', params: '[]', shape: 1 };
    expect(await gateway.services.storage.copies.find(key)).toBeNull();
  });
});
