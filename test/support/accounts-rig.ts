import { type Accounts, createAccounts } from '../../src/domain/accounts/accounts.ts';
import { createCallers } from '../../src/domain/accounts/guard/callers.ts';
import { Guard } from '../../src/domain/accounts/guard/guard.ts';
import type { PasswordPair } from '../../src/domain/accounts/ports.ts';
import { type SignInCredentials, Unattended } from '../../src/domain/accounts/sign-in/unattended.ts';
import { type CallContext, type Log, silentLog } from '../../src/domain/context.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { createLeases } from '../../src/domain/lease.ts';
import { KeyedNames } from '../../src/lib/hash.ts';
import { Deadline } from '../../src/lib/time.ts';
import type { AccountStores } from './account-stores.ts';
import type { ManualClock } from './manual-clock.ts';
import { MemoryCampus, noSecondSteps } from './memory-campus.ts';

export const DAY_MS = 86_400_000;
export const TTL_MS = 30 * DAY_MS;

export const right: PasswordPair = { password: 'right-password-7c1', vpnPassword: 'right-vpn-7c1' };
export const wrong: PasswordPair = { password: 'wrong-password-9d2', vpnPassword: 'wrong-vpn-9d2' };
export const renewed: PasswordPair = { password: 'new-password-3e4', vpnPassword: 'new-vpn-3e4' };
export const ann = '2023000101';
export const ben = '2023000102';

export interface Replica {
  readonly accounts: Accounts;
  readonly credentials: SignInCredentials;
  readonly guard: Guard;
}

/** The accounts over given stores and by their clock, with a campus in the test's hands. */
export class AccountsRig {
  readonly clock: ManualClock;
  readonly campus = new MemoryCampus();
  readonly stores: AccountStores;
  readonly #trust: { trustedCallers: readonly string[]; trustedProxies: readonly string[] };
  readonly accounts: Accounts;
  readonly credentials: SignInCredentials;
  /** Everything that was logged, as text. */
  readonly lines: string[] = [];
  /** Types of the events that unattended sign-ins have appended. */
  readonly told: string[] = [];

  constructor(
    stores: AccountStores,
    trust: { trustedCallers: readonly string[]; trustedProxies: readonly string[] } = {
      trustedCallers: [],
      trustedProxies: [],
    },
  ) {
    this.stores = stores;
    this.clock = stores.clock;
    this.#trust = trust;
    const { accounts, credentials } = this.replica();
    this.accounts = accounts;
    this.credentials = credentials;
  }

  readonly #journal = {
    append: async (_userid: string, events: ReadonlyArray<{ readonly type: string }>) => {
      this.told.push(...events.map(({ type }) => type));
      return [];
    },
  };

  /** One more process over the same stores. */
  replica(): Replica {
    const { clock, campus, stores } = this;
    const guard = new Guard({ guards: stores.guards, clock, log: silentLog, perDay: 4 });
    const names = new KeyedNames([Buffer.alloc(32, 7)]);
    const callers = createCallers(names, this.#trust);
    return {
      guard,
      accounts: createAccounts({
        ...stores,
        guard,
        callers,
        names,
        leases: createLeases(stores.leases, clock),
        campus,
        forget: (userid) => campus.forget(userid),
        secondSteps: noSecondSteps,
        clock,
        random: () => 0,
        settings: { tokenTtlMs: TTL_MS, tokenMaxMs: 180 * DAY_MS, refusalsPerAddress: 60 },
      }),
      credentials: new Unattended({ accounts: stores.accounts, guard, callers, journal: this.#journal }),
    };
  }

  context(over: Partial<CallContext> = {}): CallContext {
    const write = (fields: Record<string, unknown>, message: string) => {
      this.lines.push(`${message} ${JSON.stringify(fields)}`);
    };
    const log: Log = { debug: write, info: write, warn: write, error: write };
    return {
      traceId: '0'.repeat(32),
      signal: new AbortController().signal,
      deadline: new Deadline(30_000),
      log,
      address: '198.51.100.7',
      ...over,
    };
  }

  async code(code = 'CODE-1', maxUses: number | null = null): Promise<void> {
    await this.stores.invites.createCode({ code, maxUses, expiresAt: null, now: this.clock.now() });
  }

  async inviteToken(code = 'CODE-1'): Promise<string> {
    return (await this.accounts.verifyInviteCode(code, this.context())).inviteToken;
  }

  async inviteTokenFrom(address = '198.51.100.7', code = 'CODE-1'): Promise<string> {
    return (await this.accounts.verifyInviteCode(code, this.context({ address }))).inviteToken;
  }

  /** A student with an account whose campus session is not trusted (any more). */
  async registered(userid = ann, pair = right): Promise<string> {
    this.campus.truth.set(userid, pair);
    await this.code();
    const { token } = await this.accounts.register(
      { userid, pair, inviteToken: await this.inviteToken() },
      this.context(),
    );
    this.campus.healthyUsers.delete(userid);
    this.campus.asked.length = 0;
    return token;
  }

  login(pair: PasswordPair, userid = ann, context = this.context()): Promise<{ token: string }> {
    return this.accounts.login({ userid, pair }, context);
  }
}

/** The failure that a promise ends in, as `kind`, `kind step` or `kind 60s`, so one line says it all. */
export const failureOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { kind, step, retryAfterSeconds } = error;
    return [kind, step, retryAfterSeconds === undefined ? undefined : `${retryAfterSeconds}s`]
      .filter((part) => part !== undefined)
      .join(' ');
  }
  return 'no failure';
};
