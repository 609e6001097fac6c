import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type AccessLog, createAccessLog, MOST_ENTRIES, operatorEntry } from '../../src/domain/accounts/access-log.ts';
import { type Accessor, silentLog } from '../../src/domain/context.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { day, onBothDatabases, registered, start } from './databases.ts';

const hour = 3_600_000;
const address = '203.0.113.9';

onBothDatabases('the access log', (database) => {
  let storage: Storage;
  let clock: ManualClock;
  let userid: string;
  let logs: AccessLog[];

  beforeAll(async () => {
    storage = await database.open();
  });
  beforeEach(async () => {
    clock = new ManualClock(start);
    logs = [];
    ({ userid } = await registered(storage));
  });
  afterEach(() => Promise.all(logs.map((log) => log.close())));

  const open = (store = storage.accessLog): AccessLog => {
    const log = createAccessLog({ store, clock, timeZone: 'Asia/Shanghai', log: silentLog });
    logs.push(log);
    return log;
  };
  const token = (id: string): Accessor => ({ userid, source: 'token', id, name: 'widget' });
  const call = (log: AccessLog, id = 'a', operation = 'getTerms', status = 200, askedCampus = false): void =>
    log.count({ accessor: token(id), askedCampus }, { operation, status, address });

  it('10,000 calls of twenty tokens through two replicas are counted exactly', async () => {
    const [one, two] = [open(), open()];
    for (let at = 0; at < 10_000; at += 1) {
      clock.advance(997);
      call(
        at % 3 === 0 ? one : two,
        `token-${at % 20}`,
        `operation-${at % 7}`,
        at % 11 === 0 ? 502 : 200,
        at % 5 === 0,
      );
      if (at % 2_500 === 0) await Promise.all([one.list({ userid }, 0), two.list({ userid }, 0)]);
    }
    await one.close();
    const entries = await two.list({ userid }, 0);
    const sum = (of: 'count' | 'asked', which = entries) => which.reduce((total, entry) => total + entry[of], 0);
    expect(sum('count')).toBe(10_000);
    expect(sum('asked')).toBe(2_000);
    expect(
      sum(
        'count',
        entries.filter(({ outcome }) => outcome === 'failed'),
      ),
    ).toBe(910);
    expect(
      sum(
        'count',
        entries.filter(({ id }) => id === 'token-7'),
      ),
    ).toBe(500);
  });

  it('a call costs no statement, and what could not be written is written with the next', async () => {
    let broken = true;
    let statements = 0;
    const log = open({
      ...storage.accessLog,
      add: async (entries) => {
        statements += 1;
        if (broken) {
          // A call that ends meanwhile.
          clock.advance(1_000);
          const entry = { operation: 'getTerms', status: 200, address: '198.51.100.7' };
          log.count({ accessor: token('a'), askedCampus: true }, entry);
          throw new Error('no database');
        }
        await storage.accessLog.add(entries);
      },
    });
    for (let at = 0; at < 1_000; at += 1) call(log);
    expect(statements).toBe(0);
    expect(await log.list({ userid }, 0)).toEqual([]);
    broken = false;
    const last = { firstAt: start, lastAt: start + 1_000, network: '198.51.100.0/24' };
    expect(await log.list({ userid }, 0)).toMatchObject([{ count: 1_001, asked: 1, outcome: 'ok', ...last }]);
    expect(statements).toBe(2);
    log.count({ accessor: token('a'), askedCampus: false }, { operation: 'getTerms', status: 200, address });
    expect(await log.list({ userid }, 0)).toMatchObject([{ count: 1_002, asked: 1, network: '203.0.113.0/24' }]);
  });

  it('what waits is written once it is much, and let go once it is too much', async () => {
    let broken = true;
    const sizes: number[] = [];
    let made = 0;
    const log = open({
      ...storage.accessLog,
      add: async ({ length }) => {
        sizes.push(length);
        if (broken) throw new Error('no database');
      },
    });
    const written = async (count: number): Promise<number[]> => {
      for (const end = made + count; made < end; made += 1) call(log, 'a', `operation-${made}`);
      await new Promise((resolve) => setImmediate(resolve));
      return sizes.splice(0);
    };
    expect([await written(4_999), await written(1)]).toEqual([[], [200]]);
    await written(15_001);
    broken = false;
    call(log);
    await log.list({ userid }, 0);
    expect(sizes).toEqual([1]);
  });

  it('many entries are written in parts with turns of the event loop between, and a part that fails costs no other', async () => {
    const turns: number[] = [];
    let turn = 0;
    let running = true;
    const next = (): void => {
      turn += 1;
      if (running) setImmediate(next);
    };
    setImmediate(next);
    const log = open({
      ...storage.accessLog,
      add: async (entries) => {
        turns.push(turn);
        if (turns.length === 3) throw new Error('storage is away');
        await storage.accessLog.add(entries);
      },
    });
    for (let at = 0; at < 450; at += 1) call(log, `token-${at}`);
    await log.list({ userid }, 0);
    expect(turns).toHaveLength(3);
    expect(new Set(turns).size).toBe(3);
    const entries = await log.list({ userid }, 0);
    running = false;
    expect(entries.filter(({ id }) => id?.startsWith('token-'))).toHaveLength(450);
    expect(entries.every(({ count }) => count === 1)).toBe(true);
  });

  it('outcomes, hours and operations are counted apart; the newest come first, from a moment on', async () => {
    const log = open();
    call(log, 'a', 'getTerms');
    call(log, 'a', 'getTerms', 403);
    call(log, 'a', 'getTerms', 499);
    clock.advance(hour);
    call(log, 'a', 'getTerms');
    const other = await registered(storage);
    const entry = { operation: 'getTerms', status: 200, address };
    log.count({ accessor: { ...token('a'), userid: other.userid }, askedCampus: false }, entry);
    log.count({ accessor: { ...token('a'), source: 'feed' }, askedCampus: false }, entry);
    // Of replicas that write in another order.
    for (const at of [clock.now(), clock.now() - 1])
      await storage.accessLog.add([operatorEntry(userid, 'unlock', at + 1)]);
    expect(await log.list({ userid: other.userid }, 0)).toMatchObject([{ source: 'token', count: 1 }]);
    const entries = await log.list({ userid }, 0);
    expect(entries.map(({ outcome, from }) => `${outcome} ${from - start}`).sort()).toEqual([
      'failed 0',
      'ok 0',
      `ok ${hour}`,
      `ok ${hour}`,
      `ok ${hour}`,
      'refused 0',
    ]);
    expect(entries[0]).toMatchObject({ source: 'operator', count: 2, firstAt: clock.now(), lastAt: clock.now() + 1 });
    expect(await log.list({ userid }, start + 1)).toHaveLength(3);
    expect(await storage.accessLog.list(userid, 0, 2)).toHaveLength(2);
  });

  it('hours over two days old become days of the campus, once over all replicas, and 90 days are kept', async () => {
    const log = open();
    // From 10:00 at the campus to 10:00 of the day after.
    for (let at = 0; at < 24; at += 1) {
      call(log, 'a', 'getTerms', 200, at === 3);
      clock.advance(hour);
    }
    await log.list({ userid }, 0);
    clock.advance(2 * day);
    await Promise.all([log.sweep(), open().sweep()]);
    const midnight = start - 10 * hour;
    expect(await log.list({ userid }, 0)).toMatchObject([
      { span: 'day', from: midnight + day, count: 10, asked: 0, lastAt: start + 23 * hour },
      { span: 'day', from: midnight, count: 14, asked: 1, firstAt: start, lastAt: start + 13 * hour },
    ]);
    clock.advance(87 * day);
    await log.sweep();
    expect(await log.list({ userid }, 0)).toMatchObject([{ from: midnight + day }]);
    clock.advance(day);
    await log.sweep();
    expect(await log.list({ userid }, 0)).toEqual([]);
  });

  it('of one token the newest entries stay, and the others are left alone', async () => {
    const log = open();
    for (let at = 0; at < MOST_ENTRIES + 30; at += 1) {
      call(log, 'busy', `operation-${at}`);
      clock.advance(1);
    }
    call(log, 'quiet');
    await log.list({ userid }, 0);
    await log.sweep();
    const entries = await log.list({ userid }, 0);
    expect(entries.filter(({ id }) => id === 'busy')).toHaveLength(MOST_ENTRIES);
    expect(entries.map(({ operation }) => operation)).not.toContain('operation-29');
    expect(entries.filter(({ id }) => id === 'quiet')).toHaveLength(1);
  });

  it('nothing of an erased student comes back with a student of the same id', async () => {
    const log = open();
    call(log);
    await log.list({ userid }, 0);
    call(log);
    await storage.accounts.deleteUser(userid);
    clock.advance(10_000);
    await registered(storage, { userid, now: clock.now() });
    call(log, 'new');
    expect(await log.list({ userid }, 0)).toMatchObject([{ id: 'new', count: 1 }]);
  });
});
