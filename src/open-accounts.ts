import type { CampusSessions } from './campus/session/sessions.ts';
import type { Config } from './config/config.ts';
import { createAccounts } from './domain/accounts/accounts.ts';
import { createCallers } from './domain/accounts/callers.ts';
import type { ChallengeOperations } from './domain/accounts/challenges/challenges.ts';
import { createAccountExport } from './domain/accounts/export.ts';
import { draftOf, Guard } from './domain/accounts/guard/guard.ts';
import { isQuiet } from './domain/accounts/guard/stored-pair.ts';
import { createInviteTokens } from './domain/accounts/invite-tokens.ts';
import { createPersonalTokens } from './domain/accounts/personal-tokens.ts';
import type { CampusAccess } from './domain/accounts/ports.ts';
import { createUnattended } from './domain/accounts/unattended.ts';
import type { Log } from './domain/context.ts';
import { createLeases } from './domain/lease.ts';
import type { ServiceObserver } from './domain/observation.ts';
import { createKeyedNames } from './lib/hash.ts';
import type { Clock } from './lib/time.ts';
import type { Storage } from './storage/storage.ts';

interface Ground {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: ServiceObserver;
}

/** Opens the login guard, with the keyed names it uses and the credentials that it gives to sessions at the campus. */
export const openGuard = (config: Config, ground: Ground) => {
  const { storage, clock, observer } = ground;
  const perDay = config.accounts.campusRefusalsPerDay;
  const guard = new Guard({ guards: storage.guards, clock, perDay, observer });
  const names = createKeyedNames(config.secretKeys);
  const callers = createCallers(names, config.server);
  const { accounts, events: journal } = storage;
  return {
    ...ground,
    guard,
    names,
    callers,
    tagOf: callers.studentTag,
    leases: createLeases(storage.leases, clock),
    credentials: createUnattended({ accounts, guard, callers, journal }),
    isQuiet: async (userid: string) => isQuiet(draftOf(await guard.read(userid)), { now: clock.now(), perDay }),
  };
};

export type OpenGuard = ReturnType<typeof openGuard>;

/** Drops the copies with the sessions of a student whose last token is gone, but for those that a feed is made of. */
const forgettingCopies = (sessions: CampusSessions, { copies }: Storage): CampusAccess => ({
  verify: (...order) => sessions.verify(...order),
  adopt: (verified) => sessions.adopt(verified),
  adopted: (verified, saved) => sessions.adopted(verified, saved),
  answeredMs: (userid, withinMs) => sessions.answeredMs(userid, withinMs),
  longestVpnPassword: () => sessions.longestVpnPassword(),
  async forget(userid) {
    // Sessions go first, so that what is still being read belongs to an ended generation and is not kept.
    await sessions.forget(userid);
    await copies.drop(userid);
  },
});

export type OpenAccounts = ReturnType<typeof openAccounts>;

/** Opens accounts, and everything by which a student gets in. */
export const openAccounts = (config: Config, opened: OpenGuard, sessions: CampusSessions) => {
  const { storage, clock, names } = opened;
  const { tokens, invites, leases } = storage;
  const { timeZone } = config.campus;
  const campus = forgettingCopies(sessions, storage);
  const { challenges, ...accounts } = createAccounts({
    ...opened,
    accounts: storage.accounts,
    tokens,
    invites,
    inviteTokens: createInviteTokens(names),
    campus,
    random: Math.random,
    settings: config.accounts,
    secondSteps: { store: storage.challenges, campus: sessions },
  });
  if (challenges === null) throw new Error('no place for challenges');
  const operations: ChallengeOperations = challenges;
  return {
    accounts,
    /** Sign-ins that wait for a person. */
    challenges: operations,
    personalTokens: createPersonalTokens({ tokens, campus, clock }),
    accountExport: createAccountExport({ store: storage.exports, leases, clock, timeZone }),
  };
};
