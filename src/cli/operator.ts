import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { demoTraces } from '../config/demo.ts';
import { MOST_TOLD, operatorEntry } from '../domain/accounts/access-log.ts';
import { createCallers } from '../domain/accounts/callers.ts';
import type { GrantKind } from '../domain/accounts/grants.ts';
import { createGuardKeeper } from '../domain/accounts/keeper.ts';
import { roundedUse } from '../domain/accounts/tokens.ts';
import type { Log } from '../domain/context.ts';
import { REPLICA_LIFE_MS } from '../domain/replicas.ts';
import { systemClock } from '../lib/clock.ts';
import { randomToken, sha256 } from '../lib/hash.ts';
import { createKeyedNames } from '../lib/keyed-names.ts';
import { type Access, openStorage } from '../open-storage.ts';
import { copiesOf } from './copies.ts';

/** What an operator may do to a running or stopped service, through its storage. */
export const operatorOf = async (config: Config, access: Access, log: Log) => {
  const clock = systemClock;
  const storage = await openStorage(config, { log, access });
  const { accounts, invites, guards, feeds } = storage;
  const guard = createGuardKeeper({ guards, clock, perDay: config.accounts.campusRefusalsPerDay });
  const callers = createCallers(createKeyedNames(config.secretKeys), config.server);
  const isKnown = async (userid: string): Promise<boolean> => (await accounts.findUser(userid)) !== null;
  /** For the student's own eyes. */
  const note = (userid: string, command: string): Promise<void> =>
    storage.accessLog.add([operatorEntry(userid, command, clock.now())]);
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
     * With the valid tokens, those of logins first (scopes null), the hooks, and what was done with tokens, feeds and hooks,
     * the newest first, as the student sees it; without the names of tokens and feeds, which are the student's own words, and
     * the addresses of hooks, which may hold keys. Null when the user is unknown.
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
      const noted = await storage.accessLog.list(userid, 0, MOST_TOLD);
      const accesses = noted.map(({ userid: _, name: _name, ...access }) => access);
      return { ...user, tokens: [...logins, ...personal], hooks, accesses };
    },
    /**
     * Ends all tokens, which then prove nothing, the grants that are not kept, known networks and sealed campus
     * sessions; null when the user is unknown.
     */
    async revokeUser(userid: string, keep: readonly GrantKind[]) {
      if (!(await isKnown(userid))) return null;
      const ended = await storage.tokens.revokeAll(userid, keep, clock.now());
      await guard.decide({ userid, code: null }, { type: 'revoked' });
      await storage.sessions.nextGeneration(userid);
      await note(userid, 'user revoke');
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
    async revokeFeed(userid: string, id: string) {
      const revoked = await feeds.delete(userid, id);
      if (revoked) await note(userid, 'feeds');
      return revoked;
    },
    /**
     * Returns what guesses have used up of the budgets of a student id, which need not be registered, and gives a
     * token that, sent with a login or a registration, proves its bearer the owner.
     */
    async unlock(userid: string) {
      const registered = await isKnown(userid);
      const token = randomToken();
      await guard.decide({ userid, code: null }, { type: 'unlocked', hash: sha256(token) });
      await note(userid, 'unlock');
      return { token, registered };
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
    owner: () => storage.campusIdentity.owner(demoTraces.code),
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
    /** Makes the database that of the configured campus; what came from the demo campus goes first. */
    adopt: () => storage.campusIdentity.adopt(config.campus.identity, demoTraces),
    /** SQLite files of before an upgrade, which lie beside the database. */
    upgradeCopies: () => storage.upgradeCopies(),
    ...copiesOf(storage),
    close: () => storage.close(),
  };
};

export type Operator = Awaited<ReturnType<typeof operatorOf>>;
