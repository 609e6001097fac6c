import type { GuardMemory } from '../../src/domain/accounts/guard/events.ts';
import {
  type CodeMemory,
  emptyCode,
  emptyGateway,
  emptyStudent,
  type GatewayMemory,
  type StudentMemory,
} from '../../src/domain/accounts/guard/memory.ts';
import { guardNumbers } from '../../src/domain/accounts/guard/numbers.ts';
import type {
  AccountStore,
  CampusAccess,
  GuardPart,
  GuardScope,
  GuardStore,
  InviteCode,
  InviteStore,
  LeaseStore,
  NewToken,
  PasswordPair,
  ProvenSession,
  SignInLine,
  StoredPair,
  TokenStore,
  UserRecord,
} from '../../src/domain/accounts/ports.ts';
import { sessionId } from '../../src/domain/accounts/tokens.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { Failure, type SignInStep } from '../../src/domain/errors.ts';
import { plainMarks } from './student-marks.ts';

interface TokenRow {
  readonly hash: string;
  readonly userid: string;
  readonly createdAt: number;
  readonly endsAt: number;
  expiresAt: number;
  lastUsedAt: number;
  network: string | null;
  endedAt: number | null;
}

const rowOf = (entry: NewToken & { userid: string; now: number }): TokenRow => ({
  hash: entry.tokenHash,
  userid: entry.userid,
  createdAt: entry.now,
  endsAt: entry.tokenEndsAt,
  expiresAt: entry.tokenExpiresAt,
  lastUsedAt: entry.now,
  network: entry.tokenNetwork,
  endedAt: null,
});

const isLive = (row: TokenRow, now: number): boolean => row.endedAt === null && row.expiresAt > now;

interface InviteTokenRow {
  readonly code: string;
  readonly expiresAt: number;
  used: boolean;
}

/** The guard's memory in maps. What `decide` does is one step, so nobody comes between. */
export class MemoryGuards implements GuardStore {
  readonly students = new Map<string, StudentMemory>();
  readonly codes = new Map<string, CodeMemory>();
  gateway: GatewayMemory = emptyGateway;
  readonly #enter: (name: string) => Promise<void>;

  constructor(enter: (name: string) => Promise<void> = () => Promise.resolve()) {
    this.#enter = enter;
  }

  at({ userid, code }: GuardScope): GuardMemory {
    return {
      student: this.students.get(userid) ?? emptyStudent,
      gateway: this.gateway,
      code: this.codes.get(code ?? '') ?? emptyCode,
    };
  }

  async read(scope: GuardScope): Promise<GuardMemory> {
    await this.#enter('readGuard');
    return this.at(scope);
  }

  async change<T>(
    scope: GuardScope,
    lock: readonly GuardPart[],
    _now: number,
    decide: (memory: GuardMemory) => { result: T; write: Partial<GuardMemory> },
  ): Promise<T> {
    await this.#enter('writeGuard');
    const { result, write } = decide(this.at(scope));
    for (const part of ['student', 'gateway', 'code'] as const) {
      if (write[part] !== undefined && !lock.includes(part)) throw new Error(`${part} is not locked`);
    }
    if (write.student) this.students.set(scope.userid, write.student);
    if (write.gateway) this.gateway = write.gateway;
    if (write.code && scope.code !== null) this.codes.set(scope.code, write.code);
    return result;
  }

  async sweep(): Promise<number> {
    return 0;
  }
}

/** All stores of the accounts in memory, with the rules their ports promise. */
export class MemoryAccounts {
  readonly users = new Map<string, UserRecord>();
  readonly pairs = new Map<string, StoredPair>();
  /** In order of insertion. */
  tokenRows: TokenRow[] = [];
  readonly codes = new Map<string, InviteCode>();
  readonly inviteTokens = new Map<string, InviteTokenRow>();
  readonly leaseRows = new Map<string, { owner: string; until: number }>();
  /** Names of operations that fail as a broken storage does. */
  readonly broken = new Set<string>();
  /** Every call by name. */
  readonly calls: string[] = [];
  /** Student ids whose stored pair cannot be unsealed. */
  readonly unreadable = new Set<string>();

