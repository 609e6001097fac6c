import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { personalSteps, signInSteps } from '../errors.ts';
import type { RecordOf } from '../record.ts';

// What is kept as text, and read again by any version: the memory of the login guard.
// Times are epoch ms; networks, students and secrets are keyed hashes.

const oneOf = <T extends string>(...words: readonly T[]) => Type.Union(words.map((word) => Type.Literal(word)));
const orNull = <S extends TSchema>(schema: S) => Type.Union([Type.Null(), schema]);
/** Earlier versions did not write it. */
const later = <S extends TSchema>(schema: S, value: Static<S>): S => ({ ...schema, default: value });

const text = Type.String();
const count = Type.Number();
const moment = Type.Number();
const flag = Type.Boolean();
const step = oneOf(...signInSteps);
const laterStep = later(step, 'portal');
const wanted = oneOf(...personalSteps);
const counted = Type.Object({ at: moment, student: text, settled: Type.Optional(flag) });

// ---------------------------------------------------------------- the login guard

/** The three classes of callers; each has its own budgets. */
const CallerClass = oneOf('holder', 'known', 'stranger');
export type CallerClass = Static<typeof CallerClass>;

/**
 * The budgets of comparing: tokens together, what each token has beyond that, each network where a login succeeded, all
 * networks known by use alone, strangers.
 */
export const ComparingBudget = oneOf('holder', 'token', 'home', 'known', 'stranger');
export type ComparingBudget = Static<typeof ComparingBudget>;

/** Whose asks meet markers: the classes of foreign pairs, registrations, and stored pairs. */
const MarkedGroup = oneOf('holder', 'known', 'stranger', 'registration', 'stored');
export type MarkedGroup = Static<typeof MarkedGroup>;

const AskGroup = oneOf('stranger', 'owner', 'registration');
export type AskGroup = Static<typeof AskGroup>;

/** A pair that was not the stored one. `who`: the token or network that has a part of the budget. */
const Mismatch = Type.Object({ at: moment, by: ComparingBudget, who: later(text, ''), pair: later(text, '') });

/** `open`: under way, or of a process that died, so it is unknown how it ended. */
export const AskState = oneOf('open', 'unknown', 'refused', 'marker');

/** One pair that was put to the campus for this student id, by a login or, as a stranger's, by a registration. */
const Ask = Type.Object({
  id: text,
  at: moment,
  /** The class of the caller; the unlock token shares no wait with other holders. */
  by: oneOf('holder', 'known', 'stranger', 'unlock'),
  /** IPv4 /24 or IPv6 /48 that it came from. */
  network: later(text, ''),
  state: AskState,
  /** When the campus had answered. */
  endedAt: moment,
  /** With the stored pair that the campus had refused before. */
  setAside: flag,
  pair: later(text, ''),
});
export interface Ask extends RecordOf<typeof Ask> {}

const Pause = Type.Object({ until: moment, seconds: count });
export interface Pause extends RecordOf<typeof Pause> {}

/** A network of the student, and when it was last seen in use; `login`: one succeeded there, not the mere use of a token. */
const KnownNetwork = Type.Object({ network: text, at: moment, login: later(flag, false) });
export interface KnownNetwork extends RecordOf<typeof KnownNetwork> {}

/** G13: a sign-in that the campus took, and that opened nothing: with the stored pair unattended, or attended. */
const Unheld = Type.Object({ at: moment, by: oneOf('stored', 'attended') });
export interface Unheld extends RecordOf<typeof Unheld> {}

/** One of the two logins has asked for a second step: no password of the student is sent unattended. */
const PersonMark = Type.Object({
  wanted,
  step: laterStep,
  at: moment,
  /** An attended sign-in went without a step: until then it does not hold. 0: none did. */
  liftedUntil: moment,
  /** When a person last took the step; 0: never. */
  passedAt: later(moment, 0),
  /** The challenge in which that was done first. What the student has shown of all is kept under it, and so under no name. */
  firstPassed: later(text, ''),
});
export interface PersonMark extends RecordOf<typeof PersonMark> {}

/** G14: a challenge that was opened for the student, by whose budget, and the codes that may have rung for it. */
const BookedChallenge = Type.Object({
  id: text,
  at: moment,
  by: oneOf('home', 'token', 'known', 'stranger'),
  /** The network or token that has a part of the budget. */
  who: text,
  sends: count,
});
export interface BookedChallenge extends RecordOf<typeof BookedChallenge> {}

/** What was put to the campus for an id, in any spelling of it and with or without an account: it outlives that by a day. */
export const AskedMemory = Type.Object({
  asks: Type.Array(Ask),
  refusedSecrets: Type.Array(
    /** `replaced`: it was the stored one until the student changed it; such rows go with the account. */
    Type.Object({ print: text, step, at: moment, replaced: flag }),
  ),
  unheld: later(Type.Array(Unheld), []),
  challenges: later(Type.Array(BookedChallenge), []),
});

