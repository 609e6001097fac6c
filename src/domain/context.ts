import type { Deadline } from '../lib/deadline.ts';
import type { Scope } from './accounts/scopes.ts';
import type { Failure } from './errors.ts';
import type { CallReads, StudentMarks } from './reads/types.ts';

/** Structured log of one call; every line carries its trace id. Fields never hold secrets, forms, cookies or pages. */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/**
 * What travels with one API call (or one background job) through the domain. Members may be worked out when they are asked
 * for, and a spread copy lacks those. Declared as accessors of a class, they are lost for the compiler as well, so that a
 * spread copy is no call: it is handed on as it is, or by `withReads` and `withSignal`.
 */
export declare abstract class CallContext {
  /** 32 lower-case hex characters. */
  abstract get traceId(): string;
  /** Aborted with a `Failure` as reason: `client-gone`, or `timed-out` when the total deadline is over. */
  abstract get signal(): AbortSignal;
  /** Total deadline of the call, waiting lines and re-logins included. */
  abstract get deadline(): Deadline;
  abstract get log(): Log;
  /** Address of the caller behind trusted proxies; IPv6 not yet folded. Empty for background work. */
  abstract get address(): string;
  /** What came as bearer token, for calls that need none: an earlier token proves who logs in. Not yet looked up. */
  readonly bearer?: string | undefined;
  /** The `User-Agent` of the call, as it came. */
  readonly userAgent?: string | undefined;
  /** The address is over its limit of calls, which the operation was told instead of being refused. */
  readonly overLimit?: Failure | undefined;
  /** No caller waits for it: it makes do with a live session. */
  readonly unattended?: boolean | undefined;
  /** Of an unattended call that may sign in anyway: asked before a password is sent, and false forbids it. */
  readonly maySignIn?: (() => Promise<boolean>) | undefined;
  /** What the call says about the age of what it reads; left out: nothing. */
  readonly reads?: CallReads | undefined;
  /** Left out: it is not counted. */
  readonly trail?: CallTrail | undefined;
}

/** What a call is counted by once it is over, filled in on its way. */
export interface CallTrail {
  /** Null: not known, or no student's. */
  accessor: Accessor | null;
  askedCampus: boolean;
}

/** Where accesses to a student's data come from. */
export const accessSources = ['login', 'token', 'feed', 'hook', 'operator'] as const;
export type AccessSource = (typeof accessSources)[number];

/** What gives access to a student's data. */
export interface Accessor {
  readonly userid: string;
  readonly source: AccessSource;
  /** Of the token, feed or hook. */
  readonly id: string | null;
  readonly name: string | null;
}

const derived = (context: CallContext, own: Partial<Pick<CallContext, 'reads' | 'signal'>>): CallContext => {
  const { traceId, signal, deadline, log, address, bearer, userAgent, unattended, maySignIn, reads, trail } = context;
  return { traceId, signal, deadline, log, address, bearer, userAgent, unattended, maySignIn, reads, trail, ...own };
};

/** The same call with other cache directives. */
export const withReads = (context: CallContext, reads: CallReads): CallContext => derived(context, { reads });

/** The same call with another signal. */
export const withSignal = (context: CallContext, signal: AbortSignal): CallContext => derived(context, { signal });

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The student behind a verified token. */
export interface Student {
  readonly userid: string;
  /** What the token's look into storage found beside it; left out: not looked up yet. */
  readonly marks?: StudentMarks;
  /** What names the student in log lines, where it has been worked out already. */
  readonly tag?: string;
  /** Under which the token is stored, where a token was looked up. */
  readonly tokenHash?: string;
  /** When a login issued it, epoch ms. */
  readonly issuedAt?: number;
  /** What the token may do; left out: everything, because a login has issued it. */
  readonly personal?: PersonalGrant | undefined;
  readonly accessor?: Accessor;
}

/** What a personal token may do. */
export interface PersonalGrant {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** It never causes a request at the campus. */
  readonly copiesOnly: boolean;
}