  async #enter(name: string): Promise<void> {
    this.calls.push(name);
    await Promise.resolve();
    if (this.broken.has(name)) throw new Failure('storage-failed', { reason: name });
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
    findUser: async (userid) => {
      await this.#enter('findUser');
      return this.users.get(userid) ?? null;
    },
    readPair: async (userid) => {
      await this.#enter('readPair');
      if (this.unreadable.has(userid)) throw new Failure('stored-credentials-unreadable');
      return this.pairs.get(userid) ?? null;
    },
    markPairRefused: async (userid, version, step) => {
      await this.#enter('markPairRefused');
      const stored = this.pairs.get(userid);
      if (stored?.version === version) this.pairs.set(userid, { ...stored, refusedStep: step });
    },
    register: async (entry) => {
      await this.#enter('register');
      const token = this.inviteTokens.get(entry.inviteTokenHash);
      const code = token && this.codes.get(token.code);
      if (!token || token.used || token.expiresAt <= entry.now || !this.#usable(code, entry.now))
        return 'invite-token-invalid';
      if (this.users.has(entry.userid)) return 'userid-taken';
      token.used = true;
      this.codes.set(code.code, { ...code, used: code.used + 1 });
      this.users.set(entry.userid, { userid: entry.userid, createdAt: entry.now, lastLoginAt: entry.now });
      this.pairs.set(entry.userid, { pair: entry.pair, version: 1, refusedStep: null });
      this.tokenRows.push(rowOf(entry));
      return 'created';
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
      for (const row of own.slice(0, entry.revokeOthers ? -1 : -entry.keep)) row.endedAt = entry.now;
      return 'recorded';
    },
    deleteUser: async (userid) => {
      await this.#enter('deleteUser');
      this.pairs.delete(userid);
      this.guardMemory.students.delete(userid);
      this.tokenRows = this.tokenRows.filter((row) => row.userid !== userid);
      return this.users.delete(userid);
    },
    listUsers: async ({ after, limit }) => {
      await this.#enter('listUsers');
      return [...this.users.values()]
        .filter(({ userid }) => userid > after)
        .sort((a, b) => (a.userid < b.userid ? -1 : 1))
        .slice(0, limit)
        .map((user) => ({
          ...user,
          tokens: this.tokenRows.filter((row) => row.userid === user.userid && row.endedAt === null).length,
        }));
    },
  };

  readonly tokens: TokenStore = {
    find: async (hash, now) => {
      await this.#enter('findToken');
      const row = this.tokenRows.find((token) => token.hash === hash && isLive(token, now));
      return row ? { ...row, marks: this.users.has(row.userid) ? plainMarks() : null } : null;
    },
    known: () => null,
    bearer: async (hash, now) => {
      await this.#enter('bearer');
      const oldest = now - guardNumbers.endedTokensMs;
      const row = this.tokenRows.find((token) => token.hash === hash);
      return row && row.expiresAt > oldest && (row.endedAt ?? now) > oldest ? row.userid : null;
    },
    slide: async (hash, { expiresAt, usedAt, network }) => {
      await this.#enter('slide');
      for (const row of this.tokenRows) {
        if (row.hash === hash) Object.assign(row, { expiresAt, lastUsedAt: usedAt, network: network ?? row.network });
      }
    },
    delete: async (hash, now) => {
      await this.#enter('deleteToken');
      return this.#drop((row) => row.hash === hash, now);
    },
    deleteById: async (userid, id, now) => {
      await this.#enter('deleteSession');
      return this.#drop((row) => row.userid === userid && isLive(row, now) && sessionId(row.hash) === id, now);
    },
    deleteAll: async (userid, now) => {
      await this.#enter('deleteAllTokens');
      const live = this.tokenRows.filter((row) => row.userid === userid && isLive(row, now)).length;
      this.tokenRows = this.tokenRows.filter((row) => row.userid !== userid);
      return live;
    },
    list: async (userid, now) => {
      await this.#enter('listTokens');
      return this.tokenRows
        .filter((row) => row.userid === userid && isLive(row, now))
        .map((row) => ({ ...row, id: sessionId(row.hash) }))
        .reverse();
    },
    sweep: async () => 0,
  };

