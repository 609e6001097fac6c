import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { pageWords, pretendBrowser, strict, textOf } from '../support/student-page.ts';

const names = [
  'today',
  'timetable',
  'scores',
  'exams',
  'electricity',
  'activity',
  'labor',
  'evaluation',
  'calendar',
  'account',
];

interface View {
  open(): unknown;
  view(): unknown;
}

/** Every view is a function of the store: it is drawn here without a browser, with the values of a demo campus. */
describe('the views of the page for students', () => {
  let gateway: Gateway;
  let restore = () => {};
  // biome-ignore lint/suspicious/noExplicitAny: the scripts of the page have no types
  let store: any;
  const views = new Map<string, View>();
  beforeAll(async () => {
    // A morning with a class, whose campus has exams ahead.
    gateway = await startGateway({ clock: new ManualClock(Date.parse('2026-03-18T10:30:00+08:00')) });
    restore = pretendBrowser(gateway.url);
    store = await import('../../src/pages/app/store.js' as string);
    for (const name of names) views.set(name, await import(`../../src/pages/app/views/${name}.js`));
    const { data } = (await gateway.b('GET', '/campus')).body;
    store.change({ campus: data });
    store.setToken(await gateway.register());
    await gateway.b('POST', '/isim/room/bind', { token: store.state.token, body: { room_id: '010101' } });
    await gateway.b('POST', '/jwc/evaluation/initialize', { token: store.state.token });
  });
  afterAll(async () => {
    restore();
    await gateway?.close();
  });

  const drawn = (name: string): string => textOf(views.get(name)?.view());
  const opened = async (name: string): Promise<void> => {
    await views.get(name)?.open();
    const loading = () => Object.values<{ isLoading?: boolean }>(store.state.reads).some(({ isLoading }) => isLoading);
    await expect.poll(loading, { timeout: 20_000 }).toBe(false);
  };
  const begin = (language: 'en' | 'zh', name: string): void => {
    store.change({ language, words: pageWords(language), reads: {}, forms: {}, route: { view: name, term: '' } });
  };
  const everyView = names.flatMap((name) => (['en', 'zh'] as const).map((language) => [name, language] as const));
  /** What the demo campus has, which a view that swallowed an element would not show. */
  const proofs: Readonly<Record<string, readonly string[]>> = {
    today: ['<dd>', '编译原理'],
    timetable: ['编译原理', '<td>', '致知楼-209'],
    scores: ['<rect>', '88.6'],
    exams: ['形势与政策（六）', '格物楼-316'],
    electricity: ['<path>', '1234.56', '36.8'],
    activity: ['83.5', '<details>'],
    labor: ['<circle>', '图书馆书架整理'],
    evaluation: ['编译原理', '<button>'],
    calendar: ['<form>', '<button>'],
    account: ['127.0.0.0/24', '<form>'],
  };

  it.each(everyView)('%s in %s: with nothing yet, and with the values of the demo campus', async (name, language) => {
    begin(language, name);
    const before = drawn(name);
    expect(before).toContain('<h1>');
    expect(before).not.toMatch(/undefined|NaN|\[object/);
    await opened(name);
    for (const read of Object.values<{ value?: unknown; failure?: { code: string } }>(store.state.reads)) {
      if (read.failure?.code !== 'PROFILE_NOT_FOUND') expect(read.failure).toBeNull();
      if (read.value !== undefined) read.value = strict(read.value);
    }
    const text = drawn(name);
    for (const proof of proofs[name] ?? []) expect([proof, text.includes(proof)]).toEqual([proof, true]);
    expect(text).not.toMatch(/undefined|NaN|\[object|<i>/);
    // A name without words would be shown itself.
    expect(text).not.toMatch(/(?:^|[\s>])[a-z]+\.[a-zA-Z]+(?:[\s<]|$)/);
  });

  it('the timetable has the dates of this week where it is opened first, and says what they leave out', async () => {
    begin('en', 'timetable');
    const { campus } = store.state;
    // Only the first screen can tell which term it is.
    const capabilities = campus.capabilities.filter((name: string) => name !== 'academics.terms');
    store.change({ campus: { ...campus, capabilities } });
    await views.get('timetable')?.open();
    expect(drawn('timetable')).toContain(pageWords('en')['timetable.usual']);
    expect(drawn('timetable')).toContain('16 Mar');
    store.change({ campus });
  });

  const failures = {
    LOST: { code: 'LOST', status: 0 },
    REMOTE_SERVICE_ERROR: { code: 'REMOTE_SERVICE_ERROR', status: 502, system: 'academics' },
    PERSON_NEEDED: { code: 'PERSON_NEEDED', status: 403 },
    COOLDOWN: { code: 'COOLDOWN', status: 429, wait: 30 },
    NOT_OFFERED: { code: 'NOT_OFFERED', status: 501 },
  };
  it.each(everyView)('%s in %s: a failure is said, and an old value with its age', async (name, language) => {
    begin(language, name);
    await opened(name);
    const values = store.state.reads;
    for (const failure of Object.values(failures)) {
      const failed = { message: '', details: [], wait: 0, ...failure };
      const without = Object.keys(values).map((key) => [
        key,
        { failure: failed, failedAt: Date.now(), isLoading: false },
      ]);
      store.change({ reads: Object.fromEntries(without) });
      const text = drawn(name);
      expect([failure.code, /<p>/.test(text) && !/undefined|NaN/.test(text)]).toEqual([failure.code, true]);
      if (failure.code === 'PERSON_NEEDED') expect(text).toContain(pageWords(language)['person.begin'] ?? '?');
      const old = Object.entries(values).map(([key, read]) => [
        key,
        { ...(read as object), failure: failed, failedAt: Date.now() },
      ]);
      store.change({ reads: Object.fromEntries(old) });
      expect(drawn(name)).not.toMatch(/undefined|NaN/);
    }
  });

  it.each(names)('%s: with lists that are empty', async (name) => {
    begin('en', name);
    await opened(name);
    const emptied = (value: unknown): unknown => {
      if (Array.isArray(value)) return [];
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptied(each)]));
    };
    const reads = Object.entries<{ value?: unknown }>(store.state.reads);
    store.change({
      reads: Object.fromEntries(reads.map(([key, read]) => [key, { ...read, value: emptied(read.value) }])),
    });
    expect(drawn(name)).toContain('<h1>');
    expect(drawn(name)).not.toMatch(/undefined|NaN|Infinity/);
  });
});
