import type { GuardPart, GuardStore } from '../../src/domain/accounts/guard/guard.ts';
import { guardNumbers } from '../../src/domain/accounts/guard/numbers.ts';
import {
  afterErasure,
  emptyGateway,
  emptyStudent,
  type GatewayRow,
  type GuardRows,
  type StudentRow,
} from '../../src/domain/accounts/guard/row.ts';
import type {
  AccountStore,
  CampusAccess,
  InviteCode,
  InviteStore,
  NewToken,
  PasswordPair,
  SavedSession,
  SignInQueue,
  SignInTurn,
  StoredPair,
  TokenStore,
  UserRecord,
  VerifiedSession,
} from '../../src/domain/accounts/ports.ts';
import { inviteCodeIdLength } from '../../src/domain/accounts/tokens/invitations.ts';
import { noGrants, sessionId } from '../../src/domain/accounts/tokens/personal-tokens.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { failures, type SignInStep } from '../../src/domain/errors.ts';
import type { LeaseStore } from '../../src/domain/lease.ts';
import { sha256 } from '../../src/lib/hash.ts';
import type { SqlInviteStore } from '../../src/storage/invites.ts';
import { plainMarks } from './student-marks.ts';

interface TokenRow {
  readonly hash: string;
  readonly userid: string;
  readonly createdAt: number;
  readonly endsAt: number;
  expiresAt: number;
  lastUsedAt: number;
  network: string | null;
  readonly client: string | null;
  endedAt: number | null;
  provesUntil: number;
}

const rowOf = (entry: NewToken & { userid: string; now: number }): TokenRow => ({
  hash: entry.tokenHash,
  userid: entry.userid,
  createdAt: entry.now,
  endsAt: entry.tokenEndsAt,
  expiresAt: entry.tokenExpiresAt,
  lastUsedAt: entry.now,
  network: entry.tokenNetwork,
  client: entry.tokenClient ?? null,
  endedAt: null,
  provesUntil: 0,
});

const saved: SavedSession = { generation: 1, revision: 1 };

const idOf = (code: string): string => sha256(code).slice(0, inviteCodeIdLength);

const { provesMs: endedMs } = guardNumbers.endedTokens;

const end = (row: TokenRow, now: number, provesMs: number): void => {
  Object.assign(row, { endedAt: now, provesUntil: now + provesMs, network: null });
};

const never = (): never => {
  throw new Error('not here');
};

const isLive = (row: TokenRow, now: number): boolean => row.endedAt === null && row.expiresAt > now;

/** The guard's rows in maps. A change is one step, so no other call comes between. */
export class MemoryGuards implements GuardStore {
  /** By the lower-cased id; what was asked outlives the account. */
  readonly students = new Map<string, StudentRow>();
  gateway: GatewayRow = emptyGateway;
  readonly #enter: (name: string) => Promise<void>;

  constructor(enter: (name: string) => Promise<void> = () => Promise.resolve()) {
    this.#enter = enter;
  }

  at(userid: string): GuardRows {
    return { student: this.students.get(userid.toLowerCase()) ?? emptyStudent, gateway: this.gateway };
  }

  erase(userid: string): void {
    this.students.set(userid.toLowerCase(), afterErasure(this.at(userid).student));
  }

  async read(userid: string): Promise<GuardRows> {
    await this.#enter('readGuard');
    return this.at(userid);
  }

  async change<T>(
    userid: string,
    lock: readonly GuardPart[],
    seen: GuardRows,
    decide: (rows: GuardRows) => { readonly result: T; readonly write: Partial<GuardRows> },
  ): Promise<T> {
    await this.#enter('writeGuard');
    const there = this.at(userid);
    const { result, write } = decide({
      student: lock.includes('student') ? there.student : seen.student,
      gateway: lock.includes('gateway') ? there.gateway : seen.gateway,
    });
    if (write.student) this.students.set(userid.toLowerCase(), write.student);
    if (write.gateway) this.gateway = write.gateway;
    return result;
  }
}

