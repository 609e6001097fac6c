import type { DeadSign } from './upstream-session.ts';

/**
 * Decides what to do after an answer that shows, or suggests, a dead session. Pure: every row is a test. Within one call each
 * layer is renewed at most once.
 */
export interface Facts {
  /** A write of this round has reached, or may have reached, the application. */
  readonly written: boolean;
  /** The request left before another call's renewal, and the call may still repeat itself for that. */
  readonly renewedByOther: boolean;
  /** The portal session was renewed for this call. */
  readonly portalRenewed: boolean;
  /** The application's session was renewed for this call. */
  readonly applicationRenewed: boolean;
  /** The application's session may have outlived that of the portal. */
  readonly mayOutlivePortal: boolean;
  /** The ticket replaced a refused one so lately that its own refusal is meant. */
  readonly ticketIsNew: boolean;
}

export type Renewal =
  /** Portal login, then the request again with the old application session. */
  | 'portal'
  /** Portal login and a new application session, then the request again. */
  | 'portal-and-application'
  /** New application session by the ticket-granting cookie, or by the password if that is gone; then the request again. */
  | 'application';

export type Step =
  | Renewal
  /** The request again, as things are now. */
  | 'repeat'
  | 'give-up'
  /** A write is never repeated, and its outcome is unknown. */
  | 'outcome-unknown';

interface Row {
  readonly signs?: readonly DeadSign[];
  readonly when?: (facts: Facts) => boolean;
  readonly step: Step;
}

/** In this order; the first row that fits decides. */
const rows: readonly Row[] = [
  { when: ({ written }) => written, step: 'outcome-unknown' },
  // The new state deserves a try before it is renewed again.
  { when: ({ renewedByOther }) => renewedByOther, step: 'repeat' },

  { signs: ['portal-expired', 'empty-unproven'], when: ({ portalRenewed }) => portalRenewed, step: 'give-up' },
  {
    signs: ['portal-expired', 'empty-unproven'],
    when: ({ applicationRenewed }) => applicationRenewed,
    step: 'portal',
  },
  { signs: ['portal-expired'], when: ({ mayOutlivePortal }) => mayOutlivePortal, step: 'portal' },
  { signs: ['portal-expired', 'empty-unproven'], step: 'portal-and-application' },

  { when: ({ applicationRenewed }) => applicationRenewed, step: 'give-up' },
  { signs: ['application-expired'], step: 'application' },
  // Otherwise an application that refuses for other reasons would cost a renewal with every call.
  { when: ({ ticketIsNew }) => ticketIsNew, step: 'give-up' },
  { step: 'application' },
];

export const nextStep = (sign: DeadSign, facts: Facts): Step => {
  const row = rows.find(({ signs, when }) => (signs?.includes(sign) ?? true) && (when?.(facts) ?? true));
  return row?.step ?? 'give-up';
};
