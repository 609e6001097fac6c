import { beforeEach, describe, expect, it } from 'vitest';
import { createAacClient } from '../../../../../src/campus/products/aac/index.ts';
import { callContext } from '../../../../support/campus-rig.ts';
import { FakeTicketCampus, formOf, student } from '../../../../support/fake-ticket-campus.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

const totalPath = '/User/Center/DoGetScoreInfo';
const listPath = '/User/Center/DoGetScoreList';
const total = { TotalScore: 83.5, IsTypeAdopt: false, TypeAdoptResult: '未达到' };
const refusal = { code: 1, msg: '系统繁忙，请稍后再试', data: null };

let campus: FakeTicketCampus;
let clock: ManualClock;
let client: ReturnType<typeof createAacClient>;
beforeEach(() => {
  campus = new FakeTicketCampus();
  clock = new ManualClock();
  client = createAacClient({ sessions: campus, clock });
});

const askTotal = () => client.total(student, callContext());
const askList = () => client.categories(student, callContext());
const ok = (data: unknown) => ({ code: 0, msg: '', data });

describe('the total', () => {
  it('is asked for with an empty form and the mark of a script', async () => {
    campus.answers(totalPath, ok(total));
    expect(await askTotal()).toEqual(total);
    expect(campus.requests).toEqual([{ method: 'POST', path: `${totalPath}?sf_request_type=ajax`, expect: 'json' }]);
    expect(campus.systems).toEqual(['aac']);
  });

  it('keeps its answer when members are odd', async () => {
    campus.answers(totalPath, ok({ IsTypeAdopt: 'TRUE' }));
    expect(await askTotal()).toEqual({ TotalScore: 0, IsTypeAdopt: true, TypeAdoptResult: '' });
  });

  it.each([[null], [undefined], [{}]])('is missing when the data is %j', async (data) => {
    campus.answers(totalPath, { code: 0, data });
    await expect(askTotal()).rejects.toMatchObject({ kind: 'upstream-empty' });
  });

  it.each([['text'], [[total]], [{ unknown: 1 }], [{ TotalScore: 'NaN' }]])(
    'is unreadable when the data is %j',
    async (data) => {
      campus.answers(totalPath, ok(data));
      await expect(askTotal()).rejects.toMatchObject({ kind: 'upstream-unreadable' });
    },
  );

  it('is not cached when it was refused, missing or unreadable', async () => {
    for (const bad of [refusal, ok(null), ok('text')]) {
      campus.answers(totalPath, bad);
      await expect(askTotal()).rejects.toThrow();
    }
    campus.answers(totalPath, ok(total));
    expect((await askTotal()).TotalScore).toBe(83.5);
  });
});

describe('a refusal', () => {
  it.each([
    ['a code other than 0', refusal, 'upstream-refused'],
    ['a missing code', { msg: 'x', data: total }, 'upstream-refused'],
    ['a code that rounds to 0', { code: 0.4, data: total }, 'upstream-refused'],
    ['a null code', { code: null, data: total }, 'upstream-refused'],
    ['no JSON object', '[]', 'upstream-unreadable'],
    ['text', 'busy', 'upstream-unreadable'],
    ['half an answer', '{"code":0,"da', 'upstream-unreadable'],
  ])('by %s renews the ticket once and is an error afterwards', async (_name, answer, kind) => {
    campus.answers(totalPath, answer);
    await expect(askTotal()).rejects.toMatchObject({ kind, system: 'activity-score' });
    expect([campus.requests.length, campus.renewals]).toEqual([2, 1]);
  });

  it('carries the words of the campus as plain text', async () => {
    campus.answers(totalPath, { ...refusal, msg: `<b>系统繁忙</b>${'。'.repeat(400)}` });
    const failure = await askTotal().catch((error: unknown) => error);
    expect(failure).toMatchObject({ upstreamMessage: expect.stringMatching(/^系统繁忙/) });
    expect(String(Object(failure).upstreamMessage).length).toBeLessThanOrEqual(200);
  });

  it.each([['0'], [0]])('is not the code %j, nor a byte order mark before the answer', async (code) => {
    campus.answers(totalPath, `\uFEFF  ${JSON.stringify({ code, msg: null, data: total })}`);
    expect((await askTotal()).TotalScore).toBe(83.5);
  });
});

const row = (id: unknown, children: unknown = []) => ({ ID: id, ShowNum: 1, TypeName: 'T', TotalScore: 1, children });
const item = (id: unknown) => ({ ID: id, Title: 'A', TypeName: 'B', UserNo: 7, Score: '1.5', AddTime: '2024/09/02' });
const pages = (...all: unknown[]) =>
  campus.does(listPath, (request) => {
    const page = all[Number(formOf(request).pageIndex) - 1] ?? [];
    return JSON.stringify(ok(page));
  });
