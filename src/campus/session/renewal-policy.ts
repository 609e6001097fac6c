import type { DeadSign } from '../contract/upstream-session.ts';

/** Decides what to do after a sign of a dead session. Within one call each layer is renewed at most once. */
export interface Facts {
  /** A write has reached, or may have reached, the application. */
  readonly written: boolean;
  /** Another call has renewed the session since, and this call may still repeat itself for that. */
  readonly renewedByOther: boolean;
  readonly portalRenewed: boolean;
  readonly applicationRenewed: boolean;
  /** The application's session may outlive that of the portal. */
  readonly mayOutlivePortal: boolean;
  /** The ticket is new, so the application means its refusal. */
  readonly ticketIsNew: boolean;
}

export type Renewal =
  /** The application's session stays. */
  | 'portal'
  | 'portal-and-application'
  /** Signs in with the ticket-granting cookie, or with the password once that is gone. */
  | 'application';

export type Step = Renewal | 'repeat' | 'give-up' | 'outcome-unknown';

interface RenewalRule {
  readonly signs?: readonly DeadSign[];
  readonly when?: (facts: Facts) => boolean;
  readonly step: Step;
}

/** The first rule that fits decides. */
const rules: readonly RenewalRule[] = [
  { when: ({ written }) => written, step: 'outcome-unknown' },
  // The renewed session deserves a try before it is renewed again.
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
  const rule = rules.find(({ signs, when }) => (signs?.includes(sign) ?? true) && (when?.(facts) ?? true));
  return rule?.step ?? 'give-up';
};
