import type { CampusSystem } from '../domain/errors.ts';
import type { CampusWiring } from './wiring.ts';

/** The applications behind the portal, by the campus's own abbreviations. */
export type Application = 'jwc' | 'aac' | 'ldjlb' | 'isim' | 'competition' | 'card';

/** Everything that is asked over HTTP: the portal, the unified login, the applications. Metrics use these names. */
export type Upstream = 'vpn' | 'cas' | Application;

/** A setting that holds an address. */
export type Address = keyof CampusWiring;

/** One that every campus has. */
export type CertainAddress = Exclude<Address, 'cardUrl'>;

/** How a session of an application is opened over a live portal session. */
export type Entry =
  /** The unified login issues a ticket for this service; redeeming the ticket sets the session cookie. */
  | { readonly kind: 'service-ticket'; readonly service: CertainAddress }
  /** The same, but which service it is has to be learned from the application's own redirect to the login. */
  | { readonly kind: 'learned-service' }
  /** The same; its own entrance says which service it is. */
  | { readonly kind: 'entrance'; readonly path: string }
  /** The service ticket is followed from redirect to redirect, up to the one that carries the application's ticket. */
  | { readonly kind: 'ticket-walk'; readonly service: CertainAddress; readonly mark: string }
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

interface UpstreamRow {
  /** Setting that holds its base address. */
  readonly base: Address;
  /**
   * Redirects inside the application: `followed` for reads by GET; `also-after-form` where a form is answered by one;
   * `lost-after-form` where such a redirect means that the session is lost; `none` where any does.
   */
  readonly redirects: 'followed' | 'also-after-form' | 'lost-after-form' | 'none';
  /** A redirect to the unified login ends its session. Not so for the unified login itself. */
  readonly endsAtLogin: boolean;
  /** Path of its own to which it sends a student without a session. */
  readonly deadPath: RegExp | null;
  /** Bytes of one answer, also after decompression. */
  readonly sizeCeiling: number;
  /** The same of a plan or a list that comes whole instead of page by page. */
  readonly wholeCeiling: number;
  /** A login page of its own, beside that of the unified login. Asked only of pages that are not alive. */
  readonly showsLogin: (text: string) => boolean;
}

export interface ApplicationRow extends UpstreamRow {
  /** The domain's name. */
  readonly system: CampusSystem;
  readonly entry: Entry;
  /** Null: its session is a cookie. */
  readonly ticket: TicketRules | null;
  /** A session that rested this long is not tried: opening a new one costs less than finding out. */
  readonly longestRestMs: number;
  /** Under a renewed portal session, a session that was used within this time is tried before it is renewed. */
  readonly mayOutlivePortalMs: number;
  /** A page without its mark: a session that may be dead, or a page that has changed. */
  readonly unmarkedPage: 'dead' | 'unreadable';
  /**
   * What it answers depends on what this very session was told before: an answer that arrives after the session was
   * replaced is not used, and a request that has not left by then does not leave.
   */
  readonly bindsSession: boolean;
  /** Kept in storage, so that a restart or another replica goes on with it. */
  readonly sealed: boolean;
}

const MEBIBYTE = 1024 * 1024;
const MINUTE_MS = 60_000;
/** After a night without use an old session is almost always dead. */
export const NIGHT_MS = 8 * 60 * MINUTE_MS;

const never = (): boolean => false;

/** Where students sign in. A challenge of the portal and a login page have a few kilobytes. */
const signInPage = {
  redirects: 'followed',
  endsAtLogin: true,
  deadPath: null,
  sizeCeiling: MEBIBYTE,
  wholeCeiling: MEBIBYTE,
  showsLogin: never,
} as const;

const application = {
  ...signInPage,
  sizeCeiling: 2 * MEBIBYTE,
  wholeCeiling: 4 * MEBIBYTE,
  ticket: null,
  longestRestMs: Number.POSITIVE_INFINITY,
  mayOutlivePortalMs: 20 * MINUTE_MS,
  unmarkedPage: 'unreadable',
  bindsSession: false,
  sealed: true,
} as const;

const ticketApplication = {
  ...application,
  ticket: {
    headers: (ticket, portalSession) => ({ ticket, 'sdp-app-session': portalSession }),
    refusedBy: [401, 403, 500],
    newForMs: MINUTE_MS,
  } satisfies TicketRules,
  mayOutlivePortalMs: Number.POSITIVE_INFINITY,
} as const;

/** In the last redirect of a ticket walk, right before the ticket. */
const TICKET_MARK = 'register?ticket=';

/** What follows `/home` in the path of an address; empty where it has none. */
const homePathOf = (location: string): string => {
  const [path = ''] = location.split('?', 1);
  const at = path.toLowerCase().indexOf('/home');
  return at < 0 ? '' : path.slice(at);
};

/** What makes one application different from the others. */
export const applications: Readonly<Record<Application, ApplicationRow>> = {
  jwc: {
    ...application,
    system: 'academics',
    base: 'jwcUrl',
    entry: { kind: 'service-ticket', service: 'jwcService' },
    deadPath: /\/login|gotoLogin/,
    showsLogin: (text) => text.includes('j_spring_security_check'),
    longestRestMs: NIGHT_MS,
  },
  aac: {
    ...ticketApplication,
    system: 'activity-score',
    base: 'aacUrl',
    entry: { kind: 'ticket-walk', service: 'aacService', mark: TICKET_MARK },
  },
  ldjlb: {
    ...ticketApplication,
    system: 'labor-club',
    base: 'ldjlbUrl',
    entry: { kind: 'ticket-walk', service: 'ldjlbService', mark: TICKET_MARK },
  },
  isim: {
    ...application,
    system: 'electricity',
    base: 'isimUrl',
    entry: {
      kind: 'direct',
      path: (userid) => `/go?openid=${encodeURIComponent(userid)}&sn=sn`,
      cookie: 'JSESSIONID',
      idIn: (location) => /;jsessionid=([^&;]+)/i.exec(homePathOf(location))?.[1] ?? null,
    },
    redirects: 'none',
    // It ends a session after half an hour, and shows that only by pages that lack data.
    longestRestMs: 25 * MINUTE_MS,
    unmarkedPage: 'dead',
    // Its pages show whichever room the session was bound to last, which only this process knows.
    bindsSession: true,
    sealed: false,
  },
  competition: {
    ...application,
    system: 'competitions',
    base: 'competitionUrl',
    entry: { kind: 'learned-service' },
    redirects: 'also-after-form',
    showsLogin: (text) => text.includes('用户登录') || (text.includes('login') && text.includes('password')),
  },
  card: {
    ...application,
    system: 'card',
    base: 'cardUrl',
    entry: { kind: 'entrance', path: '/casLogin.jsp' },
    redirects: 'lost-after-form',
    deadPath: /\/login|casLogin\.jsp/,
    // Servers of its kind end a session after half an hour.
    longestRestMs: 25 * MINUTE_MS,
  },
};

export const upstreams: Readonly<Record<Upstream, UpstreamRow>> = {
  vpn: { ...signInPage, base: 'vpnUrl' },
  cas: { ...signInPage, base: 'casUrl', endsAtLogin: false },
  ...applications,
};

/** Whose service ticket proves a submitted password; what is read after a login is most probably here. */
export const provingApplication: Application = 'jwc';

export const applicationNames: readonly Application[] = ['jwc', 'aac', 'ldjlb', 'isim', 'competition', 'card'];
export const upstreamNames: readonly Upstream[] = ['vpn', 'cas', ...applicationNames];
