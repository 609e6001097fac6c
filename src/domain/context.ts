import type { Deadline } from '../lib/time.ts';
import type { Failure, SignInStep } from './errors.ts';
import type { Scope } from './scopes.ts';

/** Every line carries the trace id of its call. Fields never hold secrets, forms, cookies or pages. */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/**
 * Travels with one API call, or one background job, through the domain. It is handed on as it is, or by `withReads` and
 * `withSignal`: a spread copy lacks the members that are worked out on demand. They are declared as accessors of a class so
 * that the compiler refuses such a copy.
 */
export declare abstract class CallContext {
  /** 32 lower-case hex characters. */
  abstract get traceId(): string;
  /** Aborted with a `Failure` as reason: `client-gone`, or `timed-out` when the total deadline is over. */
  abstract get signal(): AbortSignal;
  /** Deadline of the whole call, including queues and renewals. */
  abstract get deadline(): Deadline;
  abstract get log(): Log;
  /** Address of the caller behind trusted proxies; IPv6 not yet folded. Empty for background work. */
  abstract get address(): string;
  /** The bearer token of a call that needs none, not yet looked up: an earlier token proves who logs in. */
  readonly bearer?: string | undefined;
  /** The `User-Agent` of the call, as it came. */
  readonly userAgent?: string | undefined;
  /** No caller waits for it, so it does nothing without a live session. */
  readonly unattended?: boolean | undefined;
  /** Lets an unattended call sign in: asked before a password is sent, and false forbids it. */
  readonly maySignIn?: (() => Promise<boolean>) | undefined;
  readonly reads?: CallReads | undefined;
  /** Left out: it is not counted. */
  readonly trail?: CallTrail | undefined;
}

/** Ages in seconds; null: not said. */
export interface CacheDirectives {
  /** Ask the campus. */
  readonly noCache: boolean;
  /** `noCache` has come in the form in which `fetch` adds it to a call with `If-None-Match`; see `ignoreNoCacheOfFetch`. */
  readonly noCacheOfFetch: boolean;
  /** Replaces the freshness of the read. */
  readonly maxAge: number | null;
  /** Beyond its freshness; Infinity: any age. */
  readonly maxStale: number | null;
  /** Do not ask the campus. */
  readonly onlyIfCached: boolean;
  /** The oldest copy that may be served when the campus fails. */
  readonly staleIfError: number | null;
  /** How far past its freshness a copy may answer while a reading runs in the background. */
  readonly staleWhileRevalidate: number | null;
  /** Values read by this call are not stored. */
  readonly noStore: boolean;
}

export const noDirectives: CacheDirectives = {
  noCache: false,
  noCacheOfFetch: false,
  maxAge: null,
  maxStale: null,
  onlyIfCached: false,
  staleIfError: null,
  staleWhileRevalidate: null,
  noStore: false,
};

/** Answers with a copy of any age and never asks the campus. */
export const copiesOnly: CacheDirectives = { ...noDirectives, onlyIfCached: true };

/** Where a value came from. `revalidating`: a copy, while a reading runs in the background. */
export type ReadSource = 'asked' | 'asked-on-request' | 'joined' | 'revalidating' | 'copy' | 'stale-if-error';

export interface ReadNote {
  readonly source: ReadSource;
  /** Start of the reading at the campus, epoch ms. */
  readonly readAt: number;
  /** Older than its freshness: the answer has to say so. */
  readonly old: boolean;
  /** The same object as long as it is the same reading in memory. */
  readonly value: unknown;
  /** Why a stale copy is served. */
  readonly failure?: Failure;
}

export interface CallReads {
  readonly directives: CacheDirectives;
  note(note: ReadNote): void;
  /** Allows a stale copy for the current read, and so a moment's wait past the call's own deadline. */
  allowStaleIfError(): void;
  /** The answer lacks a part: it is no value that could be told again by a tag. */
  lacksPart(): void;
  /** Runs `work` once the answer to the call has left, or at once when it has. */
  afterAnswer(work: () => void): void;
}

/** Those of a call that says nothing about them. */
export const silentReads: CallReads = {
  directives: noDirectives,
  note: () => {},
  allowStaleIfError: () => {},
  lacksPart: () => {},
  afterAnswer: (work) => work(),
};

export const writtenApplications = ['academics', 'labor-club', 'electricity'] as const;
export type WrittenApplication = (typeof writtenApplications)[number];

export interface WriteMark {
  /** Grows at the beginning and at the end of every write. */
  readonly count: number;
  /** Until then a write may be under way; epoch ms, 0: none. */
  readonly until: number;
}

/** The student's row at the beginning of a call. */
export interface StudentMarks {
  readonly generation: number;
  /** Null: the stored pair is good. */
  readonly refusedStep: SignInStep | null;
  readonly roomCode: string | null;
  readonly writes: Readonly<Record<WrittenApplication, WriteMark>>;
}

export interface CallTrail {
  askedCampus: boolean;
}

/** With every member, so that the compiler names one that a derived call would lose. */
type WholeCall = { readonly [M in keyof Required<CallContext>]: CallContext[M] };

/** Asks the call itself for what is not its own: most members are worked out when they are asked for. */
class DerivedCall implements WholeCall {
  readonly #call: CallContext;
  readonly #own: Partial<CallContext>;

  constructor(call: CallContext, own: Partial<CallContext>) {
    this.#call = call;
    this.#own = own;
  }

  get traceId(): string {
    return this.#own.traceId ?? this.#call.traceId;
  }

  get signal(): AbortSignal {
    return this.#own.signal ?? this.#call.signal;
  }

  get deadline(): Deadline {
    return this.#own.deadline ?? this.#call.deadline;
  }

  get log(): Log {
    return this.#own.log ?? this.#call.log;
  }

  get address(): string {
    return this.#own.address ?? this.#call.address;
  }

  get bearer(): CallContext['bearer'] {
    return this.#member('bearer');
  }

  get userAgent(): CallContext['userAgent'] {
    return this.#member('userAgent');
  }

  get unattended(): CallContext['unattended'] {
    return this.#member('unattended');
  }

  get maySignIn(): CallContext['maySignIn'] {
    return this.#member('maySignIn');
  }

  get reads(): CallContext['reads'] {
    return this.#member('reads');
  }

  get trail(): CallContext['trail'] {
    return this.#member('trail');
  }

  /** A member that a call need not have: undefined means that it has none. */
  #member<M extends keyof CallContext>(name: M): Partial<CallContext>[M] {
    return name in this.#own ? this.#own[name] : this.#call[name];
  }
}

/** The same call with other members; one given as undefined is missing in it. */
export const derivedCall = (call: CallContext, own: Partial<CallContext>): CallContext => new DerivedCall(call, own);

export const withReads = (context: CallContext, reads: CallReads): CallContext => derivedCall(context, { reads });

export const withSignal = (context: CallContext, signal: AbortSignal): CallContext => derivedCall(context, { signal });

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The student behind a verified token. */
export interface Student {
  readonly userid: string;
  /** Found in storage together with the token; missing before that. */
  readonly marks?: StudentMarks;
  /** The student's name in log lines, once it has been worked out. */
  readonly tag?: string;
  readonly tokenHash?: string;
  /** When a login issued it, epoch ms. */
  readonly issuedAt?: number;
  /** Missing where a login has issued the token, which may do everything. */
  readonly personal?: PersonalGrant | undefined;
}

export interface PersonalGrant {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** It never causes a request at the campus. */
  readonly copiesOnly: boolean;
}
