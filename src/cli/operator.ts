import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { demoInvite } from '../config/demo.ts';
import { createCallers } from '../domain/accounts/callers.ts';
import type { GrantKind } from '../domain/accounts/grants.ts';
import { Guard } from '../domain/accounts/guard/guard.ts';
import { revokes, unlocks } from '../domain/accounts/guard/rules.ts';
import { roundedUse } from '../domain/accounts/tokens.ts';
import type { Log } from '../domain/context.ts';
import { REPLICA_LIFE_MS } from '../domain/replicas.ts';
import type { CampusIdentity } from '../lib/campus-identity.ts';
import { systemClock } from '../lib/clock.ts';
import { createKeyedNames } from '../lib/keyed-names.ts';
import { type Access, type CopyRefusal, copyStorage, openStorage } from '../open-storage.ts';

/**
 * Runs what leaves something behind unless it completes, with a signal that is aborted when the process is to end. A
 * second signal ends the process at once.
 */
const endable = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  const end = (signal: string): void => ending.abort(new Error(`ended by ${signal}; nothing was changed`));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(ending.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
};

/** How much was copied from one database to another. */
interface Copied {
  readonly rows: number;
  readonly tables: number;
}

const totalOf = (outcome: ReadonlyMap<string, number> | CopyRefusal): Copied | CopyRefusal =>
  'refusal' in outcome
    ? outcome
    : { tables: outcome.size, rows: [...outcome.values()].reduce((sum, rows) => sum + rows, 0) };

const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** With the number of the process behind it: one that was killed leaves its copy to the next restore. */
const FOLDER = 'campus-restore-';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is running too.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
};

const removeLeftCopies = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1] ?? process.pid);
    if (!isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
};

const removeDatabase = (path: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
};

/** A backup is a SQLite database with the tables of the service, also that of PostgreSQL. */
const copiesOf = (storage: Awaited<ReturnType<typeof openStorage>>) => ({
  /** Everything of this moment in a new file; null when the file exists. */
  async backup(file: string) {
    const path = resolve(file);
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      if (isThere(error)) return null;
      throw error;
    }
    try {
      const copied = totalOf(await endable((signal) => copyStorage(storage, { kind: 'sqlite', path }, { signal })));
      if ('refusal' in copied) throw new Error(`${file} was written to by another process`);
      return copied;
    } catch (error) {
      removeDatabase(path);
      throw error;
    }
  },

  /** Fills another, empty database. What a running service wrote afterwards would be missing there. */
  move: async (url: string) =>
    totalOf(await endable((signal) => copyStorage(storage, { kind: 'postgres', url }, { atRest: true, signal }))),
});

type Restored =
  | (Copied & { readonly unreadableGuards: readonly string[] })
  | CopyRefusal
  | { readonly refusal: string };

type Check = (owner: CampusIdentity | null, foreignSeals: number) => string | null;

/**
 * Fills the empty database from a backup, unless `check` refuses it: told the campus it belongs to, and of how many
 * students none of the keys opens the passwords. The database is not touched before.
 */
export const restoreInto = (log: Log) => {
  const copy = async (config: Config, path: string, check: Check, signal: AbortSignal): Promise<Restored> => {
    const own = { ...config, storage: { kind: 'sqlite', path } } as const;
    const backup = await openStorage(own, { log, access: 'migrate without copy' });
    try {
      const refusal = check(await backup.campusIdentity.owner(demoInvite.code), await backup.foreignSeals());
      if (refusal !== null) return { refusal };
      const copied = totalOf(await copyStorage(backup, config.storage, { signal }));
      return 'refusal' in copied ? copied : { ...copied, unreadableGuards: await backup.guards.unreadable() };
    } finally {
      await backup.close();
    }
  };
  return (config: Config, file: string, check: Check) =>
    endable(async (signal) => {
      const { storage } = config;
      const isNew = storage.kind === 'sqlite' && !existsSync(storage.path);
      // Opening brings a backup of an earlier version to the present schema: the file itself stays as it is.
      removeLeftCopies();
      const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
      let restored = false;
      try {
        const path = join(folder, 'backup.db');
        await copyFile(resolve(file), path);
        signal.throwIfAborted();
        const outcome = await copy(config, path, check, signal);
        restored = !('refusal' in outcome);
        return outcome;
      } finally {
        rmSync(folder, { recursive: true, force: true });
        if (isNew && !restored) removeDatabase(storage.path);
      }
    });
};

