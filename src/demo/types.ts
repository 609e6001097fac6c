import type { Clock } from '../lib/clock.ts';

/** The simulated upstreams. Each listens on its own loopback port. */
export type DemoSystem = 'vpn' | 'cas' | 'jwc' | 'aac' | 'ldjlb' | 'isim' | 'competition';

/** What a faulty upstream does instead of, or before, its real answer. */
export type DemoFault =
  | { readonly kind: 'delay'; readonly ms: number } // by the campus clock, then the real answer
  | { readonly kind: 'hang' } // accepts the request and never answers
  | { readonly kind: 'reset' } // destroys the socket
  | { readonly kind: 'reset-after' } // does the work, then destroys the socket: the answer is lost
  | { readonly kind: 'status'; readonly status: number; readonly body?: string } // e.g. 500, 502, 503, 403
  | { readonly kind: 'empty' } // 200, no body
  | { readonly kind: 'html' } // 200, an unrelated HTML page where anything was due
  | { readonly kind: 'login-redirect' } // 302 to {cas}/login?service=…
  | { readonly kind: 'login-page' } // 200, the unified login page
  | { readonly kind: 'portal-redirect' } // the 302 to the portal that a dead session meets
  | { readonly kind: 'portal-page'; readonly marker: DemoPortalMarker } // 200, HTML with just that marker
  | { readonly kind: 'captcha' } // portal: CAPTCHA required
  | { readonly kind: 'attacked' } // portal: maybe attacked
  | { readonly kind: 'second-factor' } // portal: <Result>2</Result>
  | { readonly kind: 'malformed' } // the real answer with its structure broken
  | { readonly kind: 'truncated' } // the first half of the real answer, with a matching length
  | { readonly kind: 'cut' } // announces the full length, sends half, destroys the socket
  | { readonly kind: 'huge'; readonly bytes: number } // streams that many bytes
  | { readonly kind: 'drip'; readonly bytesPerTick: number; readonly tickMs: number } // slow drip of the real answer
  | { readonly kind: 'gbk' } // the real answer in GBK, header and meta say so
  | { readonly kind: 'body'; readonly status?: number; readonly type?: string; readonly body: string } // literal answer
  | { readonly kind: 'redirect-loop' }
  | { readonly kind: 'redirect-away' } // 302 to a host that is not configured
  | { readonly kind: 'redirect-nowhere' }; // 302 without Location

export type DemoPortalMarker =
  | 'title-302'
  | 'sangine'
  | 'html-302-found'
  | 'sangfor-main'
  | 'login_auth.csp'
  | 'TWFID'
  | 'svpn_name'
  | 'g_lines'
  | 'selectline_timeout';

/**
 * Of several rules that match a request, every delay takes effect and the first fault of another kind.
 * `captcha`, `attacked` and `second-factor` hit the portal's credential request only.
 */
export interface DemoFaultRule {
  readonly system: DemoSystem;
  /** Prefix of the path (a dynamic segment is written as `*`); every path when left out. */
  readonly path?: string;
  /** The whole path must be `path`; needed for `/`, which is a prefix of everything. */
  readonly exact?: boolean;
  readonly method?: 'GET' | 'POST';
  readonly userid?: string;
  /** How many requests it hits; unlimited when left out. */
  readonly times?: number;
  readonly fault: DemoFault;
}

/** Where every system listens; the same members as the gateway's campus settings. */
export interface DemoWiring {
  readonly vpnUrl: string;
  readonly vpnDomain: string;
  readonly casUrl: string;
  readonly jwcUrl: string;
  readonly jwcService: string;
  readonly aacUrl: string;
  readonly aacService: string;
  readonly ldjlbUrl: string;
  readonly ldjlbService: string;
  readonly isimUrl: string;
  readonly competitionUrl: string;
}

export interface DemoRequest {
  readonly system: DemoSystem;
  readonly method: string;
  // Path without query, dynamic segments as `*`, e.g. `/student/integratedQuery/scoreQuery/*/allTermScores/data`.
  readonly path: string;
  /** Student behind the TWFID (or the submitted name on login requests); null when unknown. */
  readonly userid: string | null;
}

export interface DemoOptions {
  readonly clock?: Clock;
  /** Added before every answer. */
  readonly latencyMs?: number;
  /** Listening address, loopback only. */
  readonly host?: string;
  /** Private RSA key (PEM) of the portal, for tests with recorded messages; a fresh one when left out. */
  readonly portalKeyPem?: string;
}

