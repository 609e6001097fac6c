import { afterEach, describe, expect, it, vi } from 'vitest';
import { allReads } from '../../src/domain/all-reads.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { apply, clubId } from '../support/labor-calls.ts';
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
  const opened = await startGateway({ clock, env: { FRESH_SECONDS: '10', ...env } });
  const { demo } = opened;
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

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['the caller', {}, { 'cache-control': 'stale-while-revalidate=30' }],
    ['the operator', { REVALIDATE_SECONDS: '30' }, {}],
  ])(
    'by the word of %s a copy that is a little too old answers at once, and is read behind the answer',
    async (who, env, said) => {
      const { clock, demo, gateway, token, get } = await start(env);
      await get();
      clock.advance(40_000);
      // The campus does not answer before the call is over.
      demo.fault({ system: 'jwc', fault: { kind: 'delay', ms: 5_000 } });
      const old = await get(said);
      expect(old.body.message).toMatch(words);
      expect([old.headers.get('etag'), ...cacheHeaders(old.headers)]).toEqual([
        null,
        'campus-gateway; hit; detail=revalidating',
        '40',
        'no-store',
      ]);
      if (who === 'the operator') {
        const onA = await gateway.a('/jwc/fetch_academic_info', { token });
        expect([onA.headers.get('cache-status'), onA.body.message]).toEqual([
          'campus-gateway; hit; detail=revalidating',
          expect.stringMatching(words),
        ]);
      }
      const copyAge = async (): Promise<number> => {
        clock.advance(1_000);
        const headers = { authorization: `Bearer ${token}`, 'x-copy': 'only' };
        return Number((await fetch(gateway.url + INFO, { headers })).headers.get('age'));
      };
      await vi.waitFor(async () => expect(await copyAge()).toBeLessThan(30), { timeout: 20_000 });
      expect(gateway.wire()).toEqual(asked);
    },
  );

  it('a read that students act on at once asks the campus, with any setting of the operator', async () => {
    const { clock, get } = await start({ REVALIDATE_SECONDS: '3600' });
    const path = '/jwc/academic/course_selection_status';
    await get({}, path);
    clock.advance(1_000);
    expect((await get({}, path)).headers.get('cache-status')).toBe('campus-gateway; fwd=miss');
  });

  it('is answered 304 to the student who has it, and to no other', async () => {
    const { gateway, get } = await start();
    const other = await gateway.register(second);
    const tag = (await get()).headers.get('etag') ?? '';
    const known = await get({ 'if-none-match': `"x", ${tag}` });
    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, null, tag]);
    expect(known.headers.get('cache-control')).toBe('private, no-cache');
    expect((await get({ 'if-none-match': tag }, INFO, other)).status).toBe(200);
  });

  it('is not asked for at the campus because `fetch` adds no-cache to If-None-Match, where it is fresh for seconds', async () => {
    const { clock, get } = await start();
    const tag = (await get()).headers.get('etag') ?? '';
    // The `fetch` of Node: it sends `Pragma: no-cache` and `Cache-Control: no-cache` beside the tag.
    const again = await get({ 'if-none-match': tag });
    expect([again.status, again.wire, again.headers.get('cache-status')]).toEqual([304, [], 'campus-gateway; hit']);
    // A caller's own directives are obeyed, and so is `fetch` where it was told to ask.
    for (const words of ['max-age=0', 'no-cache, stale-if-error=60', 'No-Cache']) {
      expect([words, (await get({ 'if-none-match': tag, 'cache-control': words })).wire]).toEqual([words, asked]);
    }
    expect((await get({ 'cache-control': 'no-cache', pragma: 'no-cache' })).wire).toEqual(asked);
    clock.advance(10_000);
    const unchanged = await get({ 'if-none-match': tag });
    expect([unchanged.wire, unchanged.headers.get('cache-status')]).toEqual([asked, 'campus-gateway; fwd=miss']);

    // Fresh for minutes: a caller who says no-cache may mean it.
    const credit = '/aac/credit/info';
    const { headers } = await get({}, credit);
    expect((await get({}, credit)).wire).toEqual([]);
    const meant = await get({ 'if-none-match': headers.get('etag') ?? '' }, credit);
    expect([meant.status, meant.wire.length, meant.headers.get('cache-status')]).toEqual([
      304,
      1,
      'campus-gateway; fwd=request',
    ]);
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

  it('half an exam list is shown by surface A and never kept; surface B answers with the whole copy', async () => {
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

  it('a page behind the last one is answered and not kept', async () => {
    const { get } = await start();
    const page = (number: number) => `/ldjlb/labor/club/${clubId(10)}/activities?page_index=${number}&page_size=100`;
    expect((await get({}, page(1))).body.data).not.toEqual([]);
    expect((await get({ 'x-copy': 'only' }, page(1))).status).toBe(200);
    expect((await get({}, page(9))).status).toBe(200);
    expect((await get({ 'x-copy': 'only' }, page(9))).body.error.code).toBe('NO_COPY');
  });

  it('with KEEP_COPIES=off nothing is stored, and what is fresh is held in memory', async () => {
    const { get, gateway } = await start({ KEEP_COPIES: 'off' });
    await get();
    expect((await get()).wire).toEqual([]);
    await gateway.services.reads.close();
    const key = { userid: first.userid, read: 'summary', params: '[]', shape: allReads.summary.shape };
    expect(await gateway.services.storage.copies.find(key)).toBeNull();
  });
});
