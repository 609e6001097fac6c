import type { CampusSessions } from '../campus/session/sessions.ts';
import type { Config } from '../config/config.ts';
import { createAccounts } from '../domain/accounts/accounts.ts';
import { createAccountExport } from '../domain/accounts/export.ts';
import { createCallers } from '../domain/accounts/guard/callers.ts';
import { draftOf, Guard } from '../domain/accounts/guard/guard.ts';
import { isQuiet } from '../domain/accounts/guard/stored-pair.ts';
import type { ChallengeOperations } from '../domain/accounts/sign-in/challenges.ts';
import { Unattended } from '../domain/accounts/sign-in/unattended.ts';
import { createPersonalTokens } from '../domain/accounts/tokens/personal-tokens.ts';
import { Journal } from '../domain/changes/journal.ts';
import { tellRefusedPairs } from '../domain/changes/refused-pairs.ts';
import type { Log } from '../domain/context.ts';
import type { SignInStep } from '../domain/errors.ts';
import { createLeases } from '../domain/lease.ts';
import type { ServiceObserver } from '../domain/observation.ts';
import { KeyedNames } from '../lib/hash.ts';
import type { Clock } from '../lib/time.ts';
import type { Storage } from '../storage/storage.ts';

interface OpenGuardDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: ServiceObserver;
  /** The places at which every login shows an image. */
  readonly attended: readonly SignInStep[];
  /** The halves that the campus takes, in the order of asking. */
  readonly taken: readonly SignInStep[];
}

/** Opens the login guard, with the keyed names it uses and the credentials that it gives to sessions at the campus. */
export const openGuard = (config: Config, ground: OpenGuardDeps) => {
  const { storage, clock, observer, attended, taken } = ground;
  const perDay = config.accounts.campusRefusalsPerDay;
  const guard = new Guard({ guards: storage.guards, clock, log: ground.log, perDay, attended, taken, observer });
  const names = new KeyedNames(config.secretKeys);
  const callers = createCallers(names, config.server);
  const journal = new Journal({ students: storage.students, clock, timeZone: config.campus.timeZone });
  const accounts = tellRefusedPairs(storage.accounts, journal);
  return {
    ...ground,
    journal,
    accounts,
    guard,
    names,
    callers,
    tagOf: callers.studentTag,
    leases: createLeases(storage.leases, clock),
    credentials: new Unattended({ accounts, guard, callers, journal }),
    isQuiet: async (userid: string) => isQuiet(draftOf(await guard.read(userid)), { now: clock.now(), perDay }),
  };
};

export type OpenGuard = ReturnType<typeof openGuard>;

export type OpenAccounts = ReturnType<typeof openAccounts>;

/** Opens accounts, and everything by which a student gets in. */
export const openAccounts = (config: Config, opened: OpenGuard, sessions: CampusSessions) => {
  const { storage, clock, leases } = opened;
  const { tokens, invites } = storage;
  const { timeZone } = config.campus;
  /** Sessions go first, so that a reading under way belongs to an ended generation and is not kept. Feeds keep theirs. */
  const forget = async (userid: string): Promise<void> => {
    await sessions.forget(userid);
    await storage.copies.drop(userid);
  };
  const { challenges, ...accounts } = createAccounts({
    ...opened,
    tokens,
    invites,
    campus: sessions,
    forget,
    random: Math.random,
    settings: config.accounts,
    secondSteps: { store: storage.challenges, campus: sessions.signIns },
  });
  const operations: ChallengeOperations = challenges;
  return {
    accounts,
    /** Sign-ins that wait for a person. */
    challenges: operations,
    personalTokens: createPersonalTokens({ tokens, forget, clock }),
    accountExport: createAccountExport({ store: storage.exports, leases, clock, timeZone }),
  };
};