/** The commands of the operator use these too. */
export type OperatorsInvites = Pick<SqlInviteStore, 'createCode' | 'revokeCode'>;

/** All stores of the accounts in memory, with the rules their ports promise. */
export class MemoryAccounts {
  readonly users = new Map<string, UserRecord>();
  readonly pairs = new Map<string, StoredPair>();
  /** In order of insertion. */
  tokenRows: TokenRow[] = [];
  readonly codes = new Map<string, InviteCode>();
  /** Hashes of those that were used. */
  readonly inviteTokens = new Set<string>();
  readonly leaseRows = new Map<string, { owner: string; until: number }>();
  /** Names of operations that fail as a broken storage does. */
  /** Erased accounts of which rows remain. */
  readonly erasing = new Set<string>();
  readonly broken = new Set<string>();
  /** Every call by name. */
  readonly calls: string[] = [];
  /** Student ids whose stored pair cannot be unsealed. */
  readonly unreadable = new Set<string>();

  async #enter(name: string): Promise<void> {
    this.calls.push(name);
    await Promise.resolve();
    if (this.broken.has(name)) throw failures.storageFailed(name);
  }

  #usable(code: InviteCode | undefined, now: number): code is InviteCode {
    return (
      code !== undefined &&
      code.revokedAt === null &&
      (code.expiresAt === null || code.expiresAt > now) &&
      (code.maxUses === null || code.used < code.maxUses)
    );
  }

  readonly accounts: AccountStore = {
    standing: async (userid) => {
      await this.#enter('findUser');
      if (this.erasing.has(userid)) return 'erasing';
      return this.users.has(userid) ? 'registered' : 'free';
    },
    findUser: async (userid) => {
      await this.#enter('findUser');
      return this.users.get(userid) ?? null;
    },
    readPair: async (userid) => {
      await this.#enter('readPair');
      if (this.unreadable.has(userid)) throw failures.storedCredentialsUnreadable();
      return this.pairs.get(userid) ?? null;
    },
    markPairRefused: async (userid, version, step) => {
      await this.#enter('markPairRefused');
      const stored = this.pairs.get(userid);
      if (stored?.version === version) this.pairs.set(userid, { ...stored, refusedStep: step });
    },
    register: async (entry) => {
      await this.#enter('register');
      const { invite } = entry;
      const code = this.codes.get(invite.code);
      const used = this.inviteTokens.has(invite.hash);
      if (used || invite.expiresAt <= entry.now || !this.#usable(code, entry.now)) return 'invite-token-invalid';
      if (this.users.has(entry.userid)) return 'userid-taken';
      this.inviteTokens.add(invite.hash);
      this.codes.set(code.code, { ...code, used: code.used + 1 });
      this.users.set(entry.userid, { userid: entry.userid, createdAt: entry.now, lastLoginAt: entry.now });
      this.pairs.set(entry.userid, { pair: entry.pair, version: 1, refusedStep: null });
      this.tokenRows.push(rowOf(entry));
      return saved;
    },
    recordLogin: async (entry) => {
      await this.#enter('recordLogin');
      const user = this.users.get(entry.userid);
      if (!user) return 'user-gone';
      if (entry.newPair) {
        const version = (this.pairs.get(entry.userid)?.version ?? 0) + 1;
        this.pairs.set(entry.userid, { pair: entry.newPair, version, refusedStep: null });
        this.unreadable.delete(entry.userid);
      }
      this.users.set(entry.userid, { ...user, lastLoginAt: entry.now });
      this.tokenRows.push(rowOf(entry));
      const own = this.tokenRows.filter((row) => row.userid === entry.userid && isLive(row, entry.now));
      const provesMs = endedMs;
      for (const row of own.slice(0, entry.revokeOthers ? -1 : -entry.keep)) end(row, entry.now, provesMs);
      if (entry.revokeOthers) this.#cutProofs(entry.userid, entry.now + provesMs);
      return { grants: noGrants, saved };
    },
    deleteUser: async (userid) => {
      await this.#enter('deleteUser');
      this.pairs.delete(userid);
      this.guardMemory.erase(userid);
      this.tokenRows = this.tokenRows.filter((row) => row.userid !== userid);
      return this.users.delete(userid) ? 'erased' : null;
    },
  };

  readonly tokens: TokenStore = {
    find: async (hash, now) => {
      await this.#enter('findToken');
      const row = this.tokenRows.find((token) => token.hash === hash && isLive(token, now));
      return row
        ? { ...row, issuedAt: row.createdAt, personal: null, marks: this.users.has(row.userid) ? plainMarks() : null }
        : null;
    },
    bearer: async (hash, now) => {
      await this.#enter('bearer');
      const row = this.tokenRows.find((token) => token.hash === hash);
      return row && (row.endedAt === null ? row.expiresAt + endedMs : row.provesUntil) > now ? row.userid : null;
    },
    slide: async (hash, { expiresAt, usedAt, network }) => {
      await this.#enter('slide');
      for (const row of this.tokenRows) {
        if (row.hash === hash && expiresAt !== null)
          Object.assign(row, { expiresAt, lastUsedAt: usedAt, network: network ?? row.network });
      }
    },
    end: async (hash, now) => {
      await this.#enter('endToken');
      return this.#end((row) => row.hash === hash, now);
    },
    endPersonal: never,
    endLogin: async (userid, id, _keep, now) => {
      await this.#enter('endSession');
      const left = this.#end((row) => row.userid === userid && sessionId(row.hash) === id, now);
      return left === null ? null : { left, grants: noGrants };
    },
    endAll: async (userid, _keep, now) => {
      await this.#enter('endAllTokens');
      for (const row of this.tokenRows) if (row.userid === userid && isLive(row, now)) end(row, now, endedMs);
      this.#cutProofs(userid, now + endedMs);
      return noGrants;
    },
    list: async (userid, now) => {
      await this.#enter('listTokens');
      return this.tokenRows
        .filter((row) => row.userid === userid && isLive(row, now))
        .map((row) => ({ ...row, id: sessionId(row.hash) }))
        .reverse();
    },
    // Tests of storage cover these.
    personal: { make: never, list: never, rename: never, rotate: never },
  };

  #end(isMeant: (row: TokenRow) => boolean, now: number): number | null {
    const token = this.tokenRows.find((row) => isLive(row, now) && isMeant(row));
    if (token === undefined) return null;
    end(token, now, endedMs);
    return this.tokenRows.filter((row) => row.userid === token.userid && isLive(row, now)).length;
  }

  #cutProofs(userid: string, until: number): void {
    for (const row of this.tokenRows) {
      if (row.userid === userid) row.provesUntil = Math.min(row.provesUntil, until);
    }
  }

  readonly invites: InviteStore & OperatorsInvites = {
    findCode: async (code) => {
      await this.#enter('findCode');
      const known = this.codes.get(code);
      return known ? { ...known, id: idOf(code) } : null;
    },
    createCode: async ({ code, maxUses, expiresAt, now }) => {
      if (this.codes.has(code)) return false;
      this.codes.set(code, { code, maxUses, used: 0, expiresAt, createdAt: now, revokedAt: null });
      return true;
    },
    revokeCode: async (code, now) => {
      const known = this.codes.get(code);
      if (!known || known.revokedAt !== null) return false;
      this.codes.set(code, { ...known, revokedAt: now });
      return true;
    },
    codeFor: async ({ hash, codeId }, now) => {
      await this.#enter('codeFor');
      const code = [...this.codes.values()].find((each) => idOf(each.code) === codeId);
      return this.#usable(code, now) && !this.inviteTokens.has(hash) ? code.code : null;
    },
    storedInvite: async () => {
      await this.#enter('storedInvite');
      return null;
    },
  };

  readonly guardMemory = new MemoryGuards((name) => this.#enter(name));
  readonly guards: GuardStore = this.guardMemory;

  readonly leases: LeaseStore = {
    acquire: async (name, owner, now, ttlMs) => {
      await this.#enter('acquireLease');
      const names = [name].flat();
      const isFree = (each: string) => {
        const held = this.leaseRows.get(each);
        return held === undefined || held.owner === owner || held.until <= now;
      };
      if (!names.every(isFree)) return false;
      for (const each of names) this.leaseRows.set(each, { owner, until: now + ttlMs });
      return true;
    },
    release: async (name, owner) => {
      await this.#enter('releaseLease');
      for (const each of [name].flat()) {
        if (this.leaseRows.get(each)?.owner === owner) this.leaseRows.delete(each);
      }
    },
  };
}

