import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import type { Invite } from '../../src/domain/accounts/ports.ts';
import type { SettledGrants } from '../../src/domain/accounts/tokens/personal-tokens.ts';
import { type Log, silentLog } from '../../src/domain/context.ts';
import type { HookWish } from '../../src/domain/hooks/ports.ts';
import { type Database, type DatabaseKind, openDatabase } from '../../src/storage/database/database.ts';
import type { Tables } from '../../src/storage/schema.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { migratedPostgresUrl, writeMigratedDatabase } from '../support/migrated-database.ts';
import { createStorage } from '../support/storage.ts';

export const keyA = Buffer.alloc(32, 1);
export const keyB = Buffer.alloc(32, 2);

export interface TestDatabase {
  readonly kind: DatabaseKind;
  /** Of the database that all tests of the block share; every test uses other student ids. */
  url(): string;
  /** Another storage on the same database, as a second replica would open it. Closed at the end. */
  open(keys?: readonly Buffer[], log?: Log): Promise<Storage>;
  /**
   * Moves leases `ms` on: the time of PostgreSQL cannot be moved, so its leases are; for SQLite `now()` does.
   * Negative: what is stored comes from a time when the clock was ahead.
   */
  pass(ms: number): Promise<void>;
  /** The time of this process, after all that has passed. */
  now(): number;
  /** Its tables, past the stores. */
  raw(): Promise<Kysely<Tables>>;
  /** A storage on another database. Closed at the end. */
  openAt(url: string): Promise<Storage>;
  /** A storage on a new database, which `again()` opens once more. Closed at the end. */
  openFresh(): Promise<Storage & { readonly url: string; again(): Promise<Storage> }>;
}

/** The database at `url`, past the stores, until the test is finished. */
export const openRaw = async (url: string, log = silentLog): Promise<Database> => {
  const database = await openDatabase(url, { log });
  onTestFinished(() => database.close());
  return database;
};

/** A storage until the test is finished. */
export const openStorage = async (
  url: string,
  options: Partial<Parameters<typeof createStorage>[0]> = {},
): Promise<Storage> => {
  const storage = await createStorage({ url, keys: [keyA], log: silentLog, ...options });
  onTestFinished(() => storage.close());
  return storage;
};

/** Runs the same tests on SQLite and on PostgreSQL. */
export const onBothDatabases = (subject: string, tests: (database: TestDatabase) => void): void => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    describe(`${subject} on ${kind}`, () => {
      const opened: Storage[] = [];
      let url = '';
      let folder = '';
      const migratedUrl = async (name: string): Promise<string> => {
        if (kind === 'postgres') return migratedPostgresUrl();
        const path = join(folder, `${name}.db`);
        await writeMigratedDatabase(path);
        return `sqlite:${path}`;
      };
      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'campus-storage-'));
        url = await migratedUrl('campus');
      });
      let rawDatabase: Promise<Database> | undefined;
      const raw = async (): Promise<Kysely<Tables>> => {
        rawDatabase ??= openDatabase(url, { log: silentLog });
        return (await rawDatabase).db;
      };
      afterAll(async () => {
        await (await rawDatabase)?.close();
        for (const storage of opened) await storage.close();
        await rm(folder, { recursive: true, force: true });
      });
      let fresh = 0;
      const openAt = async (at: string, keys: readonly Buffer[] = [keyA], log = silentLog): Promise<Storage> => {
        const storage = await createStorage({ url: at, keys, log });
        opened.push(storage);
        return storage;
      };
      let passed = 0;
      const pass = async (ms: number): Promise<void> => {
        if (kind === 'sqlite') {
          passed += ms;
          return;
        }
        await (await raw())
          .updateTable('leases')
          .set((to) => ({ expires_at: to('expires_at', '-', ms) }))
          .execute();
      };
      tests({
        kind,
        pass,
        raw,
        now: () => start + passed,
        url: () => url,
        open: (keys, log) => openAt(url, keys, log),
        openAt: (at) => openAt(at),
        openFresh: async () => {
          fresh += 1;
          const own = await migratedUrl(`fresh-${fresh}`);
          return Object.assign(await openAt(own), { url: own, again: () => openAt(own) });
        },
      });
    });
  }
};

export const someHash = (): string => randomBytes(32).toString('hex');
let students = 0;
/** A student id that no other test of the file uses. */
export const someStudent = (): string => {
  students += 1;
  return `2023${String(students).padStart(6, '0')}`;
};

export const start = Date.UTC(2026, 2, 18, 2, 0, 0);
export const day = 86_400_000;

/** A usable invite token. */
export const inviteToken = async (storage: Storage, code = `code-${someHash()}`, now = start): Promise<Invite> => {
  await storage.invites.createCode({ code, maxUses: null, expiresAt: null, now });
  return { hash: someHash(), code, expiresAt: now + 1_800_000 };
};

/** The code of the token; null once it is used or its code is over. */
export const codeFor = async (storage: Storage, { hash, code }: Invite, now = start): Promise<string | null> => {
  const known = await storage.invites.findCode(code);
  return storage.invites.codeFor({ hash, codeId: known?.id ?? '' }, now);
};

export interface Registered {
  readonly userid: string;
  readonly tokenHash: string;
}

type Registration = Parameters<Storage['accounts']['register']>[0];

export const registration = (userid: string, invite: Invite, more: Partial<Registration> = {}): Registration => ({
  userid,
  pair: { password: 'first-unified', vpnPassword: 'first-portal' },
  invite,
  tokenHash: someHash(),
  tokenExpiresAt: (more.now ?? start) + 30 * day,
  tokenEndsAt: (more.now ?? start) + 30 * day,
  tokenNetwork: '192.0.2.0/24',
  now: start,
  ...more,
});

/** Registers a student with the pair `first-portal` / `first-unified` unless told otherwise. */
export const registered = async (
  storage: Storage,
  {
    userid = someStudent(),
    now = start,
    password = 'first-unified',
    vpnPassword = 'first-portal',
    invite,
  }: { userid?: string; now?: number; password?: string; vpnPassword?: string; invite?: Invite } = {},
): Promise<Registered> => {
  const used = invite ?? (await inviteToken(storage, undefined, now));
  const entry = registration(userid, used, { now, pair: { password, vpnPassword } });
  const result = await storage.accounts.register(entry);
  if (typeof result === 'string') throw new Error(`registration: ${result}`);
  return { userid, tokenHash: entry.tokenHash };
};

export const login = async (
  storage: Storage,
  userid: string,
  entry: Partial<Parameters<Storage['accounts']['recordLogin']>[0]> = {},
): Promise<SettledGrants | 'user-gone'> => {
  const recorded = await storage.accounts.recordLogin({
    userid,
    newPair: null,
    tokenHash: someHash(),
    tokenExpiresAt: start + 30 * day,
    tokenEndsAt: entry.tokenExpiresAt ?? start + 30 * day,
    tokenNetwork: '192.0.2.0/24',
    now: start,
    keep: 5,
    revokeOthers: null,
    ...entry,
  });
  return recorded === 'user-gone' ? recorded : recorded.grants;
};

/** A hook as a student orders it. */
export const hookWish: HookWish = {
  ...{ url: 'https://hooks.example.net/campus?key=not-in-clear', types: ['score.published', 'electricity.low'] },
  ...{ detail: 'thin', format: 'standard', lowKwh: 10, refresh: 'none' },
};
