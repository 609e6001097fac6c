import { describe, expect, it } from 'vitest';
import { handleOf } from '../../../../../src/domain/accounts/guard/callers.ts';
import { OpenChallenge } from '../../../../../src/domain/accounts/sign-in/open-challenge.ts';
import type { ChallengeQuestion, HalfSignIn } from '../../../../../src/domain/challenge.ts';
import { isFailure } from '../../../../../src/domain/errors.ts';

const NOW = Date.UTC(2026, 2, 18);
const MINUTE = 60_000;
const image: ChallengeQuestion = { kind: 'captcha', image: { type: 'image/png', base64: 'AQID' } };
const spent: ChallengeQuestion = { kind: 'captcha', image: null };
const totp: ChallengeQuestion = { kind: 'totp' };
const sms = (more: Partial<Extract<ChallengeQuestion, { kind: 'sms' }>> = {}): ChallengeQuestion => ({
  kind: 'sms',
  targets: [],
  sent: 'unknown',
  stillValid: false,
  resendAfter: 0,
  ...more,
});
const half = (asked: ChallengeQuestion, last: HalfSignIn['last'] = 'none'): HalfSignIn => ({
  step: 'portal',
  asked,
  resume: { [asked.kind]: last },
  last,
  guarded: false,
});
const begun = (
  asked: ChallengeQuestion,
  opener: OpenChallenge['row']['opener'] = { kind: 'stranger', names: ['net'] },
) =>
  OpenChallenge.begin(
    {
      idHash: 'h',
      userid: '2023000001',
      purpose: 'login',
      pair: { password: 'p', vpnPassword: 'v' },
      keep: null,
      invite: null,
      opener,
    },
    half(asked),
    NOW,
  );
const refusalOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (isFailure(error)) return [error.kind, error.retryAfterSeconds];
    throw error;
  }
  return null;
};

it('lives five minutes, takes three answers, and each step is another revision', () => {
  const open = begun(totp);
  expect(open.view('id', NOW)).toMatchObject({ answersLeft: 3, expiresAt: NOW + 5 * MINUTE, last: 'none' });
  const answering = open.answering();
  expect([open.row.revision, answering.row.revision, answering.row.phase]).toEqual([1, 2, 'answering']);
  let now: OpenChallenge | null = open;
  const left = [];
  for (; now !== null; now = now.answering().noteAnswered(half(totp, 'wrong'), NOW)) left.push(now.row.left);
  expect(left).toEqual([3, 2, 1]);
});

it.each([
  ['captcha', image, 'AB12', 'AB 12'],
  ['sms', sms(), ' 123456 ', '123'],
  ['totp', totp, '12345678', '12345'],
] as const)('takes as a code of %s only what can be one', (_kind, asked, code, none) => {
  expect(begun(asked).code(code)).toBe(code.trim());
  expect(refusalOf(() => begun(asked).code(none))).toEqual(['challenge-answer', undefined]);
});

describe('a newer sign-in', () => {
  const at = (network: string, ...tokens: string[]) =>
    handleOf(
      { networks: [{ at: NOW, network: 'home' }] },
      { network: 'n', trusted: false, home: [network], token: tokens },
    );
  // opened by, newer one, ends it
  it.each([
    [at('home', 'one'), at('home'), true],
    [at('home'), at('home', 'one'), true],
    [at('home', 'one'), at('home', 'another'), true],
    [at('home', 'one'), at('away', 'one'), false],
    [at('away', 'one'), at('home'), true],
    [at('away', 'one'), at('away', 'one'), true],
    [at('away', 'one'), at('away', 'another'), false],
    [at('away', 'one'), at('away'), false],
    [at('away'), at('away'), true],
    [at('home'), at('away'), false],
  ])('%j was opened, %j comes: %s', (opener, comer, ends) => {
    expect(begun(totp, { ...opener, names: [...opener.names] }).yieldsTo(comer)).toBe(ends);
  });

  it('from one home does not end what was opened in another', () => {
    const opener = { kind: 'home-token', names: ['home one'] } as const;
    expect(begun(totp, { ...opener, names: [...opener.names] }).yieldsTo({ kind: 'home', names: ['flat'] })).toBe(
      false,
    );
  });
});

