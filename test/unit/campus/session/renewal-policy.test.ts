import { describe, expect, it } from 'vitest';
import type { DeadSign } from '../../../../src/campus/contract/upstream-session.ts';
import { type Facts, nextRecoveryStep, type RecoveryStep } from '../../../../src/campus/session/session-call.ts';

const signs: DeadSign[] = [
  'portal-expired',
  'application-expired',
  'refused',
  'html-for-json',
  'unmarked-page',
  'empty-unproven',
];

const nothing: Facts = {
  written: false,
  renewedByOther: false,
  portalRenewed: false,
  applicationRenewed: false,
  mayOutlivePortal: true,
  ticketIsNew: false,
};

describe('renewal policy', () => {
  // sign, portal renewed, application renewed, application may outlive the portal → step
  const rows: Array<[DeadSign, boolean, boolean, boolean, RecoveryStep]> = [
    ['portal-expired', false, false, true, 'portal'],
    ['portal-expired', false, false, false, 'portal-and-application'],
    ['portal-expired', false, true, false, 'portal'],
    ['portal-expired', true, false, true, 'give-up'],
    ['portal-expired', true, true, true, 'give-up'],
    ['application-expired', false, false, true, 'application'],
    ['application-expired', true, false, true, 'application'],
    ['application-expired', false, true, true, 'give-up'],
    ['refused', false, false, true, 'application'],
    ['refused', true, true, true, 'give-up'],
    ['html-for-json', false, false, true, 'application'],
    ['html-for-json', false, true, true, 'give-up'],
    ['unmarked-page', false, false, true, 'application'],
    ['unmarked-page', false, true, true, 'give-up'],
    ['empty-unproven', false, false, true, 'portal-and-application'],
    ['empty-unproven', false, true, true, 'portal'],
    ['empty-unproven', true, false, true, 'give-up'],
  ];

  it.each(rows)(
    '%s (portal renewed %s, application renewed %s, may outlive the portal %s) → %s',
    (sign, portalRenewed, applicationRenewed, mayOutlivePortal, step) => {
      expect(nextRecoveryStep(sign, { ...nothing, portalRenewed, applicationRenewed, mayOutlivePortal })).toBe(step);
    },
  );

  it.each(signs)('a ticket renewed less than a minute ago is not renewed for %s, unless it was redirected', (sign) => {
    const step = nextRecoveryStep(sign, { ...nothing, ticketIsNew: true });
    const meant = ['refused', 'html-for-json', 'unmarked-page'].includes(sign);
    expect(step).toBe(meant ? 'give-up' : nextRecoveryStep(sign, nothing));
  });

  it.each(signs)('after %s, a request that left before another call renewed is repeated first', (sign) => {
    expect(nextRecoveryStep(sign, { ...nothing, renewedByOther: true, portalRenewed: true, ticketIsNew: true })).toBe(
      'repeat',
    );
  });

  it.each(signs)('after %s, what has written is never repeated', (sign) => {
    expect(nextRecoveryStep(sign, { ...nothing, written: true })).toBe('outcome-unknown');
    expect(nextRecoveryStep(sign, { ...nothing, written: true, renewedByOther: true })).toBe('outcome-unknown');
  });

  it('renews each layer at most once, however often the upstream answers the same', () => {
    for (const first of signs) {
      for (const then of signs) {
        const facts: { -readonly [Fact in keyof Facts]: Facts[Fact] } = { ...nothing };
        let portal = 0;
        let application = 0;
        for (let round = 0; round < 10; round += 1) {
          const step = nextRecoveryStep(round === 0 ? first : then, facts);
          if (step === 'give-up') break;
          if (step !== 'application') {
            portal += 1;
            facts.portalRenewed = true;
          }
          if (step !== 'portal') {
            application += 1;
            facts.applicationRenewed = true;
          }
        }
        expect([portal <= 1, application <= 1]).toEqual([true, true]);
      }
    }
  });
});
