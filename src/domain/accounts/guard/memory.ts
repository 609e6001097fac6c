import type { PersonalStep, SignInStep } from '../../errors.ts';

/** The three classes of callers; each has budgets of its own. */
export type CallerClass = 'holder' | 'known' | 'stranger';

/**
 * The budgets of comparing: tokens together, what each token has beyond that, each network where a login succeeded, all
 * networks known by use alone, strangers.
 */
export type ComparingBudget = 'holder' | 'token' | 'home' | 'known' | 'stranger';

/** A pair that was not the stored one. */
export interface Mismatch {
  readonly at: number;
  readonly by: ComparingBudget;
  /** The token or network that has a part of the budget. */
  readonly who: string;
  /** Keyed name of the pair. */
  readonly pair: string;
}

/** `open`: under way, or of a process that died meanwhile, so nobody knows how it ended. */
type AskState = 'open' | 'unknown' | 'refused' | 'marker';

/** One pair that was put to the campus for this student id, by a login or, as a stranger's, by a registration. */
export interface Ask {
  readonly id: string;
  readonly at: number;
  /** The class of the caller; the unlock token shares no wait with other holders. */
  readonly by: CallerClass | 'unlock';
  /** IPv4 /24 or IPv6 /48 that it came from. */
  readonly network: string;
  readonly state: AskState;
  /** When the campus had answered. */
  readonly endedAt: number;
  /** With the stored pair that the campus had refused before. */
  readonly setAside: boolean;
  /** Keyed name of the pair. */
  readonly pair: string;
}

export interface Pause {
  readonly until: number;
  readonly seconds: number;
}

/** A network of the student, and when it was last seen in use. */
export interface KnownNetwork {
  readonly network: string;
  readonly at: number;
  /** A login of the student succeeded there; false: known by the use of a token alone. */
  readonly login: boolean;
}

/** G13: a sign-in that the campus took, and that opened nothing. */
export interface Unheld {
  readonly at: number;
  /** With the stored pair and nobody there, or of a login or registration. */
  readonly by: 'stored' | 'attended';
}

/** One of the two logins has asked for a second step: no password of the student is sent unattended. */
export interface PersonMark {
  readonly wanted: PersonalStep;
  readonly step: SignInStep;
  readonly at: number;
  /** An attended sign-in went without a step: until then it does not hold. 0: none did. */
  readonly liftedUntil: number;
  /** When a person last took the step; 0: never. */
  readonly passedAt: number;
  /** The challenge in which that was done first. What the student has shown of all is kept under it, and so under no name. */
  readonly firstPassed: string;
}

/** G14: a challenge that was opened for the student, by whose budget, and the codes that may have rung for it. */
export interface BookedChallenge {
  readonly id: string;
  readonly at: number;
  readonly by: 'home' | 'token' | 'known' | 'stranger';
  /** The network or token that has a part of the budget. */
  readonly who: string;
  readonly sends: number;
}

/** What the guard remembers of one student id. Times are epoch ms, networks and secrets keyed hashes. */
export interface StudentMemory {
  readonly mismatches: readonly Mismatch[];
  /** Of this id in any spelling; like `refusedSecrets` that were never stored, they outlive the account by a day. */
  readonly asks: readonly Ask[];
  readonly refusedSecrets: ReadonlyArray<{
    readonly print: string;
    readonly step: SignInStep;
    readonly at: number;
    /** It was the stored one until the student changed it. */
    readonly replaced: boolean;
  }>;
  /** After a marker that a foreign pair met. */
  readonly foreignPause: Pause | null;
  /** After a marker that the stored pair met. */
  readonly ownPause: Pause | null;
  /** Like `asks`, they outlive the account by a day. */
  readonly unheld: readonly Unheld[];
  /** After unattended sign-ins that did not hold. */
  readonly rest: Pause | null;
  /** Unattended sign-ins because a session was over within minutes. */
  readonly early: ReadonlyArray<{ readonly at: number; readonly step: SignInStep }>;
  readonly person: PersonMark | null;
  /** Like `asks`, they outlive the account by a day. */
  readonly challenges: readonly BookedChallenge[];
  /** While steps stop everybody: until then this student's password may go, since an attended one met none. */
  readonly letUntil: number;
  /** When a sign-in that nobody waited for last looked whether the portal wants an image. */
  readonly captchaLookAt: number;
  /** When the campus last accepted the stored pair. */
  readonly provenAt: number;
  /** When it refused the stored pair; 0: it did not. */
  readonly setAsideAt: number;
  readonly rightLogins: readonly number[];
  readonly networks: readonly KnownNetwork[];
  readonly unlock: { readonly hash: string; readonly until: number; readonly tries: number } | null;
}

export type AskGroup = 'stranger' | 'owner' | 'registration';
/** Whose asks meet markers: the classes of foreign pairs, registrations, and stored pairs. */
export type MarkedGroup = CallerClass | 'registration' | 'stored';

