import { beforeAll, describe, expect, it } from 'vitest';
import { emptyCode, emptyGateway, emptyStudent, type StudentMemory } from '../../src/domain/accounts/guard/memory.ts';
import { guardMemoryMs } from '../../src/domain/accounts/guard/numbers.ts';
import { codeMemory, gatewayMemory, studentMemory } from '../../src/storage/guard-rows.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases, someHash, someStudent, start } from './databases.ts';

const mismatch = { at: start, by: 'stranger', network: 'n' } as const;

/** Every member has something in it. */
const full: StudentMemory = {
  mismatches: [mismatch],
  asks: [{ id: 'a', at: start, by: 'known', state: 'refused', endedAt: start + 1, setAside: true }],
  registrations: [{ id: 'r', at: start, network: 'n', state: 'open', endedAt: start }],
  refusedSecrets: [{ print: 'p', step: 'portal', at: start, replaced: true }],
  foreignPause: { until: start + 1, seconds: 60 },
  ownPause: { until: start + 2, seconds: 120 },
  provenAt: start,
  setAsideAt: start,
  rightLogins: [start],
  networks: [{ network: 'h', at: start }],
  unlock: { hash: 'u', until: start + 3, tries: 2 },
};
const gateway = {
  refused: [{ id: 'a', at: start, group: 'owner' as const, network: 'n' }],
  registered: [{ at: start, count: 3 }],
  markers: [{ at: start, student: 's', group: 'stored' as const }],
  pauses: [{ group: 'stranger' as const, until: start + 1 }],
  storedRefused: [{ at: start, student: 's' }],
  storedAccepted: [start],
  brake: { why: 'refusals' as const, nextAt: start + 1, until: start + 2 },
};
const code = {
  refused: [{ id: 'r', at: start, network: 'n' }],
  accepted: [{ at: start, network: 'n', count: 2 }],
};

describe('what the guard remembers, as text', () => {
  it('comes back as it was, every member of it', () => {
    expect(studentMemory(JSON.stringify(full))).toEqual(full);
    expect(gatewayMemory(JSON.stringify(gateway))).toEqual(gateway);
    expect(codeMemory(JSON.stringify(code))).toEqual(code);
  });

  it('is empty where there is none, and never where it cannot be read', () => {
    expect(studentMemory(undefined)).toEqual(emptyStudent);
    for (const text of ['{', '{}', 'null', JSON.stringify({ ...full, asks: 'none' })]) {
      expect(() => studentMemory(text)).toThrow();
    }
  });
});

onBothDatabases('guards', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  it('a student id that nobody tried is remembered as nothing', async () => {
    const memory = await storage.guards.read({ userid: someStudent(), code: someHash() });
    expect(memory).toMatchObject({ student: emptyStudent, code: emptyCode });
  });

  it('what is decided is there for every replica, part by part', async () => {
    const scope = { userid: someStudent(), code: someHash() };
    const parts = ['student', 'gateway', 'code'] as const;
    const write = { student: full, gateway, code };
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

  it('a memory that cannot be read is a storage failure', async () => {
    const scope = { userid: someStudent(), code: null };
    // A number that JSON cannot hold comes back as null.
    const student = { ...full, provenAt: Number.NaN };
    await storage.guards.change(scope, ['student'], start, () => ({ result: null, write: { student } }));
    await expect(storage.guards.read(scope)).rejects.toMatchObject({ kind: 'storage-failed' });
  });

  it('a sweep forgets what nobody touched for a month', async () => {
    const old = { userid: someStudent(), code: null };
    const fresh = { userid: someStudent(), code: null };
    const remember = () => ({ result: null, write: { student: full } });
    await storage.guards.change(old, ['student'], start, remember);
    await storage.guards.change(fresh, ['student'], start + 1, remember);
    expect((await storage.sweep(start + guardMemoryMs + 1)).guards).toBeGreaterThanOrEqual(1);
    expect((await storage.guards.read(old)).student).toEqual(emptyStudent);
    expect((await storage.guards.read(fresh)).student).toEqual(full);
  });
});
