// What a failure may carry: this file imports none of the others.

/** The steps of a sign-in that a person can take here. All others are taken at the portal's own page. */
export const challengeKinds = ['captcha', 'sms', 'totp'] as const;
export type ChallengeKind = (typeof challengeKinds)[number];

/** What the sign-in was for. `renewal`: of a session that has ended, begun with a token of the student. */
export const challengePurposes = ['login', 'registration', 'renewal'] as const;
export type ChallengePurpose = (typeof challengePurposes)[number];

/** As the portal delivered it: the type is told by the first bytes. At most 256 KiB. */
export interface ChallengeImage {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif';
  readonly bytes: Uint8Array;
}

/** A sign-in that waits for a person, as the holder of its id (or page code) sees it. Never logged. */
export interface Challenge {
  /** The credential for everything below: 43 characters, stored as a hash. Empty where only the page code is known. */
  readonly id: string;
  /** What the page asks for: 8 characters of `pageCodeAlphabet`. */
  readonly pageCode: string;
  readonly purpose: ChallengePurpose;
  readonly userid: string;
  readonly step: 'portal' | 'unified-login';
  readonly kind: ChallengeKind;
  /** Of a captcha; null for all others. */
  readonly image: ChallengeImage | null;
  /** Phones to choose from. Empty: one, or not asked for yet. With more than one, `send` wants an index. */
  readonly targets: ReadonlyArray<{
    /** What `send` wants. */
    readonly index: number;
    /** Masked by the portal, or else by us: `138****0000`. */
    readonly label: string;
  }>;
  /** Whether a code is on its way. The campus does not say for certain: `unknown` before `send`, then `perhaps` or `yes`. */
  readonly sent: 'unknown' | 'perhaps' | 'yes';
  /** The portal said that an earlier code still holds. */
  readonly stillValid: boolean;
  /** What became of the last answer or send, for the words: a code that has expired has to be sent again. */
  readonly last: 'none' | 'wrong' | 'expired' | 'passed-step' | 'send-refused';
  readonly answersLeft: number;
  readonly sendsLeft: number;
  /** Whole seconds until a code may be sent again; 0: now. */
  readonly resendAfter: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** Who asked for the sign-in, for the page that another student might have been led to. */
  readonly asker: {
    /** Epoch ms. */
    readonly at: number;
    /** Product name of the `User-Agent`; null: it named none. */
    readonly client: string | null;
    /** IPv4 /24 or IPv6 /64 in words, as the list of sessions shows it; empty: unknown. */
    readonly network: string;
    /** The call that looks comes from the same network. */
    readonly isHere: boolean;
  };
}

/** A sign-in that has come as far as it can without a person. */
export interface HalfSignIn {
  readonly kind: ChallengeKind;
  readonly step: 'portal' | 'unified-login';
  readonly image: ChallengeImage | null;
  /** Plain text with which any process can go on, opaque here. Always kept sealed. */
  readonly resume: string;
  /** The password met the portal's guard first, which counts like any other time. */
  readonly guarded: boolean;
}
