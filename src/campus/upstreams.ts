import type { CampusSystem } from '../domain/errors.ts';

/** An application of the campus, by the name of its driver. */
export type Application = string;

/** Asked over HTTP: `portal`, `unified-login`, and the applications by the names of their drivers. */
export type Upstream = string;

/** How a session of an application is opened over a live portal session. */
export type Entry =
  /** The unified login issues a ticket for its `service`; redeeming the ticket sets the session cookie. */
  | { readonly kind: 'service-ticket' }
  /** The same, but which service it is has to be learned from the application's own redirect to the login. */
  | { readonly kind: 'learned-service' }
  /** The same; its own entrance says which service it is. */
  | { readonly kind: 'entrance'; readonly path: string }
  /** The service ticket is followed from redirect to redirect, up to the one that carries the application's ticket. */
  | { readonly kind: 'ticket-walk'; readonly mark: string }
  /** One request to the application itself; the unified login is not involved. Its redirect is not followed. */
  | {
      readonly kind: 'direct';
      readonly path: (userid: string) => string;
      readonly cookie: string;
      /** The session id in the address of the redirect, for when there is no cookie. */
      readonly idIn: (location: string) => string | null;
    };

/** An application that is sent its ticket in a header instead of a cookie. */
interface TicketRules {
  readonly headers: (ticket: string, portalSession: string) => Readonly<Record<string, string>>;
  /** Statuses by which a ticket may be refused. */
  readonly refusedBy: readonly number[];
  /** A refusal of a ticket younger than this is meant: the ticket is not replaced once more. */
  readonly newForMs: number;
}

export interface UpstreamRow {
  /**
   * Redirects inside the application: `followed` for reads by GET; `also-after-form` where a form is answered by one;
   * `lost-after-form` where such a redirect means that the session is lost; `none` where any does.
   */
  readonly redirects: 'followed' | 'also-after-form' | 'lost-after-form' | 'none';
  /** A redirect to the unified login ends its session. Not so for the unified login itself. */
  readonly endsAtLogin: boolean;
  /** Its own path to which it sends a student without a session. */
  readonly deadPath: RegExp | null;
  /** Bytes of one answer, also after decompression. A larger body than was ever seen is not a page. */
  readonly sizeCeiling: number;
  /** The same of a plan or a list that comes whole instead of page by page. */
  readonly wholeCeiling: number;
  /** Its own login page, beside that of the unified login. Asked only of pages that are not alive. */
  readonly showsLogin: (text: string) => boolean;
}

export interface ApplicationRow extends UpstreamRow {
  readonly system: CampusSystem;
  readonly entry: Entry;
  /** Null: its session is a cookie. */
  readonly ticket: TicketRules | null;
  /** A session idle for this long is not tried: opening a new one costs less than finding out. */
  readonly longestIdleMs: number;
  /** Under a renewed portal session, a session that was used within this time is tried before it is renewed. */
  readonly mayOutlivePortalMs: number;
  /** A page without its mark: a session that may be dead, or a page that has changed. */
  readonly unmarkedPage: 'dead' | 'unreadable';
  /**
   * Its answers depend on earlier requests of this very session: an answer that arrives after the session was
   * replaced is not used, and a request that has not left by then does not leave.
   */
  readonly bindsSession: boolean;
  /** Sealed into storage, so that a restart or another replica can use it. */
  readonly sealed: boolean;
}

const MEBIBYTE = 1024 * 1024;
export const MINUTE_MS = 60_000;
/** After a night without use an old session is almost always dead. */
export const NIGHT_MS = 8 * 60 * MINUTE_MS;

const never = (): boolean => false;

/** Where students sign in. A challenge of the portal and a login page have a few kilobytes. */
export const portalRow: UpstreamRow = {
  redirects: 'followed',
  endsAtLogin: true,
  deadPath: null,
  sizeCeiling: MEBIBYTE,
  wholeCeiling: MEBIBYTE,
  showsLogin: never,
};

export const loginRow: UpstreamRow = { ...portalRow, endsAtLogin: false };

/** Most applications share these; a driver states its differences. */
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

/** Stands right before the ticket in the last redirect of a walk. */
const TICKET_MARK = 'register?ticket=';

/** Applications that are sent their ticket in a header share these. */
export const ticketRow = {
  ...usualRow,
  entry: { kind: 'ticket-walk', mark: TICKET_MARK },
  ticket: {
    headers: (ticket, portalSession) => ({ ticket, 'sdp-app-session': portalSession }),
    refusedBy: [401, 403, 500],
    newForMs: MINUTE_MS,
  },
  mayOutlivePortalMs: Number.POSITIVE_INFINITY,
} satisfies Partial<ApplicationRow>;
