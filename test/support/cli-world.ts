import type { Operator } from '../../src/cli/operator.ts';
import type { Reach, Upstream } from '../../src/cli/reach.ts';
import type { World } from '../../src/cli/world.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { type Finding, InvalidConfig } from '../../src/config/finding.ts';
import { keyFiles } from '../../src/config/process-files.ts';
import { withoutCreating } from '../../src/config/secrets.ts';
import type { InviteCode } from '../../src/domain/accounts/invite-tokens.ts';
import { type CampusIdentity, demoIdentity } from '../../src/lib/campus-identity.ts';
import type { SchemaState, UpgradeCopy } from '../../src/open-storage.ts';

type Told<Member extends 'listUsers' | 'showUser' | 'listFeeds' | 'rotateKeys'> = NonNullable<
  Awaited<ReturnType<Operator[Member]>>
>;

export const now = Date.UTC(2026, 2, 18, 2, 0, 0);

/** A world of the command line in memory, with everything it printed. */
export class CliWorld implements World {
  readonly printed: string[] = [];
  readonly complained: string[] = [];
  readonly calls: string[] = [];
  invites: InviteCode[] = [];
  users: Told<'listUsers'>[number][] = [];
  feeds: Told<'listFeeds'>[number][] = [];
  tokens: Told<'showUser'>['tokens'] = [];
  hooks: Told<'showUser'>['hooks'] = [];
  rotation: Told<'rotateKeys'> = { resealed: 0, unreadable: 0, unsettled: 0 };
  problems: Finding[] = [];
  reaches = new Map<string, Partial<Reach>>();
  storageError: Error | null = null;
  brokenStorage: Error | null = null;
  foreign = 0;
  unreadableGuards: string[] = [];
  schema: SchemaState = { from: '0001-a', to: '0003-c', pending: ['0002-b', '0003-c'], newer: null };
  upgradeCopies: UpgradeCopy[] = [];
  accesses: string[] = [];
  opened = 0;
  closed = 0;
  owner: CampusIdentity | null = demoIdentity;
  backupOwner: CampusIdentity | null = demoIdentity;
  /** Null: there is something already where a copy was to go. */
  copied: { rows: number; tables: number } | null = { rows: 70, tables: 17 };
  lastBackup: number | null = null;
  /** Services that run on the database that is to be filled or moved. */
  usedBy: string[] = [];
  /** Of the settings. */
  env: Record<string, string> = {
    DATABASE_URL: 'sqlite:./data/campus.db',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  };

  now(): number {
    return now;
  }

  config(): Config {
    if (this.problems.length > 0) throw new InvalidConfig(this.problems, []);
    return loadConfig(this.env, withoutCreating(keyFiles));
  }

  async open(_: Config, access: Parameters<World['open']>[1]): Promise<Operator> {
    if (this.storageError) throw this.storageError;
    this.opened += 1;
    this.accesses.push(access);
    return {
      createInvite: async ({ code, maxUses, expiresAt }) => {
        if (this.invites.some((invite) => invite.code === code)) return false;
        this.invites.push({ code, maxUses, used: 0, expiresAt, createdAt: now, revokedAt: null });
        return true;
      },
      listInvites: async () => this.invites,
      revokeInvite: async (code) => {
        this.calls.push(`revoke invite ${code}`);
        return this.invites.some((invite) => invite.code === code);
      },
      listUsers: async ({ after, limit }) => {
        this.calls.push(`list users after '${after}'`);
        return this.users.filter(({ userid }) => userid > after).slice(0, limit);
      },
      showUser: async (userid) => {
        const user = this.users.find((known) => known.userid === userid);
        return user === undefined ? null : { ...user, tokens: this.tokens, hooks: this.hooks };
      },
      revokeUser: async (userid, keep) => {
        const user = this.users.find((known) => known.userid === userid);
        if (user === undefined) return null;
        const { length } = this.feeds;
        const counts = length === 0 ? {} : { feeds: length };
        const isKept = keep.includes('feeds');
        return { tokens: user.tokens, grants: { kept: isKept ? counts : {}, ended: isKept ? {} : counts } };
      },
      deleteUser: async (userid) => {
        const before = this.users.length;
        this.users = this.users.filter((user) => user.userid !== userid);
        return this.users.length < before;
      },
      listFeeds: async (userid) => (this.users.some((user) => user.userid === userid) ? this.feeds : null),
      revokeFeed: async (userid, id) => {
        this.calls.push(`revoke feed ${userid} ${id}`);
        const known = this.feeds.some((feed) => feed.id === id);
        this.feeds = this.feeds.filter((feed) => feed.id !== id);
        return known;
      },
      unlock: async (userid) => this.users.some((user) => user.userid === userid),
      unreadableGuards: async () => this.unreadableGuards,
      resetGuard: async (row) => {
        this.calls.push(`reset guard ${row}`);
        return this.unreadableGuards.includes(row);
      },
      tag: (text) => ({ member: 'student', value: `tag of ${text}` }),
      rotateKeys: async () => this.rotation,
      foreignSeals: async () => {
        if (this.brokenStorage) throw this.brokenStorage;
        return this.foreign;
      },
      owner: async () => this.owner,
      upgradeCopies: () => this.upgradeCopies,
      replicas: async () => this.usedBy,
      schema: '0003-c',
      counts: async () => ({ students: 2, tokens: 3, evaluations: 1, copies: 40, feeds: 1 }),
      lastBackup: async () => this.lastBackup,
      noteBackup: async () => {
        if (access === 'look') throw new Error('this connection only reads');
        this.lastBackup = now;
      },
      backup: async (file) => {
        this.calls.push(`backup ${file}`);
        return this.copied;
      },
      move: async (url) => {
        this.calls.push(`move ${url}`);
        return this.#copy();
      },
      close: async () => {
        this.closed += 1;
      },
    };
  }

  async migrate(_: Config, options: Parameters<World['migrate']>[1]): ReturnType<World['migrate']> {
    this.calls.push(`migrate ${JSON.stringify(options)}`);
    return { ...this.schema, copies: this.upgradeCopies };
  }

  /** What the person at the terminal says; null: nobody sits there. */
  answer: boolean | null = null;
  readonly questions: string[] = [];

  async confirm(question: string): Promise<boolean | null> {
    this.questions.push(question);
    return this.answer;
  }

  async restore(...[, file, check]: Parameters<World['restore']>): ReturnType<World['restore']> {
    this.calls.push(`restore ${file}`);
    const refusal = check(this.backupOwner, this.foreign);
    if (refusal !== null) return { refusal };
    const copied = this.#copy();
    return 'refusal' in copied ? copied : { ...copied, unreadableGuards: this.unreadableGuards };
  }

  #copy() {
    if (this.usedBy.length > 0) return { refusal: 'in use' as const, by: this.usedBy };
    return this.copied ?? { refusal: 'not empty' as const };
  }

  async reach({ name, url }: Upstream): Promise<Reach> {
    const plain = { origin: new URL(url).origin, status: 200, detail: '', milliseconds: 12.4, serverTime: now };
    return { name, ...plain, ...this.reaches.get(name) };
  }

  readonly out = (line: string): void => void this.printed.push(line);

  readonly err = (line: string): void => void this.complained.push(line);
}
