/**
 * The renewal ladder: what to do after an answer that proves, or suggests, a dead session. Pure, so that every row is
 * a test. Within one operation each layer is renewed at most once.
 */

/** How the answer looked. */
export type DeadSign =
  | 'portal-expired'
  | 'service-expired'
  /** The application refused its own ticket. */
  | 'ticket-refused'
  /** HTML where JSON was due, without a marker: one renewal, then it is an error of the upstream. */
  | 'html-for-json'
  /** The same for a page, on the electricity site: its dead sessions show as pages that lack what was due. */
  | 'strange-page'
  /** Nothing at all, twice, from a session that has not been proven lately. */
  | 'empty-unproven';

export interface LadderFacts {
  readonly portalRenewed: boolean;
  readonly serviceRenewed: boolean;
  /** The service session was used within 20 minutes, or is a ticket that outlives the portal session. */
  readonly serviceMayLive: boolean;
  /** An application ticket that replaced a refused one within the last minute: what it is refused is meant. */
  readonly ticketRenewedLately: boolean;
}

export type Rung =
  /** Portal login, then the request again with the old service session. */
  | 'renew-portal'
  /** Portal login and a new service session, then the request again. */
  | 'renew-portal-and-service'
  /** New service session by the ticket-granting cookie, or by the password if that is gone; then the request again. */
  | 'renew-service'
  | 'give-up';

export const nextRung = (sign: DeadSign, facts: LadderFacts): Rung => {
  switch (sign) {
    case 'portal-expired':
      if (facts.portalRenewed) return 'give-up';
      return facts.serviceMayLive || facts.serviceRenewed ? 'renew-portal' : 'renew-portal-and-service';
    case 'empty-unproven':
      if (facts.portalRenewed) return 'give-up';
      return facts.serviceRenewed ? 'renew-portal' : 'renew-portal-and-service';
    case 'service-expired':
      return facts.serviceRenewed ? 'give-up' : 'renew-service';
    case 'ticket-refused':
    case 'html-for-json':
    case 'strange-page':
      // Otherwise an application that refuses for reasons of its own would cost a renewal with every call.
      return facts.serviceRenewed || facts.ticketRenewedLately ? 'give-up' : 'renew-service';
  }
};