/** What an operator may do to a running or stopped service, through its storage. */
export const operatorOf = async (config: Config, access: Access, log: Log) => {
  const clock = systemClock;
  const storage = await openStorage(config, { log, access });
  const { accounts, invites, guards, feeds } = storage;
  const guard = new Guard({ guards, clock, perDay: config.accounts.campusRefusalsPerDay });
  const callers = createCallers(createKeyedNames(config.secretKeys), config.server);
  const isKnown = async (userid: string): Promise<boolean> => (await accounts.findUser(userid)) !== null;
  return {
    /** False when the code exists. */
    createInvite: (code: { code: string; maxUses: number | null; expiresAt: number | null }) =>
      invites.createCode({ ...code, now: clock.now() }),
    listInvites: () => invites.listCodes(),
    /** False when the code is unknown or revoked already. */
    revokeInvite: (code: string) => invites.revokeCode(code, clock.now()),
    /** In order of their ids, those behind `after`. */
    listUsers: (page: { after: string; limit: number }) => accounts.listUsers(page),
    /**
     * With the valid tokens, those of logins first (scopes null), and the hooks; without the names of tokens, which are the
     * student's own words, and the addresses of hooks, which may hold keys. Null when the user is unknown.
     */
    async showUser(userid: string) {
      const user = await accounts.findUser(userid);
      if (user === null) return null;
      const now = clock.now();
      const logins = (await storage.tokens.list(userid, now)).map(({ id, createdAt, lastUsedAt }) => ({
        ...{ id, scopes: null, copiesOnly: false, createdAt, expiresAt: null },
        lastUsedAt: roundedUse(lastUsedAt, createdAt),
      }));
      const personal = (await storage.tokens.personal.list(userid, now)).map(
        ({ id, scopes, copiesOnly, createdAt, expiresAt, lastUsedAt }) => ({
          ...{ id, scopes, copiesOnly, createdAt, expiresAt, lastUsedAt },
        }),
      );
      const hooks = (await storage.hooks.list(userid)).map(
        ({ id, state, format, createdAt, deliveredAt, failingSince }) => ({
          ...{ id, state, format, createdAt, deliveredAt, failingSince },
        }),
      );
      return { ...user, tokens: [...logins, ...personal], hooks };
    },
    /**
     * Ends all tokens, which then prove nothing, the grants that are not kept, known networks and sealed campus
     * sessions; null when the user is unknown.
     */
    async revokeUser(userid: string, keep: readonly GrantKind[]) {
      if (!(await isKnown(userid))) return null;
      const ended = await storage.tokens.revokeAll(userid, keep, clock.now());
      await guard.decide(userid, revokes);
      await storage.sessions.nextGeneration(userid);
      return ended;
    },
    /** False when the user is unknown. */
    deleteUser: (userid: string) => accounts.deleteUser(userid),
    /** The oldest first, without their names, which are the student's own words; null when the user is unknown. */
    async listFeeds(userid: string) {
      if (!(await isKnown(userid))) return null;
      const all = await feeds.list(userid);
      return all.map(({ id, parts, createdAt, polledAt }) => ({ id, parts, createdAt, polledAt }));
    },
    /** False when the user has no feed of that id. Also while no copies are kept: ending access must not wait. */
    revokeFeed: (userid: string, id: string): Promise<boolean> => feeds.delete(userid, id),
    /** Empties budgets and waits of a student id, which need not be registered; false: it is not. */
    async unlock(userid: string): Promise<boolean> {
      await guard.decide(userid, unlocks);
      return isKnown(userid);
    },
    /** Rows of the login guard that cannot be understood, by name. */
    unreadableGuards: () => guards.unreadable(),
    /** Forgets one row of the login guard; false: there is none of that name. */
    resetGuard: (row: string) => guards.forget(row),
    /** The member of a log line in which a student id or an address stands, and the name under which it does. */
    tag: (text: string) =>
      isIP(text) === 0
        ? { member: 'student', value: callers.studentTag(text) }
        : { member: 'network', value: callers.networkTag(text) },
    rotateKeys: () => storage.rotate(),
    /** Students whose stored passwords none of the keys opens. Fails while the storage does not answer. */
    foreignSeals: () => storage.foreignSeals(),
    /** The campus that the database belongs to; null: none yet. */
    owner: () => storage.campusIdentity.owner(demoInvite.code),
    /** The services that run on the database, by name. */
    async replicas() {
      const live = await storage.replicas.live(clock.now(), REPLICA_LIFE_MS);
      return live.map(({ name }) => name);
    },
    /** The last migration of the database. */
    schema: storage.schema,
    counts: () => storage.counts(clock.now()),
    lastBackup: () => storage.lastBackup(),
    noteBackup: () => storage.noteBackup(clock.now()),
    /** SQLite files from before an upgrade, beside the database. */
    upgradeCopies: () => storage.upgradeCopies(),
    ...copiesOf(storage),
    close: () => storage.close(),
  };
};

export type Operator = Awaited<ReturnType<typeof operatorOf>>;
