import { describe, expect, it } from 'vitest';
import { type DeadSign, nextRung, type Rung } from '../../../../src/campus/session/ladder.ts';

const signs: DeadSign[] = ['portal-expired', 'service-expired', 'ticket-refused', 'html-for-json', 'empty-unproven'];

describe('renewal ladder', () => {
  // sign, portal renewed, service renewed, service may live → rung
  const rows: Array<[DeadSign, boolean, boolean, boolean, Rung]> = [
    ['portal-expired', false, false, true, 'renew-portal'],
    ['portal-expired', false, false, false, 'renew-portal-and-service'],
    ['portal-expired', false, true, false, 'renew-portal'],
    ['portal-expired', true, false, true, 'give-up'],
    ['portal-expired', true, true, true, 'give-up'],
    ['service-expired', false, false, true, 'renew-service'],
    ['service-expired', true, false, true, 'renew-service'],
    ['service-expired', false, true, true, 'give-up'],
    ['ticket-refused', false, false, true, 'renew-service'],
    ['ticket-refused', true, true, true, 'give-up'],
    ['html-for-json', false, false, true, 'renew-service'],
    ['html-for-json', false, true, true, 'give-up'],
    ['empty-unproven', false, false, true, 'renew-portal-and-service'],
    ['empty-unproven', false, true, true, 'renew-portal'],
    ['empty-unproven', true, false, true, 'give-up'],
  ];
  it.each(signs)('a ticket renewed less than a minute ago is not renewed for %s, unless it was redirected', (sign) => {
    const facts = { portalRenewed: false, serviceRenewed: false, serviceMayLive: true };
    const rung = nextRung(sign, { ...facts, ticketRenewedLately: true });
    const meant = sign === 'ticket-refused' || sign === 'html-for-json';
    expect(rung).toBe(meant ? 'give-up' : nextRung(sign, { ...facts, ticketRenewedLately: false }));
  });

  it.each(rows)(
    '%s (portal renewed %s, service renewed %s, service may live %s) → %s',
    (sign, portal, service, may, rung) => {
      const facts = { portalRenewed: portal, serviceRenewed: service, serviceMayLive: may, ticketRenewedLately: false };
      expect(nextRung(sign, facts)).toBe(rung);
    },
  );

  it('renews each layer at most once, whatever the upstream goes on answering', () => {
    for (const first of signs) {
      for (const then of signs) {
        const facts = { portalRenewed: false, serviceRenewed: false, serviceMayLive: true, ticketRenewedLately: false };
        let portal = 0;
        let service = 0;
        for (let round = 0; round < 10; round += 1) {
          const rung = nextRung(round === 0 ? first : then, facts);
          if (rung === 'give-up') break;
          if (rung !== 'renew-service') {
            portal += 1;
            facts.portalRenewed = true;
          }
          if (rung !== 'renew-portal') {
            service += 1;
            facts.serviceRenewed = true;
          }
        }
        expect([portal <= 1, service <= 1]).toEqual([true, true]);
      }
    }
  });
});
