import type { Deadline } from '../lib/deadline.ts';
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
 * for: a spread copy would lack them.
 */
export interface CallContext {
  /** 32 lower-case hex characters. */
  readonly traceId: string;
  /** Aborted with a `Failure` as reason: `client-gone`, or `timed-out` when the total deadline is over. */
  readonly signal: AbortSignal;
  /** Total deadline of the call, waiting lines and re-logins included. */
  readonly deadline: Deadline;
  readonly log: Log;
  /** Address of the caller behind trusted proxies; IPv6 not yet folded. Empty for background work. */
  readonly address: string;
  /** What came as bearer token, for calls that need none: a token of earlier proves who logs in. Not yet looked up. */
  readonly bearer?: string | undefined;
  /** What the call says about the age of what it reads; left out: nothing. */
  readonly reads?: CallReads;
}

/** The same call, which says something else about the age of what it reads. */
export const withReads = (context: CallContext, reads: CallReads): CallContext => {
  const { traceId, signal, deadline, log, address } = context;
  return { traceId, signal, deadline, log, address, reads };
};

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The student behind a verified token. */
export interface Student {
  readonly userid: string;
  /** What the token's look into storage found beside it; left out: not looked up yet. */
  readonly marks?: StudentMarks;
  /** What names the student in log lines, where it has been worked out already. */
  readonly tag?: string;
  /** SHA-256 of the token, where a token was looked up. */
  readonly tokenHash?: string;
}
