import type {
  Adoption,
  FeedLine,
  Operator,
  Reach,
  Rotation,
  Settings,
  UserLine,
  World,
} from '../../src/cli/operator.ts';
import type { InviteCode } from '../../src/domain/accounts/ports.ts';
import { type CampusIdentity, demoIdentity } from '../../src/lib/campus-identity.ts';

export const now = Date.UTC(2026, 2, 18, 2, 0, 0);

/** A world of the command line in memory, with everything it printed. */
export class CliWorld implements World {
  readonly printed: string[] = [];
  readonly complained: string[] = [];
  readonly calls: string[] = [];
  invites: InviteCode[] = [];
  users: UserLine[] = [];
  feeds: FeedLine[] = [];
  rotation: Rotation = { resealed: 0, unreadable: 0, unsettled: 0 };
  problems: string[] = [];
  reaches = new Map<string, Partial<Reach>>();
  storageError: Error | null = null;
  brokenStorage: Error | null = null;
  foreign = 0;
  opened = 0;
  closed = 0;
  owner: CampusIdentity | null = demoIdentity;
  backupOwner: CampusIdentity | null = demoIdentity;
  /** Null: there is something already where a copy was to go. */
  copied: { rows: number; tables: number } | null = { rows: 70, tables: 17 };
  adoption: Adoption = { demoStudents: 2, demoCodes: 1, roomTrees: 1, chosenRooms: 3, students: 5 };
  read: Settings = {
    timeZone: 'Asia/Shanghai',
    campus: demoIdentity,
    demo: { code: 'DEMO-2026', students: ['2023000001', '2023000002'] },
    storage: 'SQLite ./data/campus.db',
    upstreams: [],
    warnings: [],
  };

  now(): number {
    return now;
  }

  settings(): ReturnType<World['settings']> {
    return this.problems.length > 0 ? { problems: this.problems } : { settings: this.read };
  }

  async open(): Promise<Operator> {
    if (this.storageError) throw this.storageError;
    this.opened += 1;
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
      revokeUser: async (userid) => this.users.find((user) => user.userid === userid)?.tokens ?? null,
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
      unlock: async (userid) => (this.users.some((user) => user.userid === userid) ? 'unlock-token' : null),
      tags: (text) => [{ member: 'student', value: `tag of ${text}` }],
      rotateKeys: async () => this.rotation,
      foreignSeals: async () => {
        if (this.brokenStorage) throw this.brokenStorage;
        return this.foreign;
      },
      owner: async () => this.owner,
      adopt: async () => {
        this.calls.push('adopt');
        return this.adoption;
      },
      backup: async (file) => {
        this.calls.push(`backup ${file}`);
        return this.copied;
      },
      restore: async (file, check) => {
        this.calls.push(`restore ${file}`);
        const refusal = check(this.backupOwner, this.foreign);
        return refusal === null ? (this.copied ?? { refusal: 'not empty' }) : { refusal };
      },
      move: async (url) => {
        this.calls.push(`move ${url}`);
        return this.copied;
      },
      close: async () => {
        this.closed += 1;
      },
    };
  }

  async reach({ name, url }: Settings['upstreams'][number]): Promise<Reach> {
    const plain = { origin: new URL(url).origin, status: 200, detail: '', milliseconds: 12.4, serverTime: now };
    return { name, ...plain, ...this.reaches.get(name) };
  }

  newCode(): string {
    return 'ABCD-EFGH-JKMN-PQRS';
  }

  out(line: string): void {
    this.printed.push(line);
  }

  err(line: string): void {
    this.complained.push(line);
  }
}