type CampusMood = 'normal' | 'guarded' | 'unavailable' | 'timed-out' | 'held' | 'closed';

/** A campus that knows the true passwords of its students and counts how often it is asked. */
export class MemoryCampus implements CampusAccess {
  readonly truth = new Map<string, PasswordPair>();
  readonly asked: Array<{ userid: string; pair: PasswordPair }> = [];
  readonly queues: string[] = [];
  longest = 117;
  readonly adoptions: VerifiedSession[] = [];
  readonly forgotten: string[] = [];
  readonly healthyUsers = new Set<string>();
  mood: CampusMood = 'normal';
  forgetFails = false;
  /** In mood `held`: questions wait until `release`. */
  readonly #held: Array<() => void> = [];
  #arrivals: Array<() => void> = [];

  /** Resolves at the next ask. */
  nextQuestion(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve));
  }

  release(): void {
    this.mood = 'normal';
    for (const go of this.#held.splice(0)) go();
  }

  longestPassword(step: SignInStep): number {
    return step === 'portal' ? this.longest : Number.POSITIVE_INFINITY;
  }

  async turn(userid: string, pair: PasswordPair, context: CallContext, { queue }: SignInQueue): Promise<SignInTurn> {
    this.queues.push(queue);
    return { signIn: () => this.#signIn(userid, pair, context), [Symbol.dispose]: () => {} };
  }

  async #signIn(userid: string, pair: PasswordPair, context: CallContext): Promise<VerifiedSession> {
    this.asked.push({ userid, pair });
    for (const arrived of this.#arrivals.splice(0)) arrived();
    if (this.mood === 'held') await new Promise<void>((resolve) => this.#held.push(resolve));
    context.signal.throwIfAborted();
    const step = 'portal';
    if (this.mood === 'guarded') throw failures.signInGuarded(step);
    if (this.mood === 'unavailable') throw failures.signInUnavailable(step);
    if (this.mood === 'closed') {
      throw failures.signInUnavailable('unified-login', undefined, { passwords: 'closed' });
    }
    if (this.mood === 'timed-out') throw failures.timedOut(undefined, { step });
    const truth = this.truth.get(userid);
    if (truth?.vpnPassword !== pair.vpnPassword) throw failures.credentialsRefused('portal');
    if (truth.password !== pair.password) throw failures.credentialsRefused('unified-login');
    return { userid, pieces: [] };
  }

  async adopt(verified: VerifiedSession): Promise<void> {
    this.adopted(verified);
  }

  adopted(verified: VerifiedSession): void {
    this.adoptions.push(verified);
    this.healthyUsers.add(verified.userid);
  }

  async answeredMs(userid: string): Promise<number> {
    return this.healthyUsers.has(userid) ? 0 : Number.POSITIVE_INFINITY;
  }

  async forget(userid: string): Promise<void> {
    if (this.forgetFails) throw failures.storageFailed();
    this.forgotten.push(userid);
    this.healthyUsers.delete(userid);
  }
}

const none = async (): Promise<never> => {
  throw new Error('no second steps here');
};

/** No challenge is open, and none is opened. */
export const noSecondSteps = {
  store: { of: async () => null, find: async () => null, open: none, change: none, remove: none },
  campus: { send: none, answer: none },
};
