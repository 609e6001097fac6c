import type { Academics } from './domain/academics/academics.ts';
import type { Accounts } from './domain/accounts/accounts.ts';
import type { Clock } from './lib/clock.ts';

/** What the surfaces may use. Each surface takes the members it needs. */
export interface Services {
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly academics: Academics;
  /** True while storage answers; used by `/ready`. Never throws. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}
