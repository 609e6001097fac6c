import type { Clock } from '../lib/time.ts';
import type { DemoEvaluationCourse } from './records/evaluation.ts';

export type DemoSecondFactorForm = 'result-1' | 'error-code-only' | 'result-2' | 'number-only' | 'service-only';

export type DemoSecondFactor =
  | 'none'
  | 'sms'
  | 'sms-two-phones'
  | 'sms-no-phone'
  | 'totp'
  | 'sms-then-totp'
  | 'certificate'
  | 'unknown-service';

export type DemoChallenge = 'off' | 'captcha' | 'sms' | 'sms-still-valid' | 'two-phones' | 'totp' | 'certificate';

export interface DemoMessage {
  readonly at: number;
  /** Of the request that sent it; empty if nothing was sent. */
  readonly path: string;
  readonly userid: string;
  readonly phone: string;
  readonly text: string;
}

/** The simulated upstreams, in the order of their ports. */
export const demoSystems = ['vpn', 'cas', 'jwc', 'aac', 'ldjlb', 'isim', 'competition', 'card'] as const;

export type DemoSystem = (typeof demoSystems)[number];

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
  | { readonly kind: 'second-factor'; readonly form?: DemoSecondFactorForm } // portal: the password was right, the session is half
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

export type DemoPortalMarker = 'svpn_name' | 'g_lines';

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
  /** Left out by option: a campus whose card system is not connected. */
  readonly cardUrl?: string;
}

export interface DemoRequest {
  readonly system: DemoSystem;
  readonly method: string;
  /** Without query, dynamic segments as `*`. */
  readonly path: string;
  /** Behind the TWFID, or the submitted name on login requests; null when unknown. */
  readonly userid: string | null;
}

/** A host by its name, and the first of eight ports in a row. */
export interface DemoPlace {
  readonly host: string;
  readonly firstPort: number;
}

export interface DemoOptions {
  readonly clock?: Clock;
  readonly latencyMs?: number;
  /** Where other machines find it, which makes it listen at all addresses; left out: on loopback, at any ports. */
  readonly place?: DemoPlace;
  /** False: the wiring leaves the card system out. */
  readonly card?: boolean;
  /** Told of every code that a phone of the campus receives, and of what an authenticator or an image shows. */
  readonly onMessage?: ((message: DemoMessage) => void) | undefined;
  /** Private RSA key (PEM) of the portal, for tests with recorded messages; a fresh one when left out. */
  readonly portalKeyPem?: string;
}

/** What a system answers, other than the campus that the records are written for. */
export type DemoPageVariant =
  /** Bytes under the name of another charset, or behind a byte order mark that it does not fit. */
  | 'GBK named UTF-8'
  | 'UTF-8 named GBK'
  | 'UTF-8 named ISO-8859-1'
  | 'byte order mark'
  /** Text of no charset: the last byte of every character is another one. */
  | 'damaged bytes'
  /** Academic affairs. */
  | 'score columns'
  | 'three terms'
  | 'other places'
  | 'weeks in the mask'
  | 'hours with seconds'
  | 'plan roots'
  | 'marks inside id'
  | 'negative marks'
  | 'exam texts';

