import { Type } from '@sinclair/typebox';
import { HalfSignIn } from '../../challenge.ts';
import { literals, nullable, type RecordOf } from '../../record.ts';
import { HandleKind, storedMoment, storedText } from '../guard/row.ts';
import { grantKinds } from '../tokens/personal-tokens.ts';

/** The sealed part of a challenge. Times are epoch ms. */
export const SealedChallenge = Type.Object({
  /** `answering`: an answer is on its way. If its process dies, the challenge has ended. */
  phase: literals(['open', 'answering']),
  ...HalfSignIn.properties,
  imagesLeft: Type.Number(),
  /** No code is sent again before then. */
  resendAt: storedMoment,
  /** Index of the phone that was chosen. */
  chosen: nullable(Type.Number()),
  pair: Type.Object({ password: storedText, vpnPassword: storedText }),
  /** `keep` belongs to a login, `invite` to a registration. */
  keep: nullable(Type.Array(literals(grantKinds))),
  invite: nullable(Type.Object({ hash: storedText, code: storedText, expiresAt: storedMoment })),
  /** The handle of the caller who opened it. */
  opener: Type.Object({ kind: HandleKind, names: Type.Array(storedText) }),
});
export type SealedChallenge = RecordOf<typeof SealedChallenge>;
