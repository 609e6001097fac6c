import { Failure } from '../../errors.ts';
import type { ChallengeKind, ChallengeRow } from './ports.ts';

// What a person has sent, as far as it can be told without the campus.

/** What a code of each kind looks like; anything else is not put to the campus. */
const forms: Readonly<Record<ChallengeKind, RegExp>> = {
  captcha: /^[A-Za-z0-9]{1,8}$/,
  sms: /^\d{4,8}$/,
  totp: /^\d{6,8}$/,
};
const LONGEST_ANSWER = 64;

/** As it is sent. @throws Failure `challenge-answer` */
export const codeIn = (kind: ChallengeKind, answer: string): string => {
  const code = answer.length > LONGEST_ANSWER ? '' : answer.trim();
  if (!forms[kind].test(code)) throw new Failure('challenge-answer');
  return code;
};

/** The phone that a code is to go to; null: there is no choice. @throws Failure `challenge-target` */
export const targetOf = ({ state, half }: ChallengeRow, wanted: number | undefined): number | null => {
  const { targets, chosen } = half;
  if (state.kind !== 'sms' || targets.length < 2) {
    if (wanted === undefined || wanted === 0) return null;
    throw new Failure('challenge-target', { reason: 'no choice' });
  }
  const index = wanted ?? chosen;
  if (index === null || targets[index] === undefined) throw new Failure('challenge-target', { reason: 'which phone' });
  return index;
};
