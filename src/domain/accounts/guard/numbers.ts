const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const unlimited = Number.POSITIVE_INFINITY;

/**
 * Every number of the login guard. Windows are rolling and counted per student id unless said otherwise. The rules are
 * named as in docs/threat-model.md, where a simulation shows what these numbers do to attackers and to honest crowds.
 */
export const guardNumbers = {
  /** G1: logins with the stored pair. */
  right: {
    most: 30,
    windowMs: 10 * MINUTE,
    /** While foreign pairs are paused or out of budget, a pair that the campus accepted this lately gets its token. */
    trustMs: DAY,
    /** The moment of that acceptance is stored anew only when it is this old. */
    noteMs: HOUR,
  },
  /** G2: submitted pairs that differ from the stored one. */
  mismatches: {
    stranger: { hour: 10, day: 30, networkHour: 3, networkDay: 6 },
    known: { hour: unlimited, day: 20, networkHour: 5, networkDay: unlimited },
    holder: { hour: 5, day: 20, networkHour: unlimited, networkDay: unlimited },
  },
  /** G3, G3a, G3b: foreign pairs that are put to the campus. */
  asks: {
    /** N of `CAMPUS_REFUSALS_PER_DAY`; strangers have two less, strangers and known networks together one less. */
    perDay: 4,
    windowMs: DAY,
    waitsMs: [MINUTE, 5 * MINUTE, 30 * MINUTE],
    setAside: { firstMs: MINUTE, nextMs: 6 * HOUR, most: 2 },
    refusedSecrets: { most: 8, strangerMs: DAY, replacedMs: 30 * DAY, ownerMs: 10 * MINUTE },
  },
  /** G4: captchas and attack markers. */
  markers: {
    firstPauseSeconds: 60,
    longestPauseSeconds: 300,
    /** How long the length of a pause is remembered after its end, so that the next one can be longer. */
    pauseMemoryMs: DAY,
    students: 3,
    windowMs: 5 * MINUTE,
    countedOnceMs: DAY,
    classPauseMs: 5 * MINUTE,
  },
  /** G5: registrations that the campus refused. */
  registrations: {
    perDay: 3,
    networkPerDay: 2,
    windowMs: DAY,
    waitsMs: [MINUTE, 5 * MINUTE, 6 * HOUR],
    code: { network: 5, unprovenNetworks: 20, windowMs: HOUR, acceptedMs: DAY },
  },
  /** G7: refused asks of everybody, over all replicas. */
  gateway: { windowMs: HOUR, stranger: 60, strangerNetwork: 10, owner: 120, registration: 120 },
  /** G8, in the memory of a process. */
  address: {
    perStudent: 10,
    windowMs: MINUTE,
    codes: 10,
    codesWhereAccepted: 100,
    codesWindowMs: 15 * MINUTE,
    acceptedMs: DAY,
  },
  /** G12, and the brake of G4: the campus itself is in trouble. */
  campus: {
    refusedStudents: 20,
    acceptedAtLeast: 5,
    windowMs: 5 * MINUTE,
    probeMs: 30_000,
    /** Nobody may be left who could prove that it is over. */
    brakeMs: 30 * MINUTE,
  },
  networks: { most: 8, lifeMs: 30 * DAY, noteMs: DAY },
  unlock: { tries: 3, lifeMs: 30 * MINUTE },
  /** Hashes of ended tokens, which only prove that their bearer was the student. */
  endedTokensMs: 180 * DAY,
} as const;

/** A memory that nobody touched for so long says nothing any more. */
export const guardMemoryMs = 31 * DAY;
