import type { InviteCode } from '../domain/accounts/ports.ts';
import type { CampusIdentity } from '../lib/campus-identity.ts';

export interface UserLine {
  readonly userid: string;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
  readonly tokens: number;
}

/** A calendar feed as operators see it. Epoch milliseconds; null: never. */
export interface FeedLine {
  readonly id: string;
  readonly parts: readonly string[];
  readonly createdAt: number;
  readonly polledAt: number | null;
}

export interface Rotation {
  readonly resealed: number;
  readonly unreadable: number;
  /** Rewritten by somebody else each time they were tried; another run takes them up. */
  readonly unsettled: number;
}

/** What taking a database over has removed. */
export interface Adoption {
  readonly demoStudents: number;
  readonly demoCodes: number;
  readonly roomTrees: number;
  readonly chosenRooms: number;
  /** Students whose campus sessions were ended. */
  readonly students: number;
}

interface Tag {
  /** Member of the log line. */
  readonly member: string;
  readonly value: string;
}

/** How much was copied from one database to another. */
interface Copied {
  readonly rows: number;
  readonly tables: number;
}

/** What an operator may do to a running or stopped service, through its storage. */
export interface Operator {
  createInvite(code: { code: string; maxUses: number | null; expiresAt: number | null }): Promise<boolean>;
  listInvites(): Promise<readonly InviteCode[]>;
  /** False when the code is unknown or revoked already. */
  revokeInvite(code: string): Promise<boolean>;
  /** In order of their ids, those behind `after`. */
  listUsers(page: { after: string; limit: number }): Promise<readonly UserLine[]>;
  /** Ends all tokens and sealed campus sessions; how many tokens that were, or null when the user is unknown. */
  revokeUser(userid: string): Promise<number | null>;
  /** False when the user is unknown. */
  deleteUser(userid: string): Promise<boolean>;
  /** The oldest first; null when the user is unknown. */
  listFeeds(userid: string): Promise<readonly FeedLine[] | null>;
  /** False when the user has no feed of that id. */
  revokeFeed(userid: string, id: string): Promise<boolean>;
  /**
   * Returns what guesses have used up of the student's budgets and gives a token that, sent with a login, proves its
   * bearer the owner; null when the user is unknown.
   */
  unlock(userid: string): Promise<string | null>;
  /** The names under which a student id or an address stands in log lines. */
  tags(text: string): readonly Tag[];
  rotateKeys(): Promise<Rotation>;
  /** Students whose stored passwords none of the keys opens. Fails while the storage does not answer. */
  foreignSeals(): Promise<number>;
  /** The campus that the database belongs to; null: none yet. */
  owner(): Promise<CampusIdentity | null>;
  /** Makes the database that of the configured campus; what came from the demo campus goes first. */
  adopt(): Promise<Adoption>;
  /** Everything of this moment in a new file; null when the file exists. */
  backup(file: string): Promise<Copied | null>;
  /**
   * Fills the empty database from a backup, unless `check` refuses it: told the campus it belongs to, and of how many
   * students none of the keys opens the passwords. The refusal `not empty` is that of the database.
   */
  restore(
    file: string,
    check: (owner: CampusIdentity | null, foreignSeals: number) => string | null,
  ): Promise<Copied | { readonly refusal: string }>;
  /** Fills another, empty database; null when it is not empty. */
  move(url: string): Promise<Copied | null>;
  close(): Promise<void>;
}

/** One upstream as seen from this machine. */
export interface Reach {
  readonly name: string;
  readonly origin: string;
  /** Null: no answer; `detail` says why. */
  readonly status: number | null;
  readonly detail: string;
  readonly milliseconds: number;
  /** The clock of the other side, where it told. Epoch milliseconds. */
  readonly serverTime: number | null;
}

/** The configuration as far as commands need it. */
export interface Settings {
  readonly timeZone: string;
  readonly campus: CampusIdentity;
  /** What the demo campus leaves in a database. */
  readonly demo: { readonly code: string; readonly students: readonly string[] };
  /** For people: where data is kept, without passwords. */
  readonly storage: string;
  /** Empty for the demo campus. */
  readonly upstreams: ReadonlyArray<{ readonly name: string; readonly url: string; readonly insecureTls: boolean }>;
  readonly warnings: readonly string[];
}

/** Everything a command touches outside itself. */
export interface World {
  now(): number;
  /** `problems` have not been printed yet: every command says what is wrong in its own place. */
  settings(): { readonly settings: Settings } | { readonly problems: readonly string[] };
  open(): Promise<Operator>;
  reach(upstream: Settings['upstreams'][number]): Promise<Reach>;
  newCode(): string;
  out(line: string): void;
  err(line: string): void;
}

/** What a command works with once its arguments are understood. */
export interface CommandContext {
  readonly operator: Operator;
  readonly settings: Settings;
  now(): number;
  newCode(): string;
  out(line: string): void;
  err(line: string): void;
}

/** Reads its arguments first, so that wrong usage never opens the storage; what it returns does the work. */
export type Command = (args: readonly string[]) => (context: CommandContext) => Promise<number>;
