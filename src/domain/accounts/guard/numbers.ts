const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const unlimited = Number.POSITIVE_INFINITY;

/**
 * Every number of the login guard. Windows are rolling and counted per student id unless said otherwise. The rules are
 * named as in docs/run/threat-model.md, where a simulation shows what these numbers do to attackers and to honest crowds.
 */
export const guardNumbers = {
  /** G1: logins with the stored pair. */
  right: {
    most: 30,
    windowMs: 10 * MINUTE,
    /** While foreign pairs are paused or out of budget, a pair that the campus accepted this lately gets its token. */
    trustMs: DAY,
    /** The moment of that acceptance is stored again only when it is this old. */
    noteMs: HOUR,
  },
  /** G2: submitted pairs that differ from the stored one, all of them together and each network's or token's. */
  mismatches: {
    stranger: { hour: 10, day: 30, each: { hour: 3, day: 6 } },
    known: { hour: 5, day: 10, each: { hour: unlimited, day: unlimited } },
    home: { hour: unlimited, day: unlimited, each: { hour: 5, day: 10 } },
    holder: { hour: 5, day: 20, each: { hour: 4, day: 10 } },
    token: { hour: unlimited, day: unlimited, each: { hour: 3, day: 6 } },
  },
  /** G3, G3a, G3b: foreign pairs that are put to the campus. */
  asks: {
    /** N of `CAMPUS_REFUSALS_PER_DAY`; strangers have two less, and the last one is kept for the owner at home. */
    perDay: 4,
    windowMs: DAY,
    waitsMs: [MINUTE, 5 * MINUTE, 30 * MINUTE],
    /** At most half of `perDay`. */
    setAside: { firstMs: MINUTE, nextMs: 6 * HOUR },
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
    /** Fewer than this part of what was asked in the window say nothing of the others. */
    share: 1 / 5,
    classPauseMs: 5 * MINUTE,
  },
  /** G5: registrations that the campus refused. */
  registrations: {
    /** They count in the list of `asks`: all but the last are theirs, two less for unknown networks. */
    networkPerDay: 2,
    /** How long an accepted registration or login vouches for its network. */
    provenMs: 30 * DAY,
    perInviteToken: 3,
    code: { network: 5, unprovenNetworks: 20, windowMs: HOUR, acceptedMs: DAY },
  },
  /** G7: refused asks of all students, over all replicas. */
  gateway: { windowMs: HOUR, stranger: 60, strangerNetwork: 10, owner: 120, registration: 120 },
  /** G8, in the memory of a process. */
  address: {
    perStudent: 10,
    windowMs: MINUTE,
    /** An IPv6 /48 has so many times what one address has: its owner has 65,536 of those. */
    wideTimes: 2,
    /** In a minute of a process, before networks have fair parts of it, which are never smaller than `fairLeast`. */
    processMost: 1_200,
    fairLeast: 3,
    succeededMs: DAY,
    codes: 10,
    codesWhereAccepted: 100,
    codesWindowMs: 15 * MINUTE,
    /** Beyond, its codes are looked at one by one. */
    codeEveryMs: 5_000,
    codesInLine: 8,
    acceptedMs: DAY,
  },
  /** G12, and the brake of G4: the campus itself is in trouble. */
  campus: {
    refusedStudents: 20,
    acceptedAtLeast: 5,
    windowMs: 5 * MINUTE,
    probeMs: 30_000,
    /** No one may be left who could show that it is over. */
    brakeMs: 30 * MINUTE,
  },
  /** G13: sign-ins of one student that the campus took and that do not hold, unattended and attended ones apart. */
  unheld: {
    most: 3,
    windowMs: HOUR,
    /** Two unattended ones this close together pause the pair, each time longer. */
    togetherMs: 10 * MINUTE,
    restSeconds: [60, 300, 1_800],
    /** Of sessions that ended early, at each of the two logins. */
    early: 6,
  },
  /** G14: sign-ins that cannot end without the student. */
  person: {
    /** How long an attended sign-in without a second step lets unattended ones go. */
    liftMs: DAY,
    /** How long none is asked for after a passed one, where `students` have shown it, and of the shortest that ended in one. */
    quiet: { students: 3, share: 4 / 5, brokenMs: 7 * DAY, memoryMs: 90 * DAY },
    challenge: {
      lifeMs: 5 * MINUTE,
      answers: 3,
      images: 3,
      /** Older than this, an image is fetched again with all that belongs to it. */
      imageMs: 4 * MINUTE,
      sends: 2,
      /** Between two of them, where the portal does not say. */
      resendMs: MINUTE,
      /** How long what was passed on the page frees one login. */
      passMs: 5 * MINUTE,
    },
    budgets: {
      windowMs: DAY,
      stranger: { challenges: 2, sends: 2 },
      strangerNetwork: { challenges: 20, windowMs: HOUR },
      /** Holders and known networks together, and what of it is kept for networks where a login succeeded. */
      owner: { challenges: 20, sends: 10 },
      keptForHome: { challenges: 4, sends: 2 },
      /** Each of them. */
      token: { challenges: 8, sends: 4 },
      known: { challenges: 4, sends: 2 },
    },
    /** Steps met by unattended sign-ins, by students who bore no mark; `openMs`: of a process that died. */
    unasked: { most: 3, windowMs: DAY, openMs: MINUTE },
    /** Looks at a portal that announces an image: each student, and all of them. */
    captcha: { studentMs: 5 * MINUTE, most: 6, windowMs: MINUTE },
  },
  /** Of the places of a student, `forLogins` belong to networks where a login succeeded: use elsewhere takes none. */
  networks: { most: 8, forLogins: 4, lifeMs: 30 * DAY, loginLifeMs: 180 * DAY, noteMs: DAY },
  unlock: { tries: 3, lifeMs: 30 * MINUTE },
  /**
   * How long the hash of an ended token proves that its bearer was the student, by what ended it: age or a sixth login,
   * a login that replaced the pair, a logout of any sort. Only of the last logins are any kept.
   */
  endedTokens: { agedMs: 180 * DAY, replacedMs: 30 * DAY, loggedOutMs: 7 * DAY, logins: 200 },
} as const;

/** A memory that nothing touched for so long says nothing any more; that of a registered student holds networks. */
export const guardMemoryMs = { registered: 181 * DAY, unregistered: 31 * DAY, asked: DAY };
