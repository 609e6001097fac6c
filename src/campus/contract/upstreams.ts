import type { CampusSystem } from '../../domain/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';

/** An application of the campus, by the name of its driver. */
export type Application = string;

/** `portal`, `unified-login`, and the applications by the names of their drivers. */
export type Upstream = string;

/** The page to which the redirects behind a ticket lead. */
export interface Landing {
  readonly path: RegExp;
  /** For the memo of the new session; null: it is no such page, or that of another student than the one given. */
  readonly read: (page: string, userid: string) => Readonly<Record<string, string>> | null;
}

/** How a session of an application is opened over a live portal session. */
export type SessionEntry =
  /**
   * The unified login issues a ticket for its `service`; redeeming the ticket sets the session cookie. `landing`: the
   * session is one only once that page was shown.
   */
  | { readonly kind: 'service-ticket'; readonly landing?: Landing }
  /**
   * The same; the application's own redirect to the login says for which service. `entrance`: a page that redirects there,
   * by which a password may be verified; left out: none does for everybody.
   */
  | { readonly kind: 'learned-service'; readonly entrance?: string }
  /** The same; its entrance says for which service. */
  | { readonly kind: 'entrance'; readonly path: string }
  /** Redirects lead from a service ticket to the application's own ticket, which stands after `mark`. */
  | { readonly kind: 'ticket-walk'; readonly mark: string }
  /** It takes the password itself, by the `ownLogin` of its driver. */
  | { readonly kind: 'own-login' }
  /** One request to the application opens it, without the unified login. Its redirect is not followed. */
  | {
      readonly kind: 'direct';
      readonly path: (userid: string) => string;
      readonly cookie: string;
      /** Reads the session id from the redirect, for when there is no cookie. */
      readonly idIn: (location: string) => string | null;
    };

/** A page that names the service for a ticket, and so verifies a password; null: there is none. */
export const entranceOf = (entry: SessionEntry): string | null => {
  if (entry.kind === 'entrance') return entry.path;
  return (entry.kind === 'learned-service' && entry.entrance) || null;
};

/** Rules for an application that takes its ticket in a header instead of a cookie. */
interface TicketRules {
  readonly headers: (ticket: string, portalSession: string) => Readonly<Record<string, string>>;
  /** Statuses that may mean a refused ticket. */
  readonly refusedBy: readonly number[];
  /** A younger ticket is not replaced: the application means its refusal. */
  readonly newForMs: number;
}

export interface UpstreamRow {
  /**
   * Redirects inside the application. `followed`: those of reads by GET are. `also-after-form`: a form is answered with a
   * redirect. `lost-after-form`: a redirect after a form means that the session is lost. `none`: any redirect means that.
   */
  readonly redirects: 'followed' | 'also-after-form' | 'lost-after-form' | 'none';
  /** A redirect to the unified login means that the session has ended. */
  readonly endsAtLogin: boolean;
  /** The application's own path to which it sends a student without a session. */
  readonly deadPath: RegExp | null;
  /** Statuses by which it answers those without a session; left out: none. */
  readonly deadStatuses?: readonly number[];
  /** Most bytes of one answer, also after decompression. */
  readonly sizeCeiling: number;
  /** The same for a plan or a whole list. */
  readonly wholeCeiling: number;
  /** Recognises the application's own login page. Not asked of pages that are alive. */
  readonly showsLogin: (text: string) => boolean;
  /** Recognises a short text, in place of data as well, by which a dead session answers. */
  readonly showsDeath?: (text: string) => boolean;
}

export interface ApplicationRow extends UpstreamRow {
  readonly system: CampusSystem;
  readonly entry: SessionEntry;
  /** Null: its session is a cookie. */
  readonly ticket: TicketRules | null;
  /** A session idle for this long is not tried: opening a new one costs less than finding out that it is dead. */
  readonly longestIdleMs: number;
  /** After a renewal of the portal, a session that was used within this time is tried before it is renewed. */
  readonly mayOutlivePortalMs: number;
  /** Whether a page without its mark shows a dead session, or a page that has changed. */
  readonly unmarkedPage: 'dead' | 'unreadable';
  /** Answers depend on earlier requests of the session, so late ones of a replaced session are not used. */
  readonly bindsSession: boolean;
  /** Whether it is sealed into storage, for a restart or another replica. */
  readonly sealed: boolean;
}

const MEBIBYTE = 1024 * 1024;
/** After a night without use an old session is almost always dead. */
export const NIGHT_MS = 8 * HOUR_MS;

const never = (): boolean => false;

/** A challenge and a login page have a few kilobytes. */
export const portalRow: UpstreamRow = {
  redirects: 'followed',
  endsAtLogin: true,
  deadPath: null,
  sizeCeiling: MEBIBYTE,
  wholeCeiling: MEBIBYTE,
  showsLogin: never,
};

export const loginRow: UpstreamRow = { ...portalRow, endsAtLogin: false };

/** A driver states its differences. */
export const usualRow = {
  ...portalRow,
  sizeCeiling: 2 * MEBIBYTE,
  wholeCeiling: 4 * MEBIBYTE,
  ticket: null,
  longestIdleMs: Number.POSITIVE_INFINITY,
  mayOutlivePortalMs: 20 * MINUTE_MS,
  unmarkedPage: 'unreadable',
  bindsSession: false,
  sealed: true,
} satisfies Partial<ApplicationRow>;

/** Applications that are sent their ticket in a header share these. */
export const ticketRow = {
  ...usualRow,
  entry: { kind: 'ticket-walk', mark: 'register?ticket=' },
  ticket: {
    headers: (ticket, portalSession) => ({ ticket, 'sdp-app-session': portalSession }),
    refusedBy: [401, 403, 500],
    newForMs: MINUTE_MS,
  },
  mayOutlivePortalMs: Number.POSITIVE_INFINITY,
} satisfies Partial<ApplicationRow>;
