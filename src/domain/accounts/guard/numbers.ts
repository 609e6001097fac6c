const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** After the first refusal or trouble, after the second, and after each further one. */
const waitsMs = [MINUTE, 5 * MINUTE, 30 * MINUTE] as const;

/** Every number of the login guard, under the rule that it belongs to. Budgets are at most `most` within `windowMs`. */
export const guardNumbers = {
  /** A network is home where a login of the student succeeded. */
  home: { most: 4, lifeMs: 180 * DAY, noteMs: DAY },
  /** R1: comparing with the stored pair. */
  comparing: {
    /** Each handle. */
    right: { most: 30, windowMs: 10 * MINUTE },
    /** Each handle of an owner; all strangers together. */
    owner: [
      { most: 5, windowMs: HOUR },
      { most: 10, windowMs: DAY },
    ],
    strangers: [
      { most: 10, windowMs: HOUR },
      { most: 30, windowMs: DAY },
    ],
    /** While sign-ins are paused, a pair that the campus accepted within this time gets its token. */
    trustMs: DAY,
    /** The moment is written again when it is this old. */
    noteMs: HOUR,
    /** A student who needs a person gets a token without a sign-in for this long after the session's last answer. */
    personTrustMs: 30 * MINUTE,
  },
  /** R2: asking the campus. N of a day is `CAMPUS_REFUSALS_PER_DAY`. */
  asking: {
    windowMs: DAY,
    waitsMs,
    setAside: { firstMs: MINUTE, nextMs: 6 * HOUR },
    perInviteToken: 3,
  },
  /** R3: secrets that the campus refused, or that a login replaced. */
  refused: { most: 12, strangerMs: DAY, ownerMs: 10 * MINUTE },
  /** R4: the campus is in trouble. */
  breaker: {
    students: 3,
    share: 1 / 5,
    windowMs: 5 * MINUTE,
    countedOnceMs: HOUR,
    goodMs: 30 * SECOND,
    probeMs: 30 * SECOND,
  },
  /** R4: refused asks of an hour, all of a group and those of one network. */
  gateway: {
    windowMs: HOUR,
    stranger: { most: 60, network: 10 },
    owner: { most: 120, network: 20 },
    registration: { most: 120, network: 10 },
  },
  /** R5: one student in trouble. So many unstable sessions, and early renewals of each login, are free. */
  trouble: { windowMs: HOUR, freeUnstable: 2, freeRenewals: 6, waitsMs, logins: 3 },
  /** R6: in each process. */
  address: {
    windowMs: MINUTE,
    perStudent: 10,
    /** An IPv6 /48 has this many times what one address has. */
    wideTimes: 2,
    codes: { most: 10, mostWhereRegistered: 100, wide: 100, windowMs: 15 * MINUTE, registeredMs: DAY },
  },
  /** Challenges a day, and as many codes. */
  steps: { windowMs: DAY, owner: 10, token: 4, keptForHome: 4, stranger: 2 },
  /** Images of logins that always show one, a day. A token alone has its part of them, as of challenges. */
  images: { windowMs: DAY, owner: 40, token: 16, keptForHome: 16, stranger: 10 },
  /** The hash of an ended token proves for this long whose it was; only those of the last `logins` are kept. */
  endedTokens: { provesMs: 30 * DAY, logins: 200 },
} as const;

/** The guard remembers home networks and the need for a person for longer, all else for this long at most. */
export const memoryMs = DAY;
