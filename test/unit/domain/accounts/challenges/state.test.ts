import { describe, expect, it } from 'vitest';
import {
  type ChallengeEvent,
  isImageStale,
  openState,
  transition,
} from '../../../../../src/domain/accounts/challenges/state.ts';
import type { ChallengeState } from '../../../../../src/domain/accounts/records.ts';

const NOW = 1_000_000;
const sms = openState('sms', NOW);
const captcha = openState('captcha', NOW);

/** Where a challenge stands after these events, one second apart; or how it ended, or what was refused. */
const moved = (state: ChallengeState, ...events: readonly ChallengeEvent[]) => {
  let current = state;
  for (const [at, event] of events.entries()) {
    const next = transition(current, event, NOW + at * 1000);
    if (next.type !== 'goes-on') return next;
    current = next.state;
  }
  return current;
};
const begin: ChallengeEvent = { type: 'answer-begins' };
const send: ChallengeEvent = { type: 'send-begins' };
const sent = (resendAfter: number): ChallengeEvent => ({ type: 'sent', sent: 'yes', stillValid: true, resendAfter });

describe('a challenge', () => {
  it('opens with three answers and two codes, or with three images of which one is shown', () => {
    expect(sms).toMatchObject({
      phase: 'open',
      answersLeft: 3,
      sendsLeft: 2,
      sent: 'unknown',
      expiresAt: NOW + 300_000,
    });
    expect(captcha).toMatchObject({ imagesLeft: 2, imageAt: NOW });
    expect([isImageStale(captcha, NOW + 239_999), isImageStale(captcha, NOW + 240_000)]).toEqual([false, true]);
  });

  it('is stored before a code is asked for as if the answer to that were lost', () => {
    expect(moved(sms, send)).toMatchObject({ phase: 'sent', sent: 'perhaps', sendsLeft: 1, resendAt: NOW + 60_000 });
    expect(moved(sms, send, sent(178))).toMatchObject({ sent: 'yes', stillValid: true, resendAt: NOW + 179_000 });
  });

  it.each([
    ['before the time that the portal named', [send, sent(60), send], { why: 'too-soon', seconds: 59 }],
    ['a third time', [send, sent(0), send, sent(0), send], { why: 'spent', seconds: 296 }],
    [
      'while it was refused',
      [send, { type: 'send-refused', resendAfter: 180 }, send],
      { why: 'too-soon', seconds: 179 },
    ],
    ['while an answer is on its way', [begin, send], { why: 'busy' }],
  ] as const)('sends no code %s', (_when, events, refused) => {
    expect(moved(sms, ...events)).toMatchObject({ type: 'refused', ...refused });
  });

  it('sends nothing for a one-time password, nor once it is passed', () => {
    expect(moved(openState('totp', NOW), send)).toMatchObject({ type: 'refused', why: 'needless' });
    expect(moved(sms, begin, { type: 'passed' }, send)).toMatchObject({ type: 'refused', why: 'needless' });
  });

  it('takes one answer at a time, and three wrong ones end it', () => {
    expect(moved(sms, begin)).toMatchObject({ phase: 'answering', answersLeft: 2 });
    expect(moved(sms, begin, begin)).toMatchObject({ type: 'refused', why: 'busy' });
    expect(moved(sms, begin, { type: 'wrong' })).toMatchObject({ phase: 'open', last: 'wrong', answersLeft: 2 });
    expect(moved(sms, send, begin, { type: 'expired' })).toMatchObject({ phase: 'sent', last: 'expired' });
    const wrong = [begin, { type: 'wrong' }] as const;
    expect(moved(sms, ...wrong, ...wrong, ...wrong)).toEqual({ type: 'ends', reason: 'answers-spent' });
  });

  it('gives an answer back that never left, and the right one of a first step', () => {
    expect(moved(sms, begin, { type: 'answer-unsent' })).toMatchObject({ phase: 'open', answersLeft: 3 });
    const next = moved(sms, send, begin, { type: 'next', kind: 'totp' });
    expect(next).toMatchObject({ phase: 'open', kind: 'totp', answersLeft: 3, sent: 'unknown', last: 'passed-step' });
  });

  it('shows three images, one after each that was misread or asked for', () => {
    expect(moved(captcha, begin, { type: 'misread' })).toMatchObject({
      imagesLeft: 1,
      last: 'wrong',
      imageAt: NOW + 1000,
    });
    expect(moved(captcha, send, { type: 'image-shown' })).toMatchObject({ imagesLeft: 1, answersLeft: 3 });
    expect(moved(captcha, send, send, send)).toMatchObject({ type: 'refused', why: 'spent' });
    expect(moved(captcha, send, send, begin, { type: 'misread' })).toEqual({ type: 'ends', reason: 'images-spent' });
  });

  it.each(['gone', 'unknown'] as const)('ends when the half session is %s', (type) => {
    expect(moved(sms, begin, { type })).toEqual({ type: 'ends', reason: type });
  });
});