/** What the guard remembers of one student id. */
export const StudentMemory = Type.Object({
  ...AskedMemory.properties,
  mismatches: Type.Array(Mismatch),
  /** After a marker that a foreign pair met; that the stored pair met. */
  foreignPause: orNull(Pause),
  ownPause: orNull(Pause),
  /** After unattended sign-ins that did not hold. */
  rest: later(orNull(Pause), null),
  /** Unattended sign-ins because a session was over within minutes. */
  early: later(Type.Array(Type.Object({ at: moment, step })), []),
  person: later(orNull(PersonMark), null),
  /** While steps stop all: until then this student's password may go, since an attended one met none. */
  letUntil: later(moment, 0),
  /** When an unattended sign-in last looked whether the portal wants an image. */
  captchaLookAt: later(moment, 0),
  /** When the campus last accepted the stored pair; when it refused that, 0: it did not. */
  provenAt: moment,
  setAsideAt: moment,
  rightLogins: Type.Array(moment),
  networks: Type.Array(KnownNetwork),
  unlock: orNull(Type.Object({ hash: text, until: moment, tries: count })),
});
export interface StudentMemory extends RecordOf<typeof StudentMemory> {}

/** What sign-ins of all students have shown, as distances from the step that the student passed last. */
const QuietMemory = Type.Object({
  /** The longest at which an attended sign-in met no step: one of each student, `of` whom cannot be told. */
  without: Type.Array(Type.Object({ of: text, ms: count, at: moment })),
  /** The shortest at which one was asked for again. */
  again: orNull(Type.Object({ ms: count, at: moment })),
  /** A step was met inside it: there is none until then. */
  brokenUntil: moment,
});
export interface QuietMemory extends RecordOf<typeof QuietMemory> {}

/** What the guard remembers of the one address under which the campus sees all students. */
export const GatewayMemory = Type.Object({
  refused: Type.Array(Type.Object({ id: text, at: moment, group: AskGroup, network: text })),
  /** Accepted registrations, counted together by five minutes. */
  registered: Type.Array(Type.Object({ at: moment, count })),
  /** `settled`: what they stopped goes on again, and the student does not count once more. */
  markers: Type.Array(Type.Object({ ...counted.properties, group: MarkedGroup })),
  /** What the campus answered lately, markers included: counted together by minute, of stored pairs to within a tenth. */
  answered: later(Type.Array(Type.Object({ at: moment, group: MarkedGroup, count })), []),
  pauses: Type.Array(Type.Object({ group: MarkedGroup, until: moment })),
  storedRefused: Type.Array(Type.Object({ at: moment, student: text })),
  storedAccepted: Type.Array(moment),
  brake: orNull(
    Type.Object({
      why: oneOf('markers', 'refusals'),
      nextAt: moment,
      until: moment,
      /** A student who met no marker may go at once: none has tried yet. */
      atOnce: Type.Optional(flag),
      /** Since when, where sign-ins do not hold (G13). Earlier versions take it for markers, and so one at a time as well. */
      unheldSince: Type.Optional(moment),
      /** The next one is to be of a student whose sign-ins held. */
      spares: Type.Optional(flag),
    }),
  ),
  /** Students whose sign-ins did not hold, each once a day. */
  unheld: later(Type.Array(counted), []),
  /** The last time of sign-ins that did not hold: what students gained in it has ended with it. */
  heldAgain: later(orNull(Type.Object({ from: moment, at: moment })), null),
  /** G14: challenges of strangers that were not passed. */
  offered: later(Type.Array(Type.Object({ id: text, at: moment, network: text })), []),
  /** Unattended passwords under way, and the steps (`met`) that such ones have met. */
  unasked: later(Type.Array(Type.Object({ student: text, at: moment, met: orNull(wanted) })), []),
  /** Too many have met one: no password goes unattended until one of these students signs in without. */
  stop: later(orNull(Type.Object({ wanted, step: laterStep, students: Type.Array(text) })), null),
  /** The portal wants an image of all callers from here. */
  captcha: later(orNull(Type.Object({ looks: Type.Array(moment) })), null),
  quiet: later(QuietMemory, { without: [], again: null, brokenUntil: 0 }),
});
export interface GatewayMemory extends RecordOf<typeof GatewayMemory> {}

/** What the guard remembers of one invite code. */
export const CodeMemory = Type.Object({
  /** `invite`: hash of the invite token. */
  refused: Type.Array(Type.Object({ id: text, at: moment, network: text, invite: later(text, '') })),
  /** Accepted registrations, counted together by network and hour. */
  accepted: Type.Array(Type.Object({ at: moment, network: text, count })),
});
export interface CodeMemory extends RecordOf<typeof CodeMemory> {}

/** What the guard remembers of one network (IPv4 /24, IPv6 /48). */
export interface NetworkMemory {
  /** When the registration or the login of some student was last seen to be accepted there; 0: not lately. */
  readonly acceptedAt: number;
}

export const emptyStudent: StudentMemory = Value.Create(StudentMemory);
export const emptyGateway: GatewayMemory = Value.Create(GatewayMemory);
export const emptyCode: CodeMemory = Value.Create(CodeMemory);
export const emptyNetwork: NetworkMemory = { acceptedAt: 0 };
