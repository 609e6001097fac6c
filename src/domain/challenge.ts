import { Type } from '@sinclair/typebox';
import { literals, nullable, type RecordOf } from './record.ts';

// Failures carry these types, so this file does not import theirs.

/** The steps that a person can take here; all others are taken at the page of the campus. */
export const challengeKinds = ['captcha', 'sms', 'totp'] as const;
export type ChallengeKind = (typeof challengeKinds)[number];

export const isChallengeKind = (step: string): step is ChallengeKind => challengeKinds.some((kind) => kind === step);

/** `renewal`: a student with a token replaces a session that has ended. */
export const challengePurposes = ['login', 'registration', 'renewal'] as const;
export type ChallengePurpose = (typeof challengePurposes)[number];

/** The question that the campus puts to the person. */
export const ChallengeQuestion = Type.Union([
  Type.Object({
    kind: Type.Literal('captcha'),
    /** The campus's image unchanged, at most 256 KiB. Null if not fetched yet or spent; `send` fetches one. */
    image: nullable(Type.Object({ type: literals(['image/png', 'image/jpeg', 'image/gif']), base64: Type.String() })),
  }),
  Type.Object({
    kind: Type.Literal('sms'),
    /** Masked phones to choose from. Empty: there is no choice, or none is known yet. */
    targets: Type.Array(Type.String()),
    /** Whether a code is on its way. The campus does not say for certain: `unknown` before `send`, then `perhaps` or `yes`. */
    sent: literals(['unknown', 'perhaps', 'yes']),
    /** The portal said that an earlier code still holds. */
    stillValid: Type.Boolean(),
    /** Seconds until another code may be asked for. */
    resendAfter: Type.Number(),
  }),
  Type.Object({ kind: Type.Literal('totp') }),
]);
export type ChallengeQuestion = RecordOf<typeof ChallengeQuestion>;

/** How the last answer or send ended. A code that has expired has to be sent again. */
export const lastOutcomes = ['none', 'wrong', 'expired', 'passed-step', 'send-refused'] as const;
export type LastOutcome = (typeof lastOutcomes)[number];

/** A sign-in that has come as far as it can without a person: the campus makes it, and storage keeps it sealed. */
export const HalfSignIn = Type.Object({
  step: literals(['portal', 'unified-login']),
  asked: ChallengeQuestion,
  /** Plain data with which any process can continue; opaque to the domain. */
  resume: Type.Record(Type.String(), Type.Unknown()),
  last: literals(lastOutcomes),
  /** A password was sent, and the campus answered that it wants an image. */
  guarded: Type.Boolean(),
});
export type HalfSignIn = RecordOf<typeof HalfSignIn>;

/** A sign-in that waits for a person, as the holder of its id sees it. Never logged. */
export interface Challenge extends Pick<HalfSignIn, 'step' | 'asked' | 'last'> {
  /** Whoever has it may look at the challenge, have a code sent, answer and give up: 43 characters, stored as a hash. */
  readonly id: string;
  readonly purpose: ChallengePurpose;
  readonly answersLeft: number;
  /** Whole seconds until a code may be sent again; 0: now. */
  readonly resendAfter: number;
  /** Epoch ms. */
  readonly expiresAt: number;
}
