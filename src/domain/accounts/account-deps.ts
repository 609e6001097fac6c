import type { Clock } from '../../lib/clock.ts';
import type { ServiceObserver } from '../observation.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import type { GuardKeeper } from './guard-keeper.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { AccountStore, CampusAccess, InviteStore, LeaseStore, TokenStore } from './ports.ts';

export interface AccountSettings {
  /** How long a token lives after its last use. */
  readonly tokenTtlMs: number;
}

export interface AccountDeps {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly invites: InviteStore;
  /** The same keeper that the stored credentials use. */
  readonly guard: GuardKeeper;
  readonly leases: LeaseStore;
  readonly campus: CampusAccess;
  readonly clock: Clock;
  readonly settings: AccountSettings;
  /** Counts how attempts end. */
  readonly observer?: Pick<ServiceObserver, 'attempt'>;
}

/** What login, registration and deletion share besides the ports. */
export interface AttemptDeps extends AccountDeps {
  readonly oneAtATime: OneAtATime;
  readonly signInLimits: AttemptLimits;
}