/** A change holds from the next request on. */
export class DemoCampusSwitches {
  /** The other ways in which answers of all systems behind the portal are written. */
  pageVariants: readonly DemoPageVariant[] = [];
  /** How a mapped host shows a dead portal session: 302 to the portal, 200 portal page, 200 without body. */
  expiryStyle: 'redirect' | 'page' | 'empty' = 'redirect';
  /** The accepted login names a new TWFID; the one of the challenge stays valid beside it. */
  rotateTwfid = false;
  omitCsrf = false;
  omitExponent = false;
  /** The unified login answers without a portal session. */
  lenientCas = false;
  /** The unified login asks for a code after the right password, on a page unknown to every client. */
  unifiedLoginStep = false;
  /** The login page has a hidden form for phones before its own, with fields of the same names. */
  unifiedLoginForms: 'one' | 'two' = 'one';
  /** What the unified login says in place of a refusal of a wrong password, and whether it says so to a right one. */
  unifiedLoginWords: { readonly text: string; readonly also: 'wrong' | 'right' } | null = null;
  /** After the right password the unified login demands a new one, on its answer or by a redirect to another page. */
  unifiedLoginChange: 'off' | 'page' | 'redirect' = 'off';
  /** The login page of the unified login names a salt that passwords are to be encrypted with. */
  unifiedLoginSalt = false;
  /** Its page hands out a key for this cipher, and its script sends another form. Null: it is the one with `lt`. */
  unifiedLoginCroypto: 'des' | 'aes' | null = null;
  /** Where academic affairs leads with a service ticket: to itself, or with its scheme or port lost. */
  landing: 'itself' | 'https' | 'no port' | 'other host' = 'itself';
  /**
   * The unified login takes every browser for this student and hands out tickets at once, as one that goes by addresses
   * does; with `heedsRenew` it asks for the password where `renew=true` says so.
   */
  unifiedLoginKnows: { readonly userid: string; readonly heedsRenew: boolean } | null = null;
  /** The login page of the unified login shows an image, whose characters it wants beside the password. */
  unifiedLoginCaptcha = false;
  /** `Location` names inner hosts instead of mapped ones (where the inner host is a configured service). */
  innerHostLocations = false;
  invalidTicketAnswer: 'code' | 'http-500' | 'html' = 'code';
  serviceTicketSeconds = 10;
  /** Life of the tickets that activity score and labor club hand out. */
  applicationTicketSeconds = 604_800;
  portalIdleSeconds = 600;
  /** Failed portal attempts in a row after which a name is refused for 60 s. */
  lockoutAfter = 5;
  secondFactorForm: DemoSecondFactorForm = 'result-1';
  /** Which request sends the first message. */
  smsSender: 'login_sms' | 'login_psw' | 'post_sms' = 'login_sms';
  /** Between two messages; until then the portal repeats its last answer. */
  smsCooldownSeconds = 180;
  /** How the portal says that the last code still holds. */
  smsStillValid: 'seconds' | 'flag' | 'absent' = 'seconds';
  smsSuccess: 'envelope' | 'bare text' | '20021' | 'without TwfID' | 'new TwfID' = 'envelope';
  smsCodeSeconds = 300;
  totpSuccess: 'envelope' | 'bare text' | 'without TwfID' = 'envelope';
  /** When the portal wants an image typed: announced before the password, after three refused ones, or only afterwards. */
  captcha: 'off' | 'always' | 'after-3-failures' | 'unannounced' = 'off';
  captchaImage: 'ok' | 'html' | 'huge' = 'ok';
  /** How the portal says that an image is wanted, or that it was not read right. */
  captchaWords: 'number' | 'English' | 'Chinese' = 'number';
  /** The portal lets no account in by its policy: 20048, or the text alone. */
  loginPolicy: 'off' | 'number' | 'English' | 'Chinese' = 'off';
  /** The next step that an accepted login names: none, nothing, or 0 beside a session that is whole or half. */
  plainNextAuth: '-1' | 'absent' | '0 whole' | '0 half' = '-1';
  /** The portal answers every right password with "already logged in", beside a session that is whole or half. */
  alreadyLoggedIn: 'off' | 'whole' | 'half' = 'off';
  /** The portal accepts, but the hosts behind it do not know the session. */
  portalHolds = true;
  /** How the electricity site shows a dead session: 302 to its error page, or that page with status 200. */
  electricityExpiry: 'redirect' | 'page' = 'redirect';
  /** Pickers of the electricity site: script literals with bare keys, or strict JSON. */
  electricityLiterals: 'script' | 'json' = 'script';
  /**
   * Terms, exams, labor activities and meter readings follow the clock, and every day lies in a term. While false, the
   * campus stays in the spring of 2026 that its records are written for, with a vacation before and after the term.
   */
  datesMove = true;
  /** The evaluation season: while it is over, the entrance says so and the list is empty. */
  evaluationOpen = true;
  /** Seconds from opening a questionnaire until it may be submitted. */
  evaluationWaitSeconds = 4;
  /**
   * Questionnaires open side by side: `page` times each by itself. With `session`, opening one restarts the time of all.
   * With `latest`, it voids the tokens of the others.
   */
  evaluationClock: 'page' | 'session' | 'latest' = 'page';
  /** Rows of the other exams: objects, or arrays of nine columns with one row among them that is too short. */
  otherExamRows: 'objects' | 'arrays' = 'objects';
  /** Form of the whole record: groups below a member, or the bare list of an older campus. */
  schemeForm: 'lnList' | 'array' = 'lnList';
  /** The data address of the whole record has a separate segment for each session. */
  schemeSegment = true;
  /** Whether the campus has the page of the whole record: it may be missing, or name no data address. */
  schemePage: 'offered' | 'missing' | 'without address' = 'offered';
  /** Least seconds between two queries of the offerings; 0: none. */
  offeringsEverySeconds = 0;
  /** Form of the timetable of a class: below `data.kbInfo`, or the bare lists. */
  classTimetable: 'kbInfo' | 'lists' = 'kbInfo';
  emptyTerm: 'all' | 'current' = 'all';
  /** The page of a student's file shows another student's number. */
  foreignFile = false;
  /** The balance page: beside a bank balance, with the card's alone, below zero, or without any amount. */
  cardBalance: 'beside a bank' | 'alone' | 'negative' | 'missing' = 'beside a bank';
  /** A new mark of this term every so many minutes; 0: none beside those of the records. */
  markEveryMinutes = 0;
  /** A dead session of the card system: a redirect to its entrance, or a page without marks. */
  cardExpiry: 'redirect' | 'page' = 'redirect';
  /** Where these rows are: at the root, below `list`, or there while the root says null. */
  otherExamPlace: 'root' | 'list' | 'list beside null' = 'root';
}

