import type { CampusWiring } from '../campus/wiring.ts';
import type { CampusIdentity } from '../lib/campus-identity.ts';

export type Environment = 'development' | 'test' | 'production';
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** One finding about the configuration. `problem` describes the given value and never repeats a secret. */
export interface Finding {
  readonly key: string;
  readonly problem: string;
  /** What to do about it. */
  readonly hint: string;
}

export interface InviteSeed {
  readonly code: string;
  /** null: no limit. */
  readonly maxUses: number | null;
}

/** Answers of the evaluation as an operator has written them; null: the built-in ones. */
export interface AnswerPools {
  readonly overall: readonly string[] | null;
  readonly inspiration: readonly string[] | null;
  readonly suggestion: readonly string[] | null;
  /** Share of ratings with the full mark, 0 to 1. */
  readonly fullMarkShare: number | null;
}

/** Days of the campus that differ from its timetable; `YYYY-MM-DD`. */
export interface CalendarAdjustments {
  /** Without classes. */
  readonly daysOff: readonly string[];
  /** The classes of `from` are held on `to`. */
  readonly moved: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

interface WiredCampus {
  readonly kind: 'wired';
  readonly wiring: CampusWiring;
}

/** The in-process demo campus. */
interface DemoCampusChoice {
  readonly kind: 'demo';
}

/** Everything that can be set, checked and frozen. Times are milliseconds. */
export interface Config {
  readonly environment: Environment;
  readonly server: {
    readonly host: string;
    /** 0: the system chooses. */
    readonly port: number;
    /** Address clients reach the service at, without a trailing slash; null: the address it listens on. */
    readonly publicUrl: string | null;
    /** Addresses and networks in CIDR form; empty: nobody is believed. */
    readonly trustedProxies: readonly string[];
    /** Own backends that call for many students: no limit per address or network applies to them. */
    readonly trustedCallers: readonly string[];
    readonly maxConnections: number;
    readonly limits: {
      /** Calls per minute of one valid token. */
      readonly callsPerToken: number;
      /** Calls per minute of one address without a valid token. */
      readonly callsPerAddress: number;
    };
    /** `['*']` or a list of origins. */
    readonly corsOrigins: readonly string[];
    /** Total deadline of one API call. */
    readonly requestTimeoutMs: number;
  };
  readonly shutdown: {
    /** Time between the signal to end and the first refused call. */
    readonly drainMs: number;
  };
  readonly log: { readonly level: LogLevel };
  readonly docs: {
    readonly enabled: boolean;
    /** Where `GET /` redirects. */
    readonly url: string;
  };
  readonly metrics: { readonly enabled: boolean };
  readonly storage:
    | { readonly kind: 'sqlite' /** File path, or `:memory:`. */; readonly path: string }
    | { readonly kind: 'postgres'; readonly url: string };
  /** The first one encrypts, all decrypt. Never empty. */
  readonly secretKeys: readonly Buffer[];
  readonly accounts: {
    readonly tokenTtlMs: number;
    /** Absolute life of a token. */
    readonly tokenMaxMs: number;
    /** Refused logins per minute of one address. */
    readonly refusalsPerAddress: number;
    /** How many pairs the campus may refuse for one student in 24 hours. */
    readonly campusRefusalsPerDay: number;
    readonly adminUserIds: readonly string[];
    /** Codes to create at start when they do not exist yet; in demo mode with the demo code. */
    readonly inviteCodes: readonly InviteSeed[];
  };
  readonly campus: (DemoCampusChoice | WiredCampus) & {
    /** The campus that the database must belong to. */
    readonly identity: CampusIdentity;
    readonly timeZone: string;
    /** Connections per upstream origin. */
    readonly connections: number;
    /** Deadline of one upstream attempt; below the deadline of the call. */
    readonly attemptMs: number;
    /** True: the portal's certificate is not verified (the portal's only). */
    readonly vpnInsecureTls: boolean;
    /** Body of the scan sign-in at the labor club. */
    readonly scanSignBody: 'form' | 'json';
  };
  readonly reads: {
    readonly freshSeconds: number;
    readonly staleIfErrorSeconds: number;
    /** 0: no copies are kept. */
    readonly copyMaxMs: number;
  };
  readonly calendar: { readonly adjustments: CalendarAdjustments };
  /** The demo campus answers nothing but failures. */
  readonly demoNight: boolean;
  readonly evaluation: {
    readonly waitMs: number;
    readonly pauseMs: number;
    readonly plan: 'overlapped' | 'sequential';
    readonly openEveryMs: number;
    readonly maxRunning: number;
    /** null: everything built in. */
    readonly answers: AnswerPools | null;
  };
  /** Findings that do not prevent the start. */
  readonly warnings: readonly Finding[];
}
