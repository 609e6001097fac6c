import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { allReads } from '../../src/domain/all-reads.ts';
import { calendarProperties, type ReadEvent, readCalendar } from '../support/calendar-readers.ts';
import { entryOf, first, second } from '../support/campus-rig.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { keptIn } from '../support/kept.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { workingDirectory } from '../support/service-process.ts';

const TERM = '2025-2026-2-1';
const DAY = 86_400_000;
const MINUTE = 60_000;
const ALL = ['classes', 'exams', 'activities'];
const READS = [
  '/jwc/term/current',
  '/jwc/term/all',
  `/jwc/schedule/${TERM}/table`,
  '/jwc/exam/info',
  '/ldjlb/labor/joined/activities',
];

const open: Array<() => Promise<void> | void> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const start = async (options: Partial<GatewayOptions> = {}) => {
  const clock = new ManualClock();
  const gateway = await startGateway({ clock, ...options });
  open.push(() => gateway.close());
  const token = await gateway.register(first);
  const make = async (body: object = {}, by = token): Promise<{ id: string; path: string; secret: string }> => {
    const made = await gateway.b('POST', '/calendar/feeds', {
      token: by,
      body: { name: '我的课表', include: ALL, ...body },
    });
    if (made.status !== 200) throw new Error(made.text);
    const path = new URL(made.body.data.url).pathname;
    return { id: made.body.data.id, path, secret: path.slice('/calendar/'.length, -'.ics'.length) };
  };
  const read = async (by = token, paths = READS): Promise<void> => {
    for (const path of paths) {
      const answer = await gateway.b('GET', path, { token: by });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    }
  };
  return {
    clock,
    demo: gateway.demo,
    gateway,
    token,
    make,
    read,
    poll: (path: string, tag?: string) => poll(gateway, path, tag),
  };
};

const poll = async ({ url }: Gateway, path: string, tag?: string) => {
  const response = await fetch(url + path, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
  const { status, headers } = response;
  return { status, headers, text: await response.text(), tag: headers.get('etag') ?? '' };
};

/** The events that all readers see in a calendar; throws where they differ. */
const events = (text: string): ReadEvent[] => {
  const [one = [], ...others] = Object.values(readCalendar(text));
  for (const other of others) expect(other).toEqual(one);
  return one;
};
const classes = (text: string) => events(text).filter(({ description }) => description.includes('节次：'));

/** Puts a reading at the campus into storage as if a call had made it. */
const plant = async (
  { services }: Gateway,
  read: keyof typeof allReads,
  params: string[],
  value: unknown,
  readAt: number,
  shape = allReads[read].shape,
) => {
  const { userid } = first;
  const generation = (await services.storage.sessions.generation(userid)) ?? 0;
  const { name } = allReads[read];
  const copy = { read: name, params: JSON.stringify(params), shape, text: JSON.stringify(value), writes: 0, readAt };
  await keptIn(services.storage).copies.keep(userid, generation, [copy]);
};

describe('a calendar feed', () => {
  it('has the same events and sequences before, beside and behind garbled readings of the timetable', async () => {
    const { clock, demo, gateway, token, make, read, poll } = await start();
    await read();
    const { path } = await make({ include: ['classes'] });
    const eventLines = async (): Promise<string> => {
      // A calendar is made at most once in five minutes.
      clock.advance(6 * MINUTE);
      const { text } = await poll(path);
      return text.slice(text.indexOf('BEGIN:VEVENT')).replace(/^(?:DTSTAMP|LAST-MODIFIED):.*\r\n/gm, '');
    };
    const first = await eventLines();
    expect(first).toMatch(/^SEQUENCE:0\r?$/m);
    const timetable = READS[2] ?? '';
    for (const [variant, status] of [
      ['GBK named UTF-8', 200],
      ['UTF-8 named GBK', 200],
      ['damaged bytes', 502],
    ] as const) {
      demo.switches.pageVariants = [variant];
      expect((await gateway.b('GET', timetable, { token })).status, variant).toBe(status);
      expect(await eventLines(), variant).toBe(first);
      demo.switches.pageVariants = [];
      expect((await gateway.b('GET', timetable, { token })).status).toBe(200);
      expect(await eventLines(), variant).toBe(first);
    }
  });

  it('shows the term of the student as three readers read it, without asking the campus', async () => {
    const { demo, make, read, poll } = await start();
    const { path } = await make({ alarm_minutes: 15 });
    await read();
    demo.resetRequests();
    const { status, headers, text } = await poll(path);
    expect(demo.requests()).toEqual([]);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(classes(text).length).toBeGreaterThan(50);
    const titles = events(text).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith('考试：'))).toHaveLength(6);
    expect(titles.filter((title) => title.startsWith('劳动：')).length).toBeGreaterThan(0);
    expect(titles.filter((title) => title.startsWith('报名截止：')).length).toBeGreaterThan(0);
    expect(events(text).find(({ title }) => title === '考试：算法设计与分析')?.description).toMatch(/座位号: \d/);
    expect(events(text).every(({ alarm, start }) => alarm === (start.includes('T') ? 15 : null))).toBe(true);
  });

  it('is the same while nothing changes, also where the value was read again, and says the day of its data', async () => {
    const { clock, make, read, poll, token } = await start();
    const { path } = await make({ include: ['classes'] });
    await read();
    const one = await poll(path);
    clock.advance(2 * 3_600_000);
    await read();
    // Another copy of a read that it uses, which it has no use for.
    await read(token, ['/jwc/schedule/2025-2026-1-1/table']);
    expect(await poll(path, one.tag)).toMatchObject({ status: 304, tag: one.tag, text: '' });
    clock.advance(DAY);
    await read();
    const next = await poll(path, one.tag);
    expect(next.status).toBe(200);
    expect(calendarProperties(next.text).get('description')).toContain('课表更新于 2026-03-19');
    expect(classes(next.text)).toEqual(classes(one.text));
    expect(next.text.match(/DTSTAMP:.*/)?.[0]).toBe(one.text.match(/DTSTAMP:.*/)?.[0]);
  });
});