/** What sign-ins of all students have shown, as distances from the step that the student passed last. */
export interface QuietMemory {
  /** The longest at which somebody was there and no step was asked for: one of each student, `of` whom nobody can tell. */
  readonly without: ReadonlyArray<{ readonly of: string; readonly ms: number; readonly at: number }>;
  /** The shortest at which one was asked for again. */
  readonly again: { readonly ms: number; readonly at: number } | null;
  /** A step was met inside it: there is none until then. */
  readonly brokenUntil: number;
}

/** What the guard remembers of the one address under which the campus sees everybody. */
export interface GatewayMemory {
  readonly refused: ReadonlyArray<{
    readonly id: string;
    readonly at: number;
    readonly group: AskGroup;
    readonly network: string;
  }>;
  /** Accepted registrations, counted together by five minutes. */
  readonly registered: ReadonlyArray<{ readonly at: number; readonly count: number }>;
  readonly markers: ReadonlyArray<{
    readonly at: number;
    readonly student: string;
    readonly group: MarkedGroup;
    /** What they stopped goes on again: remembered only so that this student does not count once more. */
    readonly settled?: boolean | undefined;
  }>;
  /** What the campus answered lately, markers included: counted together by minute, of stored pairs to within a tenth. */
  readonly answered: ReadonlyArray<{ readonly at: number; readonly group: MarkedGroup; readonly count: number }>;
  readonly pauses: ReadonlyArray<{ readonly group: MarkedGroup; readonly until: number }>;
  readonly storedRefused: ReadonlyArray<{ readonly at: number; readonly student: string }>;
  readonly storedAccepted: readonly number[];
  readonly brake: {
    readonly why: 'markers' | 'refusals';
    readonly nextAt: number;
    readonly until: number;
    /** A student who met no marker may go at once: nobody has tried yet. */
    readonly atOnce?: boolean | undefined;
    /** Since when, where sign-ins do not hold (G13). Versions before take it for markers, and so one at a time as well. */
    readonly unheldSince?: number | undefined;
    /** The next one is to be of a student whose sign-ins held. */
    readonly spares?: boolean | undefined;
  } | null;
  /** Students whose sign-ins did not hold, each once a day. */
  readonly unheld: ReadonlyArray<{
    readonly at: number;
    readonly student: string;
    readonly settled?: boolean | undefined;
  }>;
  /** The last time of sign-ins that did not hold: what students gained in it has ended with it. */
  readonly heldAgain: { readonly from: number; readonly at: number } | null;
  /** G14: challenges of strangers that were not passed. */
  readonly offered: ReadonlyArray<{ readonly id: string; readonly at: number; readonly network: string }>;
  /** Passwords under way that nobody waits for, and the steps (`met`) that such ones have met. */
  readonly unasked: ReadonlyArray<{ readonly student: string; readonly at: number; readonly met: PersonalStep | null }>;
  /** Too many have met one: nobody's password goes unattended until one of these students signs in without. */
  readonly stop: {
    readonly wanted: PersonalStep;
    readonly step: SignInStep;
    readonly students: readonly string[];
  } | null;
  /** The portal wants an image of whoever comes from here. */
  readonly captcha: { readonly looks: readonly number[] } | null;
  readonly quiet: QuietMemory;
}

/** What the guard remembers of one invite code. */
export interface CodeMemory {
  readonly refused: ReadonlyArray<{
    readonly id: string;
    readonly at: number;
    readonly network: string;
    /** Hash of the invite token. */
    readonly invite: string;
  }>;
  /** Accepted registrations, counted together by network and hour. */
  readonly accepted: ReadonlyArray<{ readonly at: number; readonly network: string; readonly count: number }>;
}

/** What the guard remembers of one network (IPv4 /24, IPv6 /48). */
export interface NetworkMemory {
  /** When the registration or the login of some student was last seen to be accepted there; 0: not lately. */
  readonly acceptedAt: number;
}

export const emptyStudent: StudentMemory = {
  mismatches: [],
  asks: [],
  refusedSecrets: [],
  foreignPause: null,
  ownPause: null,
  unheld: [],
  rest: null,
  early: [],
  person: null,
  challenges: [],
  letUntil: 0,
  captchaLookAt: 0,
  provenAt: 0,
  setAsideAt: 0,
  rightLogins: [],
  networks: [],
  unlock: null,
};

export const emptyQuiet: QuietMemory = { without: [], again: null, brokenUntil: 0 };

export const emptyGateway: GatewayMemory = {
  refused: [],
  registered: [],
  markers: [],
  answered: [],
  pauses: [],
  storedRefused: [],
  storedAccepted: [],
  brake: null,
  unheld: [],
  heldAgain: null,
  offered: [],
  unasked: [],
  stop: null,
  captcha: null,
  quiet: emptyQuiet,
};

export const emptyCode: CodeMemory = { refused: [], accepted: [] };

export const emptyNetwork: NetworkMemory = { acceptedAt: 0 };