const full = (from: number) => Array.from({ length: 100 }, (_, index) => row(`c${from + index}`));

describe('the categories', () => {
  it('come in upstream order with their items', async () => {
    pages([row('b', [item('i1')]), row('a')]);
    expect(await askList()).toMatchObject([
      { ID: 'b', children: [{ ID: 'i1', UserNo: '7', Score: 1.5 }] },
      { ID: 'a', children: [] },
    ]);
    expect(formOf(campus.requests[0]!)).toEqual({ pageIndex: '1', pageSize: '100' });
  });

  it('degrade cell by cell, and skip entries that are no rows or name nothing', async () => {
    const children = [null, { ID: 'a' }, { Title: 'b', Score: 'x' }, {}, 'x'];
    pages([null, 7, { ID: '1', ShowNum: 'x', children: null }, { ShowNum: 2 }, { ID: 3, TotalScore: '2.5', children }]);
    expect(await askList()).toEqual([
      { ID: '1', ShowNum: 0, TypeName: '', TotalScore: 0, children: [] },
      {
        ID: '3',
        ShowNum: 0,
        TypeName: '',
        TotalScore: 2.5,
        children: [
          { ID: 'a', Title: '', TypeName: '', UserNo: '', Score: 0, AddTime: '' },
          { ID: '', Title: 'b', TypeName: '', UserNo: '', Score: 0, AddTime: '' },
        ],
      },
    ]);
  });

  it('may be empty, and may be below rows', async () => {
    campus.answers(listPath, ok([]));
    expect(await askList()).toEqual([]);
    campus.answers(listPath, ok({ rows: [row('a')] }));
    expect(await askList()).toHaveLength(1);
  });

  it.each([
    [null, 'upstream-empty'],
    [undefined, 'upstream-empty'],
    ['text', 'upstream-unreadable'],
    [[row('a', 'text')], 'upstream-unreadable'],
    [[{ url: '/login' }, 'x'], 'upstream-unreadable'],
  ])('are an error, not an empty list, when the data is %j', async (data, kind) => {
    campus.answers(listPath, { code: 0, data });
    await expect(askList()).rejects.toMatchObject({ kind });
  });

  it.each([
    ['a short page', [full(0), full(100), [row('last')]], 201, 3],
    ['a repeated page', [full(0), full(0), full(0)], 100, 2],
    ['more rows than were asked for', [[...full(0), row('x')]], 101, 1],
  ])('are read until %s', async (_name, answers, categories, requests) => {
    pages(...answers);
    expect(await askList()).toHaveLength(categories);
    expect(campus.requests).toHaveLength(requests);
  });

  it('are merged by id where a page break cut one in two; its items once each', async () => {
    const first = [...full(0).slice(1), row('cut', [item('i1'), item('i2')])];
    pages(first, [row('cut', [item('i2'), item('i3'), item('')]), row('c1'), row('')]);
    const categories = await askList();
    expect(categories).toHaveLength(101);
    expect(categories[99]?.children.map(({ ID }) => ID)).toEqual(['i1', 'i2', 'i3', '']);
  });

  it('start from their first page after a renewal in the middle', async () => {
    let refused = false;
    campus.does(listPath, (request) => {
      const page = Number(formOf(request).pageIndex);
      if (page === 2 && !refused) {
        refused = true;
        return JSON.stringify(refusal);
      }
      return JSON.stringify(ok(page === 1 ? full(0) : [row('last')]));
    });
    expect(await askList()).toHaveLength(101);
    expect(campus.requests.map((request) => formOf(request).pageIndex)).toEqual(['1', '2', '1', '2']);
  });
});

describe('an answer with the code 0', () => {
  it.each([
    [{ success: false, msg: '查询失败', data: [] }],
    [{ error: 'timeout', data: [] }],
    [{ status: 500, data: [] }],
  ])('that tells an error besides is no empty list: %j', async (more) => {
    campus.answers(listPath, { code: 0, ...more });
    await expect(askList()).rejects.toMatchObject({ kind: 'upstream-refused' });
  });

  it('that names only another student is not shown', async () => {
    const item = (UserNo: string) => ({ ID: UserNo, Title: 'a', UserNo });
    const list = (...owners: string[]) => ok([{ ID: 'c', TypeName: 'b', children: owners.map(item) }]);
    campus.answers(listPath, list('2023000999'));
    await expect(askList()).rejects.toMatchObject({ kind: 'upstream-unreadable' });
    for (const known of [list('2023000001', '2023000999'), list('20239'), list('张三')]) {
      campus.answers(listPath, known);
      expect(await askList()).toHaveLength(1);
    }
  });

  it('may count in words', async () => {
    campus.answers(totalPath, ok({ TotalScore: '83.5分' }));
    expect((await askTotal()).TotalScore).toBe(83.5);
  });
});
