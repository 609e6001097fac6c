import { expect, it } from 'vitest';
import { type Caller, handleOf } from '../../../../../src/domain/accounts/guard/callers.ts';
import { challengeWait, opensChallenge } from '../../../../../src/domain/accounts/guard/challenge-budgets.ts';
import { draftOf } from '../../../../../src/domain/accounts/guard/guard.ts';
import { emptyGateway, emptyStudent } from '../../../../../src/domain/accounts/guard/row.ts';
import type { GuardDraft, GuardMoment } from '../../../../../src/domain/accounts/guard/verdict.ts';

const now = Date.parse('2026-03-02T08:00:00Z');
const anybody: Caller = { network: '192.0.2.0', trusted: false, home: ['home'], token: [] };
const thief: Caller = { ...anybody, home: ['other'], token: ['token'] };

const draftAt = (isHome: boolean): GuardDraft =>
  draftOf({
    student: { ...emptyStudent, networks: isHome ? [{ at: now, network: 'home' }] : [] },
    gateway: emptyGateway,
  });

/** How many challenges of a day may begin with an image. */
const most = (draft: GuardDraft, caller: Caller, at: GuardMoment): number => {
  for (let opened = 0; opened < 100; opened += 1) {
    const opening = { id: String(opened), caller, why: 'login', rings: false, imageAt: 'unified-login' } as const;
    const waits = challengeWait(draft.student, handleOf(draft.student, caller), 'login', at) !== null;
    const { type } = opensChallenge(draft, opening, at);
    // Where every login shows an image, the budget is looked at before anything is posted.
    if (at.attended !== undefined) expect(waits).toBe(type !== 'go');
    if (type !== 'go') return opened;
  }
  return 100;
};

const attended: GuardMoment = { now, perDay: 4, attended: ['unified-login'] };

it('an image of every login has a separate list: 40 a day for owners, 10 for strangers', () => {
  expect(most(draftAt(true), anybody, attended)).toBe(40);
  expect(most(draftAt(false), anybody, attended)).toBe(10);
  const draft = draftAt(true);
  expect(most(draft, thief, attended)).toBe(16);
  // What strangers and a stolen token spend is not the owner's last.
  expect(most(draft, anybody, attended)).toBe(24);
  // No step has been spent by it.
  expect(most(draft, anybody, { now, perDay: 4 })).toBe(10);
});

it('an image that not every login shows, or that another place shows, stays a step', () => {
  expect(most(draftAt(true), anybody, { now, perDay: 4 })).toBe(10);
  const draft = draftAt(false);
  const elsewhere = { id: '1', caller: anybody, why: 'login', rings: false, imageAt: 'portal' } as const;
  for (const want of ['go', 'go', 'wait']) expect(opensChallenge(draft, elsewhere, attended).type).toBe(want);
});
