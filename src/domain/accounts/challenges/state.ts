import { Failure } from '../../errors.ts';
import { guardNumbers } from '../guard/numbers.ts';
import type { ChallengeState } from '../records.ts';
import type { ChallengeKind, ChallengeRow } from './ports.ts';

const { answers, images, sends, resendMs, lifeMs, imageMs } = guardNumbers.person.challenge;

export type ChallengeEvent =
  /** A code, or another image, is to be asked for. */
  | { readonly type: 'send-begins' }
  | {
      readonly type: 'sent';
      readonly sent: 'perhaps' | 'yes';
      readonly stillValid: boolean;
      /** Seconds. */
      readonly resendAfter: number;
    }
  | { readonly type: 'send-refused'; readonly resendAfter: number }
  /** It has not left the service: all is as it was. */
  | { readonly type: 'send-unsent'; readonly before: ChallengeState }
  | { readonly type: 'image-shown' }
  | { readonly type: 'answer-begins' }
  /** It has not left the service. */
  | { readonly type: 'answer-unsent' }
  | { readonly type: 'passed' | 'wrong' | 'misread' | 'expired' | 'gone' | 'unknown' }
  /** One more step. */
  | { readonly type: 'next'; readonly kind: ChallengeKind };

export type EndReason = 'answers-spent' | 'images-spent' | 'gone' | 'unknown';

export type Transition =
  | { readonly type: 'goes-on'; readonly state: ChallengeState }
  | { readonly type: 'ends'; readonly reason: EndReason }
  /** `seconds`: until it may be tried again; for what is spent, until the challenge is over. */
  | { readonly type: 'refused'; readonly why: 'too-soon' | 'spent' | 'busy' | 'needless'; readonly seconds: number };

export const openState = (kind: ChallengeKind, now: number): ChallengeState => ({
  phase: 'open',
  kind,
  answersLeft: answers,
  sendsLeft: sends,
  imagesLeft: images - (kind === 'captcha' ? 1 : 0),
  sent: 'unknown',
  stillValid: false,
  last: 'none',
  resendAt: now,
  imageAt: kind === 'captcha' ? now : 0,
  expiresAt: now + lifeMs,
});

/** The image is so old that the portal may have forgotten what it belongs to. */
export const isImageStale = ({ kind, imageAt }: ChallengeState, now: number): boolean =>
  kind === 'captcha' && now - imageAt >= imageMs;

/** Should it be misread, no other one follows. */
export const isLastImage = ({ answersLeft, imagesLeft }: ChallengeState): boolean =>
  answersLeft <= 0 || imagesLeft <= 0;

const secondsUntil = (moment: number, now: number): number => Math.max(1, Math.ceil((moment - now) / 1000));

const beginsSend = (state: ChallengeState, now: number): Transition => {
  const over = secondsUntil(state.expiresAt, now);
  if (state.kind === 'totp') return { type: 'refused', why: 'needless', seconds: over };
  if (state.kind === 'captcha') {
    if (state.imagesLeft <= 0) return { type: 'refused', why: 'spent', seconds: over };
    return { type: 'goes-on', state: { ...state, imagesLeft: state.imagesLeft - 1, last: 'none' } };
  }
  if (state.sendsLeft <= 0) return { type: 'refused', why: 'spent', seconds: over };
  if (state.resendAt > now) return { type: 'refused', why: 'too-soon', seconds: secondsUntil(state.resendAt, now) };
  const sent = state.sent === 'yes' ? 'yes' : 'perhaps';
  const resendAt = now + resendMs;
  return {
    type: 'goes-on',
    state: { ...state, phase: 'sent', sendsLeft: state.sendsLeft - 1, sent, last: 'none', resendAt },
  };
};

/** Back to where an answer is awaited. */
const waiting = (state: ChallengeState, last: ChallengeState['last']): ChallengeState => ({
  ...state,
  phase: state.sent === 'unknown' ? 'open' : 'sent',
  last,
});

const afterWrong = (state: ChallengeState, last: ChallengeState['last']): Transition =>
  state.answersLeft > 0 ? { type: 'goes-on', state: waiting(state, last) } : { type: 'ends', reason: 'answers-spent' };

/** One table: where a challenge stands and what happens give where it stands then. The caller knows that it lives. */
export const transition = (state: ChallengeState, event: ChallengeEvent, now: number): Transition => {
  const { phase } = state;
  const isBeginning = event.type === 'send-begins' || event.type === 'answer-begins';
  if (isBeginning && (phase === 'answering' || phase === 'passed')) {
    return { type: 'refused', why: phase === 'passed' ? 'needless' : 'busy', seconds: 1 };
  }
  switch (event.type) {
    case 'send-begins':
      return beginsSend(state, now);
    case 'sent': {
      const { sent, stillValid, resendAfter } = event;
      return { type: 'goes-on', state: { ...state, sent, stillValid, resendAt: now + resendAfter * 1000 } };
    }
    case 'send-refused':
      return {
        type: 'goes-on',
        state: { ...state, last: 'send-refused', resendAt: now + event.resendAfter * 1000 },
      };
    case 'send-unsent':
      return { type: 'goes-on', state: event.before };
    case 'image-shown':
      return { type: 'goes-on', state: { ...state, imageAt: now } };
    case 'answer-begins':
      return { type: 'goes-on', state: { ...state, phase: 'answering', answersLeft: state.answersLeft - 1 } };
    case 'answer-unsent':
      return { type: 'goes-on', state: { ...waiting(state, state.last), answersLeft: state.answersLeft + 1 } };
    case 'passed':
      return { type: 'goes-on', state: { ...state, phase: 'passed' } };
    case 'wrong':
    case 'expired':
      return afterWrong(state, event.type);
    case 'misread': {
      if (state.imagesLeft <= 0) return { type: 'ends', reason: 'images-spent' };
      const next = afterWrong({ ...state, imagesLeft: state.imagesLeft - 1, imageAt: now }, 'wrong');
      return next;
    }
    case 'next': {
      const { kind } = event;
      // The answer was right: only wrong ones are counted, over all steps.
      const answersLeft = state.answersLeft + 1;
      const fresh = { kind, answersLeft, sent: 'unknown', stillValid: false, resendAt: now } as const;
      return { type: 'goes-on', state: { ...state, ...fresh, phase: 'open', last: 'passed-step' } };
    }
    case 'gone':
    case 'unknown':
      return { type: 'ends', reason: event.type };
  }
};

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
