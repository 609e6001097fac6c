import type { Kysely } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { guardMemoryMs, guardNumbers } from '../../src/domain/accounts/guard/numbers.ts';
import { emptyCode, emptyGateway, emptyStudent, type StudentMemory } from '../../src/domain/accounts/records.ts';
import { silentLog } from '../../src/domain/context.ts';
import { createKeyedNames, studentTags } from '../../src/lib/keyed-names.ts';
import {
  codeMemory,
  gatewayMemory,
  isReadable,
  studentMemory,
  studentRows,
} from '../../src/storage/accounts/guard-rows.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import type { Tables } from '../../src/storage/schema.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, keyA, keyB, onBothDatabases, registered, someHash, someStudent, start } from './databases.ts';

const ask = {
  id: 'a',
  at: start,
  by: 'known',
  network: 'n',
  state: 'refused',
  endedAt: start + 1,
  setAside: true,
  pair: 'p',
} as const;
const mismatch = { at: start, by: 'home', who: 'w', pair: 'p' } as const;

/** Every member has something in it. */
const full: StudentMemory = {
  mismatches: [mismatch],
  asks: [ask],
  refusedSecrets: [
    { print: 'p', step: 'portal', at: start, replaced: true },
    { print: 'q', step: 'portal', at: start, replaced: false },
  ],
  foreignPause: { until: start + 1, seconds: 60 },
  ownPause: { until: start + 2, seconds: 120 },
  unheld: [{ at: start, by: 'attended' }],
  rest: { until: start + 2, seconds: 60 },
  early: [{ at: start, step: 'unified-login' }],
  person: {
    wanted: 'sms',
    step: 'unified-login',
    at: start,
    liftedUntil: start + 4,
    passedAt: start - 1,
    firstPassed: 'c',
  },
  challenges: [{ id: 'c', at: start, by: 'token', who: 't', sends: 2 }],
  letUntil: start + 5,
  captchaLookAt: start,
  provenAt: start,
  setAsideAt: start,
  rightLogins: [start],
  networks: [{ network: 'h', at: start, login: true }],
  unlock: { hash: 'u', until: start + 3, tries: 2 },
};
const gateway = {
  refused: [{ id: 'a', at: start, group: 'owner' as const, network: 'n' }],
  registered: [{ at: start, count: 3 }],
  markers: [
    { at: start, student: 's', group: 'stored' as const },
    { at: start, student: 't', group: 'stored' as const, settled: true },
  ],
  answered: [{ at: start, group: 'stored' as const, count: 7 }],
  pauses: [{ group: 'stranger' as const, until: start + 1 }],
  storedRefused: [{ at: start, student: 's' }],
  storedAccepted: [start],
  brake: {
    why: 'refusals' as const,
    nextAt: start + 1,
    until: start + 2,
    atOnce: true,
    unheldSince: start,
    spares: true,
  },
  unheld: [
    { at: start, student: 's' },
    { at: start, student: 't', settled: true },
  ],
  heldAgain: { from: start - 1, at: start },
  offered: [{ id: 'c', at: start, network: 'n' }],
  unasked: [
    { student: 's', at: start, met: null },
    { student: 't', at: start, met: 'sms' as const },
  ],
  stop: { wanted: 'sms' as const, step: 'unified-login' as const, students: ['t'] },
  captcha: { looks: [start] },
  quiet: { without: [{ of: 'c', ms: 7, at: start }], again: { ms: 9, at: start }, brokenUntil: start + 1 },
};
const code = {
  refused: [{ id: 'r', at: start, network: 'n', invite: 'i' }],
  accepted: [{ at: start, network: 'n', count: 2 }],
};

const rows = (memory: StudentMemory) => {
  const { own, asked } = studentRows(memory);
  return studentMemory(own, [asked]);
};