describe('what a poll costs', () => {
  /** How often a calendar has been made, and how often a copy has been opened. */
  const watch = ({ services: { storage } }: Gateway) => {
    const [made, opened] = [vi.spyOn(storage.feeds, 'contents'), vi.spyOn(storage.copies, 'find')];
    return { made: () => made.mock.calls.length, opened: () => opened.mock.calls.length };
  };

  it('copies that a feed is not made of do not make its calendar again, however often they are read', async () => {
    const { clock, gateway, token, make, read, poll } = await start();
    const { path } = await make();
    await read();
    const { tag } = await poll(path);
    const { made, opened } = watch(gateway);
    for (let round = 0; round < 40; round += 1) {
      // Another made-up term with each reading, twice a second.
      clock.advance(round === 20 ? 6 * MINUTE : 500);
      const readAt = opened();
      await read(token, [`/jwc/schedule/${2030 + round}-${2031 + round}-1-1/table`]);
      await gateway.services.reads.close();
      const before = opened();
      expect(before - readAt).toBeLessThanOrEqual(1);
      expect((await poll(path, tag)).status).toBe(304);
      expect(opened()).toBe(before);
    }
    expect(made()).toBe(0);
  });
});

describe('the tag of a calendar', () => {
  it('does not come again for another one after an older backup was restored', async () => {
    const folder = workingDirectory();
    const { clock, gateway, make, read, poll: pollFirst } = await start();
    const { path } = await make({ include: ['classes'] });
    await read();
    const plantNamed = async (at: Gateway, name: string) => {
      const key = { read: allReads.schedule.name, params: JSON.stringify([TERM]), shape: allReads.schedule.shape };
      const known = await at.services.storage.copies.find({ userid: first.userid, ...key });
      const schedule = JSON.parse(known?.text ?? '');
      const courses = schedule.courses.map((course: object) => ({ ...course, name }));
      await plant(at, 'schedule', [TERM], { ...schedule, courses }, clock.now());
    };
    await pollFirst(path);
    const backup = `sqlite:${join(folder, 'backup.db')}`;
    await gateway.services.storage.copyTo(backup);

    clock.advance(6 * MINUTE);
    await plantNamed(gateway, 'read after the backup');
    const seen = await pollFirst(path);
    expect(seen.text).toContain('read after the backup');

    const restored = await gateway.replica({ env: { DATABASE_URL: backup } });
    open.push(() => restored.close());
    clock.advance(6 * MINUTE);
    await plantNamed(restored, 'read after the restore');
    const next = await poll(restored, path, seen.tag);
    expect(next.status).toBe(200);
    expect(next.text).toContain('read after the restore');
  });
});

describe('no subscriber loses events', () => {
  it('to a lost copy, to one of another shape, or to copies that got too old', async () => {
    const { clock, gateway, make, read, poll } = await start();
    const { path } = await make();
    await read();
    const before = await poll(path);
    clock.advance(300_000);
    await plant(gateway, 'schedule', [TERM], { other: 'shape' }, clock.now(), 99);
    expect(events((await poll(path)).text)).toEqual(events(before.text));
    const { copies } = await gateway.services.storage.sweep(clock.now() + 31 * DAY);
    expect(copies).toBeGreaterThan(0);
    const after = await poll(path);
    expect(after.status).toBe(200);
    expect(events(after.text)).toEqual(events(before.text));
  });

  it('where what was shown is gone, the answer is 503 and never an empty calendar, until the student reads again', async () => {
    const { clock, gateway, token, make, read, poll: pollFirst } = await start();
    const { path } = await make({ include: ['classes'] });
    await read();
    expect((await pollFirst(path)).status).toBe(200);

    const off = await gateway.replica({ env: { KEEP_COPIES: 'off' } });
    const answers = [
      await poll(off, path),
      await off.b('POST', '/calendar/feeds', { token, body: { name: 'x', include: ALL } }),
      await off.b('GET', '/calendar/feeds', { token }),
      await off.b('DELETE', '/calendar/feeds/x', { token }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array.from({ length: 4 }, () => [503, '3600']),
    );
    await off.services.storage.sweep(clock.now());
    await off.close();

    const lost = await pollFirst(path);
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '3600']);
    await read();
    const again = await pollFirst(path);
    expect(classes(again.text).length).toBeGreaterThan(50);
  });
});