  #drop(isMeant: (row: TokenRow) => boolean, now: number): number | null {
    const userid = this.tokenRows.find(isMeant)?.userid;
    if (userid === undefined) return null;
    this.tokenRows = this.tokenRows.filter((row) => !isMeant(row));
    return this.tokenRows.filter((row) => row.userid === userid && isLive(row, now)).length;
  }

  readonly invites: InviteStore = {
    findCode: async (code) => {
      await this.#enter('findCode');
      return this.codes.get(code) ?? null;
    },
    createCode: async ({ code, maxUses, expiresAt, now }) => {
      if (this.codes.has(code)) return false;
      this.codes.set(code, { code, maxUses, used: 0, expiresAt, createdAt: now, revokedAt: null });
      return true;
    },
    listCodes: async () => [...this.codes.values()],
    revokeCode: async (code, now) => {
      const known = this.codes.get(code);
      if (!known || known.revokedAt !== null) return false;
      this.codes.set(code, { ...known, revokedAt: now });
      return true;
    },
    insertToken: async ({ hash, code, expiresAt }) => {
      await this.#enter('insertInviteToken');
      this.inviteTokens.set(hash, { code, expiresAt, used: false });
    },
    codeOf: async (hash, now) => {
      await this.#enter('codeOf');
      const token = this.inviteTokens.get(hash);
      const usable =
        token !== undefined && !token.used && token.expiresAt > now && this.#usable(this.codes.get(token.code), now);
      return usable ? token.code : null;
    },
    sweep: async () => 0,
  };

  readonly guardMemory = new MemoryGuards((name) => this.#enter(name));
  readonly guards: GuardStore = this.guardMemory;

  readonly leases: LeaseStore = {
    acquire: async (name, owner, now, ttlMs) => {
      await this.#enter('acquireLease');
      const held = this.leaseRows.get(name);
      if (held && held.owner !== owner && held.until > now) return false;
      this.leaseRows.set(name, { owner, until: now + ttlMs });
      return true;
    },
    release: async (name, owner) => {
      await this.#enter('releaseLease');
      if (this.leaseRows.get(name)?.owner === owner) this.leaseRows.delete(name);
    },
  };
}

type CampusMood = 'normal' | 'unreachable' | 'refuses-all' | 'guarded' | 'unavailable' | 'timed-out' | 'held';

/** A campus that knows the true passwords of its students and counts how often it is asked. */
export class MemoryCampus implements CampusAccess {
  readonly truth = new Map<string, PasswordPair>();
  readonly asked: Array<{ userid: string; pair: PasswordPair }> = [];
  readonly lines: string[] = [];
  longest = 117;
  readonly adopted: ProvenSession[] = [];
  readonly forgotten: string[] = [];
  readonly healthyUsers = new Set<string>();
  mood: CampusMood = 'normal';
  moodStep: SignInStep = 'portal';
  adoptFails = false;
  forgetFails = false;
  /** In mood `held`: questions wait until `release`. */
  readonly #held: Array<() => void> = [];
  #arrivals: Array<() => void> = [];

  /** Resolves once somebody has asked (again). */
  nextQuestion(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve));
  }

  release(): void {
    this.mood = 'normal';
    for (const go of this.#held.splice(0)) go();
  }

  longestVpnPassword(): number {
    return this.longest;
  }

  async prove(
    userid: string,
    pair: PasswordPair,
    context: CallContext,
    { line, confirm }: { line: SignInLine; confirm: () => Promise<void> },
  ): Promise<ProvenSession> {
    this.lines.push(line.line);
    await confirm();
    this.asked.push({ userid, pair });
    for (const arrived of this.#arrivals.splice(0)) arrived();
    if (this.mood === 'held') await new Promise<void>((resolve) => this.#held.push(resolve));
    context.signal.throwIfAborted();
    const step = this.moodStep;
    if (this.mood === 'unreachable') throw new Failure('sign-in-unavailable', { step, unsent: true });
    if (this.mood === 'refuses-all') throw new Failure('credentials-refused', { step: 'unified-login' });
    if (this.mood === 'guarded') throw new Failure('sign-in-guarded', { step });
    if (this.mood === 'unavailable') throw new Failure('sign-in-unavailable', { step });
    if (this.mood === 'timed-out') throw new Failure('timed-out', { step });
    const truth = this.truth.get(userid);
    if (truth?.vpnPassword !== pair.vpnPassword) throw new Failure('credentials-refused', { step: 'portal' });
    if (truth.password !== pair.password) throw new Failure('credentials-refused', { step: 'unified-login' });
    return { userid };
  }

  async adopt(proven: ProvenSession): Promise<void> {
    if (this.adoptFails) throw new Failure('storage-failed');
    this.adopted.push(proven);
    this.healthyUsers.add(proven.userid);
  }

  async healthy(userid: string): Promise<boolean> {
    return this.healthyUsers.has(userid);
  }

  async forget(userid: string): Promise<void> {
    if (this.forgetFails) throw new Failure('storage-failed');
    this.forgotten.push(userid);
    this.healthyUsers.delete(userid);
  }
}