describe('asking for a code', () => {
  it('waits as long as the portal says, and a minute where it has not said', () => {
    const sending = begun(sms()).sending(undefined, NOW);
    // Stored before anything is sent: the answer may get lost.
    expect([sending.row.asked, sending.view('id', NOW).resendAfter]).toEqual([sms({ sent: 'perhaps' }), 60]);
    const sent = sending.noteSent(half(sms({ sent: 'perhaps', resendAfter: 178 })), NOW);
    expect(refusalOf(() => sent.sending(undefined, NOW + 100_000))).toEqual(['rate-limited', 78]);
    expect(sent.sending(undefined, NOW + 178_000).row.revision).toBe(4);
  });

  it('goes to a phone that was chosen, once there are several', () => {
    const several = begun(sms()).noteSent(half(sms({ targets: ['138****0000', '159****1111'] })), NOW);
    for (const target of [undefined, 2, -1]) {
      expect(refusalOf(() => several.sending(target, NOW))).toEqual(['challenge-target', undefined]);
    }
    const chosen = several.sending(1, NOW);
    expect(chosen.row.chosen).toBe(1);
    expect(chosen.sending(undefined, NOW + MINUTE).row.chosen).toBe(1);
    expect(begun(sms()).sending(0, NOW).row.chosen).toBeNull();
    expect(refusalOf(() => begun(sms()).sending(1, NOW))).toEqual(['challenge-target', undefined]);
    expect(refusalOf(() => begun(totp).sending(undefined, NOW))).toEqual(['challenge-target', undefined]);
  });

  it('that did not leave is as if it was not asked for', () => {
    const open = begun(sms());
    const { revision, ...row } = open.sending(undefined, NOW).noteUnsent(open).row;
    expect([revision, row]).toEqual([3, (({ revision: _, ...before }) => before)(open.row)]);
  });
});

describe('an image', () => {
  it('is shown three times', () => {
    const twice = begun(image).sending(undefined, NOW).sending(undefined, NOW);
    expect(refusalOf(() => twice.sending(undefined, NOW))).toEqual(['rate-limited', 300]);
    expect(twice.answering().noteAnswered(half(spent, 'wrong'), NOW)).toBeNull();
  });

  it('that was misread is to be replaced, and the next one says so', () => {
    const misread = begun(image).answering().noteAnswered(half(spent, 'wrong'), NOW);
    expect([misread?.lacksImage, misread?.row.left]).toEqual([true, 2]);
    const next = misread?.sending(undefined, NOW).noteSent(half(image), NOW);
    expect([next?.lacksImage, next?.row.last]).toEqual([false, 'wrong']);
    expect(next?.sending(undefined, NOW).row.last).toBe('none');
  });

  it('that was too old to be sent costs no answer', () => {
    expect(begun(image).answering().noteAnswered(half(spent, 'expired'), NOW)?.row.left).toBe(3);
  });
});

it('a wrong code leaves what was sent as it was, and a passed step costs no answer', () => {
  const sent = begun(sms())
    .sending(undefined, NOW)
    .noteSent(half(sms({ sent: 'perhaps', resendAfter: 90 })), NOW);
  const wrong = sent.answering().noteAnswered(half(sms(), 'wrong'), NOW);
  expect([wrong?.row.asked, wrong?.view('id', NOW).resendAfter]).toEqual([
    sms({ sent: 'perhaps', resendAfter: 90 }),
    90,
  ]);
  const next = sent.answering().noteAnswered(half(totp, 'passed-step'), NOW);
  expect([next?.row.asked.kind, next?.row.left, next?.row.last, next?.row.phase]).toEqual([
    'totp',
    3,
    'passed-step',
    'open',
  ]);
});

it.each([
  ['home', ['home'], 'token', ['t'], true],
  ['token', ['t'], 'stranger', ['net'], true],
  ['token', ['t'], 'home', ['home'], false],
  ['stranger', ['net'], 'token', ['t'], false],
  ['stranger', ['net'], 'stranger', ['net'], true],
  ['stranger', ['other'], 'stranger', ['net'], false],
] as const)('a login of %s %j ends that of %s %j: %s', (kind, names, ofKind, ofNames, ends) => {
  expect(begun(totp, { kind: ofKind, names: [...ofNames] }).yieldsTo({ kind, names: [...names] })).toBe(ends);
});
