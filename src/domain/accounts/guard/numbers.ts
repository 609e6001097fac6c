import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/time.ts';

/** After the first refusal or trouble, after the second, and after each further one. */
const waitsMs = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;

/** Every number of the login guard, under the rule that it belongs to. Budgets are at most `most` within `windowMs`. */
export const guardNumbers = {
  /** A network is home where a login of the student succeeded. */
  home: { most: 4, lifeMs: 180 * DAY_MS, noteMs: DAY_MS },
  /** R1: comparing with the stored pair. */
  comparing: {
    /** Each handle. */
    right: { most: 30, windowMs: 10 * MINUTE_MS },
    /** Each handle of an owner; all strangers together. */
    owner: [
      { most: 5, windowMs: HOUR_MS },
      { most: 10, windowMs: DAY_MS },
    ],
    strangers: [
      { most: 10, windowMs: HOUR_MS },
      { most: 30, windowMs: DAY_MS },
    ],
    /** While sign-ins are paused, a pair that the campus accepted within this time gets its token. */
    trustMs: DAY_MS,
    /** The moment is written again when it is this old. */
    noteMs: HOUR_MS,
    /** A student who needs a person gets a token without a sign-in for this long after the session's last answer. */
    personTrustMs: 30 * MINUTE_MS,
  },
  /** R2: asking the campus. N of a day is `CAMPUS_REFUSALS_PER_DAY`. */
  asking: {
    windowMs: DAY_MS,
    waitsMs,
    setAside: { firstMs: MINUTE_MS, nextMs: 6 * HOUR_MS },
    perInviteToken: 3,
  },
  /** R3: secrets that the campus refused, or that a login replaced. */
  refused: { most: 12, strangerMs: DAY_MS, ownerMs: 10 * MINUTE_MS },
  /** R4: the campus is in trouble. */
  breaker: {
    students: 3,
    share: 1 / 5,
    windowMs: 5 * MINUTE_MS,
    countedOnceMs: HOUR_MS,
    goodMs: 30 * SECOND_MS,
    probeMs: 30 * SECOND_MS,
  },
  /** R4: refused asks of an hour, all of a group and those of one network. */
  gateway: {
    windowMs: HOUR_MS,
    stranger: { most: 60, network: 10 },
    owner: { most: 120, network: 20 },
    registration: { most: 120, network: 10 },
  },
  /** R5: one student in trouble. So many unstable sessions, and early renewals of each login, are free. */
  trouble: { windowMs: HOUR_MS, freeUnstable: 2, freeRenewals: 6, waitsMs, logins: 3 },
  /** R6: in each process. */
  address: {
    windowMs: MINUTE_MS,
    perStudent: 10,
    /** An IPv6 /48 has this many times what one address has. */
    wideTimes: 2,
    codes: { most: 10, mostWhereRegistered: 100, wide: 100, windowMs: 15 * MINUTE_MS, registeredMs: DAY_MS },
  },
  /** Challenges a day, and as many codes. */
  steps: { windowMs: DAY_MS, owner: 10, token: 4, keptForHome: 4, stranger: 2 },
  /** Images of logins that always show one, a day. A token alone has its part of them, as of challenges. */
  images: { windowMs: DAY_MS, owner: 40, token: 16, keptForHome: 16, stranger: 10 },
  /** The hash of an ended token proves for this long whose it was; only those of the last `logins` are kept. */
  endedTokens: { provesMs: 30 * DAY_MS, logins: 200 },
} as const;

/** The guard remembers home networks and the need for a person for longer, all else for this long at most. */
export const memoryMs = DAY_MS;
