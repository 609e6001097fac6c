import { type TSchema, Type } from '@sinclair/typebox';
import { lastOutcomes } from '../../challenge.ts';
import { signInSteps } from '../../errors.ts';
import type { RecordOf } from '../../record.ts';
import { HandleKind } from '../guard/row.ts';
import { grantKinds } from '../personal-tokens.ts';

const oneOf = <T extends string>(...words: readonly T[]) => Type.Union(words.map((word) => Type.Literal(word)));
const orNull = <S extends TSchema>(schema: S) => Type.Union([Type.Null(), schema]);
const text = Type.String();
const moment = Type.Number();

/** The sealed part of a challenge. Times are epoch ms. */
export const SealedChallenge = Type.Object({
  /** `answering`: an answer is on its way. Where its process dies, the challenge has ended. */
  phase: oneOf('open', 'answering'),
  step: oneOf(...signInSteps),
  asked: Type.Union([
    Type.Object({
      kind: Type.Literal('captcha'),
      image: orNull(Type.Object({ type: oneOf('image/png', 'image/jpeg', 'image/gif'), base64: text })),
    }),
    Type.Object({
      kind: Type.Literal('sms'),
      targets: Type.Array(text),
      sent: oneOf('unknown', 'perhaps', 'yes'),
      stillValid: Type.Boolean(),
      resendAfter: Type.Number(),
    }),
    Type.Object({ kind: Type.Literal('totp') }),
  ]),
  resume: text,
  last: oneOf(...lastOutcomes),
  imagesLeft: Type.Number(),
  /** No code is sent again before it. */
  resendAt: moment,
  /** Index of the phone that was chosen. */
  chosen: orNull(Type.Number()),
  pair: Type.Object({ password: text, vpnPassword: text }),
  /** Of a login; of a registration. */
  keep: orNull(Type.Array(oneOf(...grantKinds))),
  invite: orNull(Type.Object({ hash: text, code: text, expiresAt: moment })),
  /** The handle of the caller who opened it. */
  opener: Type.Object({ kind: HandleKind, names: Type.Array(text) }),
});
export type SealedChallenge = RecordOf<typeof SealedChallenge>;