it('a feed was never asked for before it was made', async () => {
  const { gateway, token, clock, make, poll } = await start();
  clock.advance(47 * 60_000);
  const { path } = await make();
  await poll(path);
  const shown = async () => (await gateway.b('GET', '/calendar/feeds', { token })).body.data.feeds;
  const created_at = '2026-03-18 10:47:00';
  expect(await shown()).toMatchObject([{ created_at, last_polled_at: created_at }]);
  clock.advance(3_600_000);
  await poll(path);
  expect(await shown()).toMatchObject([{ created_at, last_polled_at: '2026-03-18 11:00:00' }]);
});

describe('the addresses of feeds', () => {
  it('are shown once, stored as hashes and logged nowhere; the log tells the feed', async () => {
    const { gateway, token, make, read, poll } = await start();
    const { id, path, secret } = await make();
    await read();
    await poll(path);
    const listed = await gateway.b('GET', '/calendar/feeds', { token });
    expect(listed.body.data.feeds).toMatchObject([{ id }]);
    const wrong = `${secret.slice(0, -1)}_`;
    await poll(`/calendar/${wrong}.ics`);
    for (const text of [gateway.log(), gateway.databaseBytes().toString('latin1'), listed.text]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(wrong);
    }
    const lines = gateway
      .log()
      .split('\n')
      .filter((line) => line.includes('"route":"/calendar/:secret.ics"'))
      .map((line) => JSON.parse(line));
    expect(lines.map(({ status, feed }) => [status, feed])).toEqual([
      [200, id],
      [404, undefined],
    ]);
    // The contents of a feed are sealed.
    expect(gateway.databaseBytes().includes('编译原理')).toBe(false);
  });

  it('answer 404 at once on every replica when the feed is deleted, or the account', async () => {
    const { gateway, token, make } = await start();
    const other = await gateway.replica();
    open.push(() => other.close());
    const one = await make();
    const two = await make();
    const statuses = async () => [
      (await poll(gateway, one.path)).status,
      (await poll(other, one.path)).status,
      (await poll(other, two.path)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await gateway.b('DELETE', `/calendar/feeds/${one.id}`, { token })).body.data).toEqual({ success: true });
    expect(await statuses()).toEqual([404, 404, 200]);
    expect((await gateway.b('DELETE', `/calendar/feeds/${one.id}`, { token })).body.error.code).toBe('NOT_FOUND');
    const body = entryOf(first);
    expect((await gateway.b('DELETE', '/auth/account', { token, body })).status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404]);
    // A student who registers the id again has none of it.
    const again = await gateway.register(first);
    expect((await gateway.b('GET', '/calendar/feeds', { token: again })).body.data.feeds).toEqual([]);
  });
});

describe('the feeds of a student', () => {
  it('are at most ten, also when they are made at the same time, and a deleted one makes room', async () => {
    const { gateway, token, make } = await start();
    const made = await Promise.all(
      Array.from({ length: 12 }, () =>
        gateway.b('POST', '/calendar/feeds', { token, body: { name: 'x', include: ['exams'] } }),
      ),
    );
    const refused = made.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'FEED_LIMIT'],
      [409, 'FEED_LIMIT'],
    ]);
    const kept = made.find(({ status }) => status === 200);
    await gateway.b('DELETE', `/calendar/feeds/${kept?.body.data.id}`, { token });
    expect((await make()).id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('of two students never mix', async () => {
    const { gateway, make, read, poll } = await start();
    const token = await gateway.register(second);
    const mine = await make();
    const theirs = await make({ name: '别人的' }, token);
    await read();
    await read(token);
    const [a, b] = [await poll(mine.path), await poll(theirs.path)];
    const uids = new Set(events(a.text).map(({ uid }) => uid));
    expect(events(b.text).some(({ uid }) => uids.has(uid))).toBe(false);
    expect(events(b.text).map(({ title }) => title)).not.toContain('编译原理');
    expect((await gateway.b('DELETE', `/calendar/feeds/${mine.id}`, { token })).status).toBe(404);
    expect((await gateway.b('GET', '/calendar/feeds', { token })).body.data.feeds).toHaveLength(1);
    expect((await gateway.b('GET', '/calendar/feeds')).status).toBe(401);
  });

  it('are counted by outcome', async () => {
    const { gateway, make, poll } = await start({ env: { METRICS: 'on' }, app: {} });
    const { path } = await make();
    const { tag } = await poll(path);
    await poll(path, tag);
    await poll('/calendar/unknown.ics');
    const { text } = await gateway.b('GET', '/metrics');
    const counted = text.split('\n').filter((line: string) => line.startsWith('campus_calendar_polls_total{'));
    expect(counted.toSorted()).toEqual([
      'campus_calendar_polls_total{outcome="feed-unknown"} 1',
      'campus_calendar_polls_total{outcome="sent"} 1',
      'campus_calendar_polls_total{outcome="unchanged"} 1',
    ]);
    expect(text).not.toContain('/calendar/unknown');
  });
});
