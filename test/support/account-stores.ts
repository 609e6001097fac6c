import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { failures } from '../../src/domain/errors.ts';
import { systemClock } from '../../src/lib/time.ts';
import type { Tables } from '../../src/storage/schema.ts';
import { keptIn } from './kept.ts';
import { ManualClock } from './manual-clock.ts';
import { writeMigratedDatabase } from './migrated-database.ts';
import { workingDirectory } from './service-process.ts';
import { createStorage } from './storage.ts';

/** The stores that sign-ins use, over a separate database until the test is finished. */
export const openAccountStores = async () => {
  const path = join(workingDirectory(), 'campus.db');
  await writeMigratedDatabase(path);
  const clock = new ManualClock();
  // Rows go by the time of the test; upkeep in the background is nothing that it waits for.
  const storageClock = { ...systemClock, now: () => clock.now() };
  const keys = [randomBytes(32)];
  const storage = await createStorage({ url: `sqlite:${path}`, keys, log: silentLog, clock: storageClock });
  const raw = new DatabaseSync(path);
  onTestFinished(async () => {
    raw.close();
    await storage.close();
  });

  /** Every call, as `accounts.findUser`. */
  const calls: string[] = [];
  /** Calls that fail as a broken storage does. */
  const broken = new Set<string>();
  const watch = <T extends object>(part: string, store: T): T =>
    new Proxy(store, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        const name = `${part}.${String(key)}`;
        return (...values: unknown[]) => {
          calls.push(name);
          return broken.has(name)
            ? Promise.reject(failures.storageFailed(name))
            : Reflect.apply(member, target, values);
        };
      },
    });

  return {
    clock,
    calls,
    broken,
    accounts: watch('accounts', keptIn(storage).accounts),
    tokens: watch('tokens', storage.tokens),
    invites: watch('invites', storage.invites),
    guards: watch('guards', storage.guards),
    leases: watch('leases', storage.leases),
    /** The rows of a table, past the stores. */
    rows: (table: keyof Tables) => raw.prepare(`select * from ${table}`).all(),
    /** Changes rows past the stores. */
    execute: (statement: string) => raw.exec(statement),
  };
};

export type AccountStores = Awaited<ReturnType<typeof openAccountStores>>;