describe('what the guard remembers, as text', () => {
  it('comes back as it was, every member of it', () => {
    expect(rows(full)).toEqual(full);
    expect(gatewayMemory(JSON.stringify(gateway))).toEqual(gateway);
    expect(codeMemory(JSON.stringify(code))).toEqual(code);
  });

  it('of a version that did not tell logins from use, networks count as known by use', () => {
    const { own } = studentRows(full);
    const older = { ...JSON.parse(own), networks: [{ network: 'h', at: start }] };
    const networks = [{ network: 'h', at: start, login: false }];
    expect(studentMemory(JSON.stringify(older), [])).toMatchObject({ networks });
  });

  it('of a version that kept asks with the account and registrations apart, all are in the one list', () => {
    const older = {
      ...JSON.parse(studentRows(full).own),
      asks: [{ id: 'a', at: start + 2, by: 'known', state: 'refused', endedAt: start + 2, setAside: false }],
      registrations: [{ id: 'r', at: start, network: 'n', state: 'open', endedAt: start }],
    };
    const { asked } = studentRows({ ...full, asks: [{ ...ask, id: 'b', at: start + 1 }] });
    expect(studentMemory(JSON.stringify(older), [asked])?.asks).toMatchObject([
      { id: 'r', by: 'stranger', network: 'n', setAside: false },
      { id: 'b' },
      { id: 'a', by: 'known', network: '', pair: '' },
    ]);
    const refused = [{ id: 'r', at: start, network: 'n' }];
    expect(codeMemory(JSON.stringify({ refused, accepted: [] }))?.refused).toMatchObject([{ id: 'r', invite: '' }]);
  });

  it('of a version that did not name pairs, mismatches count on, each for all of its class', () => {
    const older = { ...JSON.parse(studentRows(full).own), mismatches: [{ at: start, by: 'known', network: 'n' }] };
    const mismatches = [{ at: start, by: 'known', who: '', pair: '' }];
    expect(studentMemory(JSON.stringify(older), [])).toMatchObject({ mismatches });
  });

  it('of a version that knew no second step and no sessions that do not hold, there were none', () => {
    const { rest: _rest, early: _early, person: _person, ...own } = JSON.parse(studentRows(full).own);
    const { unheld: _unheld, ...asked } = JSON.parse(studentRows(full).asked);
    const { rest, early, person, unheld } = emptyStudent;
    expect(studentMemory(JSON.stringify(own), [JSON.stringify(asked)])).toEqual({
      ...full,
      rest,
      early,
      person,
      unheld,
    });
  });

  it('of a version that measured no quiet, no step was passed and nothing was seen', () => {
    const { passedAt: _passed, firstPassed: _first, step: _step, ...person } = full.person ?? {};
    const own = JSON.stringify({ ...JSON.parse(studentRows(full).own), person });
    expect(studentMemory(own, [])?.person).toEqual({ ...person, step: 'portal', passedAt: 0, firstPassed: '' });
    const { quiet: _quiet, ...older } = gateway;
    expect(gatewayMemory(JSON.stringify(older))?.quiet).toEqual(emptyGateway.quiet);
  });

  it('is written so that the version before can read it, and nothing of an ask is in the row of the account', () => {
    expect(JSON.parse(studentRows(full).own)).toMatchObject({
      mismatches: [{ at: start, by: 'known', network: '' }],
      asks: [],
      registrations: [],
      refusedSecrets: [{ print: 'p', replaced: true }],
    });
  });

  it('is empty where there is none, and never where it cannot be understood', () => {
    expect(studentMemory(undefined, [])).toEqual(emptyStudent);
    const { own, asked } = studentRows(full);
    const nonsense = ['{', '{}', 'null', '[]', '"text"', JSON.stringify({ ...JSON.parse(own), asks: 'none' })];
    const mark = (person: unknown) => JSON.stringify({ ...JSON.parse(own), person });
    for (const person of [0, {}, { wanted: 'a kiss', at: start, liftedUntil: 0 }]) {
      expect(isReadable('student:1', mark(person))).toBe(false);
    }
    expect(isReadable('asked:1', JSON.stringify({ ...JSON.parse(asked), unheld: [{ at: start, by: 'x' }] }))).toBe(
      false,
    );
    for (const text of nonsense) {
      expect(studentMemory(text, [asked])).toBeNull();
      expect(studentMemory(own, [asked, text])).toBeNull();
      expect([gatewayMemory(text), codeMemory(text)]).toEqual([null, null]);
      for (const name of ['student:1', 'asked:1', 'code:1', 'gateway']) expect(isReadable(name, text)).toBe(false);
    }
    expect([isReadable('student:1', own), isReadable('asked:1', asked), isReadable('network:1', '')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

onBothDatabases('guards', (database) => {
  let storage: Storage;
  let replica: Storage;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
    const raw = await openDatabase(database.url(), { log: silentLog });
    db = raw.db;
    return () => raw.close();
  });

  it('a student id that nobody tried is remembered as nothing', async () => {
    const memory = await storage.guards.read({ userid: someStudent(), code: someHash(), network: someHash() });
    expect(memory).toMatchObject({ student: emptyStudent, code: emptyCode, network: { acceptedAt: 0 } });
  });

  it('what is decided is there for every replica, part by part', async () => {
    const scope = { userid: someStudent(), code: someHash(), network: someHash() };
    const parts = ['student', 'gateway', 'code'] as const;
    const write = { student: full, gateway, code, network: { acceptedAt: start } };
    expect(await storage.guards.change(scope, parts, start, () => ({ result: 'told', write }))).toBe('told');
    expect(await replica.guards.read(scope)).toEqual(write);
    expect(await replica.guards.read({ userid: someStudent(), code: null })).toMatchObject({
      student: emptyStudent,
      gateway,
      code: emptyCode,
    });
    await storage.guards.change(scope, ['gateway'], start, () => ({ result: null, write: { gateway: emptyGateway } }));
  });

  it('a part that is not held is not written', async () => {
    const scope = { userid: someStudent(), code: null };
    const write = { gateway };
    await expect(
      storage.guards.change(scope, ['student'], start, () => ({ result: null, write })),
    ).rejects.toMatchObject({ kind: 'storage-failed' });
  });

  it('what was seen before stands for what is not locked, and never for what is', async () => {
    const scope = { userid: someStudent(), code: null, network: someHash() };
    await storage.guards.change(scope, ['student'], start, () => ({ result: null, write: { student: full } }));
    const seen = { student: emptyStudent, gateway, code: emptyCode, network: { acceptedAt: start } };
    const held = (...parts: Array<'student' | 'gateway'>) =>
      replica.guards.change(scope, parts, start, (memory) => ({ result: memory, write: {} }), seen);
    expect(await held('student')).toEqual({ ...seen, student: full });
    const { gateway: stored } = await storage.guards.read(scope);
    expect(await held('student', 'gateway')).toEqual({ ...seen, student: full, gateway: stored });
  });

  it('of many who decide at once on two replicas each sees what the others booked', async () => {
    const scope = { userid: someStudent(), code: null };
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 ? storage : replica).guards.change(scope, ['student', 'gateway'], start, ({ student }) => {
          const free = student.mismatches.length < 10;
          const mismatches = free ? [...student.mismatches, mismatch] : student.mismatches;
          return { result: free, write: { student: { ...student, mismatches } } };
        }),
      ),
    );
    expect(results.filter((free) => free)).toHaveLength(10);
    expect((await storage.guards.read(scope)).student.mismatches).toHaveLength(10);
  });

  const put = (name: string, memory: string) =>
    db
      .insertInto('guard_memory')
      .values({ name, memory, touched_at: start })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ memory }))
      .execute();
  const askedRow = (userid: string) => `asked:${createKeyedNames([keyA]).one('asked', userid.toLowerCase())}`;
  const remember = (student: StudentMemory) => () => ({ result: null, write: { student } });

  it('asks are one list for an id in any spelling, on all replicas at once', async () => {
    const id = `Ab${someHash().slice(0, 12)}Cd`;
    const spellings = [id, id.toLowerCase(), id.toUpperCase(), `aB${id.slice(2)}`];
    await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        (at % 2 ? storage : replica).guards.change(
          { userid: spellings[at % 4] ?? id, code: null },
          ['student'],
          start,
          ({ student }) => remember({ ...student, asks: [...student.asks, { ...ask, id: `${at}` }] })(),
        ),
      ),
    );
    for (const userid of spellings) {
      expect((await storage.guards.read({ userid, code: null })).student.asks).toHaveLength(24);
    }
  });

  it('asks and refused secrets outlive the account by a day, under no name; the rest goes with it', async () => {
    const { userid } = await registered(storage);
    await storage.guards.change({ userid, code: null }, ['student'], start, remember(full));
    await storage.accounts.deleteUser(userid);
    const { student } = await storage.guards.read({ userid, code: null });
    const refusedSecrets = full.refusedSecrets.filter(({ replaced }) => !replaced);
    const { asks, unheld, challenges } = full;
    expect(student).toEqual({ ...emptyStudent, asks, refusedSecrets, unheld, challenges });
    const kept = await db.selectFrom('guard_memory').selectAll().where('name', '=', askedRow(userid)).execute();
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(userid);
    await storage.sweep(start + day);
    expect((await storage.guards.read({ userid, code: null })).student.asks).toHaveLength(1);
    await storage.sweep(start + day + 1);
    expect((await storage.guards.read({ userid, code: null })).student).toEqual(emptyStudent);
  });

  it('asks are found under the name of an older key, and kept under the new one', async () => {
    const userid = someStudent();
    const scope = { userid, code: null };
    await storage.guards.change(scope, ['student'], start, remember(full));
    const rotated = await database.open([keyB, keyA]);
    expect((await rotated.guards.read(scope)).student).toEqual(full);
    await rotated.guards.change(scope, ['student'], start, ({ student }) => remember(student)());
    expect((await rotated.guards.read(scope)).student).toEqual(full);
    expect((await (await database.open([keyB])).guards.read(scope)).student.asks).toEqual(full.asks);
  });

  it('a row that is looked at and not written ages on', async () => {
    const userid = someStudent();
    const scope = { userid, code: null };
    await storage.guards.change(scope, ['student'], start, remember(full));
    await storage.guards.change(scope, ['student'], start + day, () => ({ result: null, write: {} }));
    await storage.sweep(start + day + 1);
    expect((await storage.guards.read(scope)).student.asks).toEqual([]);
  });

  it.each([
    ['of the account', (userid: string) => `student:${userid}`],
    ['of what was asked', askedRow],
  ])('nonsense in the row %s stops that id alone, and names it in the failure', async (_, rowOf) => {
    const userid = someStudent();
    await put(rowOf(userid), '{"asks":');
    const failure = await storage.guards.read({ userid, code: null }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'storage-failed',
      reason: expect.stringContaining(studentTags(createKeyedNames([keyA]))(userid)),
    });
    const change = storage.guards.change({ userid, code: null }, ['student'], start, remember(full));
    await expect(change).rejects.toMatchObject({ kind: 'storage-failed' });
    expect((await storage.guards.read({ userid: someStudent(), code: null })).student).toEqual(emptyStudent);

    expect(await storage.guards.unreadable()).toContain(rowOf(userid));
    expect(await storage.guards.forget(rowOf(userid))).toBe(true);
    expect(await storage.guards.forget(rowOf(userid))).toBe(false);
    expect((await storage.guards.read({ userid, code: null })).student).toEqual(emptyStudent);
    expect(await storage.guards.unreadable()).not.toContain(rowOf(userid));
  });

  it('nonsense in the row of a code stops registrations with that code alone', async () => {
    const scope = { userid: someStudent(), code: someHash() };
    await put(`code:${scope.code}`, 'nonsense');
    await expect(storage.guards.read(scope)).rejects.toMatchObject({ kind: 'storage-failed' });
    expect((await storage.guards.read({ ...scope, code: someHash() })).code).toEqual(emptyCode);
    await storage.guards.forget(`code:${scope.code}`);
  });

  it('nonsense in the row of everybody is replaced by caution, once, and said', async () => {
    const lines: string[] = [];
    const note = (fields: Record<string, unknown>, message: string) => lines.push(`${fields.row} ${message}`);
    const logged = await database.open([keyA], { ...silentLog, error: note });
    await put('gateway', '{"refused":"all"}');
    const scope = { userid: someStudent(), code: null };
    const { gateway: cautious } = await logged.guards.read(scope);
    const { stranger, owner, registration } = guardNumbers.gateway;
    expect(cautious.refused).toHaveLength(stranger + owner + registration);
    expect(cautious.brake).toMatchObject({ why: 'markers' });
    expect((await replica.guards.read(scope)).gateway).toEqual(cautious);
    expect(lines).toEqual([expect.stringMatching(/^gateway a guard row cannot be understood/)]);
    expect(await storage.guards.unreadable()).not.toContain('gateway');

    await put('gateway', 'nonsense');
    const during = await logged.guards.change(scope, ['gateway'], start, (memory) => ({
      result: memory.gateway.refused.length,
      write: { gateway: emptyGateway },
    }));
    expect(during).toBe(cautious.refused.length);
    expect((await storage.guards.read(scope)).gateway).toEqual(emptyGateway);
  });

  it.each([
    ['a month, of a student id that is not registered', 'unregistered'],
    ['as long as a network of a login is known, of a registered student', 'registered'],
  ] as const)('a sweep forgets what nothing touched for %s', async (_, which) => {
    const idOf = async () => (which === 'registered' ? (await registered(storage)).userid : someStudent());
    const [old, fresh] = [
      { userid: await idOf(), code: null },
      { userid: await idOf(), code: null },
    ];
    await storage.guards.change(old, ['student'], start, remember(full));
    await storage.guards.change(fresh, ['student'], start + 1, remember(full));
    expect((await storage.sweep(start + guardMemoryMs[which] + 1)).guards).toBeGreaterThanOrEqual(1);
    expect((await storage.guards.read(old)).student).toEqual(emptyStudent);
    const { asks: _a, refusedSecrets: _r, unheld: _u, challenges: _c, ...lasting } = full;
    expect((await storage.guards.read(fresh)).student).toMatchObject(lasting);
  });
});