/** Each takes effect at once, as if the campus had done it. */
export interface DemoStudentSwitches {
  expirePortal(): void;
  expireUnifiedLogin(): void;
  expireService(system: 'jwc' | 'isim' | 'competition' | 'card'): void;
  expireTicket(system: 'aac' | 'ldjlb'): void;
  setSecondFactor(kind: DemoSecondFactor): void;
  changePasswords(pair: { vpnPassword?: string; password?: string }): void;
  /** Replaces the evaluation list by that many pending courses; those in `refused` (from 1) refuse every submission. */
  setEvaluation(count: number, options?: { readonly refused?: readonly number[] }): void;
  /** The student has evaluated a course (from 1) by hand. */
  evaluateByHand(number: number): void;
  evaluations(): readonly DemoEvaluationCourse[];
  /** Ids of plans that were asked for, though the student's own page did not offer them. */
  foreignPlans(): readonly string[];
  /** Changes members of the academic summary; undefined takes one away. */
  setSummary(members: Readonly<Record<string, unknown>>): void;
}

export interface NewDemoStudent {
  readonly userid: string;
  readonly password: string;
  readonly vpnPassword: string;
  /** Without any row in activity score and labor club, and without a training plan. */
  readonly newcomer?: boolean;
  /** With more rows than a page holds: in activity score, labor club and the scores of a term, those of the second student. */
  readonly crowded?: boolean;
}

export interface DemoCampus {
  readonly wiring: DemoWiring;
  student(userid: string): DemoStudentSwitches;
  /** Copies the data of the first demo student. */
  addStudent(student: NewDemoStudent): void;
  fault(rule: DemoFaultRule): { remove(): void };
  clearFaults(): void;
  readonly switches: DemoCampusSwitches;
  /** Messages that phones received, the oldest first; the last thousand. */
  messages(): readonly DemoMessage[];
  totp(userid: string): string;
  /** Every request since start or the last reset, in order of arrival. */
  requests(filter?: Partial<DemoRequest>): readonly DemoRequest[];
  resetRequests(): void;
  /** Requests to the card system that would have paid, moved or bound something. */
  cardEffects(): number;
  close(): Promise<void>;
}