/** Switches of the whole campus. A change holds from the next request on. */
export interface DemoCampusSwitches {
  /** How a mapped host shows that the portal session is dead: 302 to the portal, 200 portal page, 200 without body. */
  expiryStyle: 'redirect' | 'page' | 'empty';
  /** The accepted login names a new TWFID; the one of the challenge stays valid beside it. */
  rotateTwfid: boolean;
  omitCsrf: boolean;
  omitExponent: boolean;
  /** The unified login answers without a portal session. */
  lenientCas: boolean;
  /** `Location` names inner hosts instead of mapped ones (where the inner host is a configured service). */
  innerHostLocations: boolean;
  invalidTicketAnswer: 'code' | 'http-500' | 'html';
  serviceTicketSeconds: number;
  /** Life of the tickets that activity score and labor club hand out. */
  applicationTicketSeconds: number;
  portalIdleSeconds: number;
  /** Failed portal attempts in a row after which a name is refused for 60 s. */
  lockoutAfter: number;
  /** How the electricity site shows a dead session: 302 to its error page, or that page with status 200. */
  electricityExpiry: 'redirect' | 'page';
  /** Pickers of the electricity site: script literals with bare keys, or strict JSON. */
  electricityLiterals: 'script' | 'json';
  /**
   * Terms, exams, labor activities and meter readings follow the clock, and every day lies in a term. While false, the
   * campus stays in the spring of 2026 that its records are written for, with a vacation before and after the term.
   */
  datesMove: boolean;
  /** The evaluation season: while it is over, the entrance says so and the list is empty. */
  evaluationOpen: boolean;
  /** Seconds from opening a questionnaire to the first moment at which it may be submitted. */
  evaluationWaitSeconds: number;
  /**
   * Questionnaires open side by side: `page` lets each have its time; with `session` opening one starts the time of
   * all of them anew; with `latest` it takes the others their tokens.
   */
  evaluationClock: 'page' | 'session' | 'latest';
  /** Rows of the other exams: objects, or arrays of nine columns with one row among them that is too short. */
  otherExamRows: 'objects' | 'arrays';
  /** Where these rows stand: at the root, below `list`, or there while the root says null. */
  otherExamPlace: 'root' | 'list' | 'list beside null';
}

/** What the campus knows of one course that a student may evaluate. */
interface DemoEvaluation {
  readonly courseName: string;
  readonly done: boolean;
  /** Submissions that arrived, refused ones included. */
  readonly received: number;
  /** Submissions that were stored: never more than one. */
  readonly stored: number;
  /** What was stored, by name of the question; empty before. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Switches for one student; each takes effect at once and does what the campus would do by itself. */
export interface DemoStudentSwitches {
  /** The portal session dies: every mapped host answers with the expiry of `expiryStyle`. */
  expirePortal(): void;
  /** The ticket-granting cookie dies. */
  expireUnifiedLogin(): void;
  /** The session of one application dies. */
  expireService(system: 'jwc' | 'isim' | 'competition'): void;
  /** The application ticket dies. */
  expireTicket(system: 'aac' | 'ldjlb'): void;
  changePasswords(pair: { vpnPassword?: string; password?: string }): void;
  /** Replaces the evaluation list by that many pending courses; those in `refused` (from 1) refuse every submission. */
  setEvaluation(count: number, options?: { readonly refused?: readonly number[] }): void;
  /** The student has evaluated a course (from 1) by hand. */
  evaluateByHand(number: number): void;
  evaluations(): readonly DemoEvaluation[];
  /** Ids of plans that were asked for, though the student's own page did not offer them. */
  foreignPlans(): readonly string[];
  /** Changes members of the academic summary; undefined takes one away. */
  setSummary(members: Readonly<Record<string, unknown>>): void;
}

export interface DemoCampus {
  readonly wiring: DemoWiring;
  student(userid: string): DemoStudentSwitches;
  /**
   * Adds students with the data of the first demo student: userid, both passwords. For tests with many students.
   * `newcomer`: without any row in activity score and labor club.
   */
  addStudent(student: { userid: string; password: string; vpnPassword: string; newcomer?: boolean }): void;
  fault(rule: DemoFaultRule): { remove(): void };
  clearFaults(): void;
  readonly switches: DemoCampusSwitches;
  /** Every request since start or the last reset, in order of arrival. */
  requests(filter?: Partial<DemoRequest>): readonly DemoRequest[];
  resetRequests(): void;
  close(): Promise<void>;
}
