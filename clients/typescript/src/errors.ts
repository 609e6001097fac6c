import type { components } from './api.ts';

/** Codes of the paths with the bearer header. Those below `/api/v1` are numbers. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** What the client itself finds: no connection, no answer in time, or an answer that is not the service's. */
type ClientCode = 'NETWORK' | 'NO_ANSWER' | 'NOT_THE_SERVICE';

export interface Detail {
  readonly loc: ReadonlyArray<string | number>;
  readonly msg: string;
  readonly type: string;
}

/** Codes of services that are newer than this client are texts and numbers too. */
type Code = ErrorCode | ClientCode | number | (string & Record<never, never>);

/**
 * What to do about a failure. `log-in`: the token has ended. `new-passwords`: the campus refuses these; never repeat
 * them. `register`: not known here. `wait`: as long as `retryAfter` says. `try-again`: once, then tell the student; after
 * a write, look at its result first. `mend`: the request is wrong, or the message says why it can not be.
 */
export type Advice = 'log-in' | 'new-passwords' | 'register' | 'wait' | 'try-again' | 'mend';

export interface ErrorParts {
  /** The operation that was called. */
  readonly operation: string;
  readonly code: Code;
  readonly message: string;
  /** HTTP status; 0 where there was no answer. */
  readonly status?: number;
  readonly retryAfter?: number | null;
  readonly traceId?: string | null;
  readonly details?: readonly Detail[];
  readonly data?: unknown;
  readonly cause?: unknown;
}

const byCode: Readonly<Record<string, Advice>> = {
  INVALID_AUTHENTICATION: 'log-in',
  401: 'log-in',
  REMOTE_CREDENTIALS_INVALID: 'new-passwords',
  USER_NEED_RESET_PASSWORD: 'new-passwords',
  EC_PASSWORD_ERROR: 'new-passwords',
  UAAP_PASSWORD_ERROR: 'new-passwords',
};

/** A call that failed. `code` is for programs, `message` for people. */
export class CampusError extends Error {
  readonly operation: string;
  readonly code: Code;
  readonly status: number;
  /** Seconds to wait before the next try, where the service knows them. */
  readonly retryAfter: number | null;
  /** Names the call in the log of the service; tell it to the operator. */
  readonly traceId: string | null;
  /** What is wrong with the request, for 422. */
  readonly details: readonly Detail[];
  /** The payload of a failure that has one, as the state of the evaluation task. */
  readonly data: unknown;
  override readonly cause: unknown;

  constructor({ operation, code, message, status = 0, retryAfter = null, traceId = null, ...more }: ErrorParts) {
    super(message);
    this.name = 'CampusError';
    this.operation = operation;
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.traceId = traceId;
    this.details = more.details ?? [];
    this.data = more.data ?? null;
    this.cause = more.cause;
  }

  /** The token has ended: log in again, with that token. */
  get tokenEnded(): boolean {
    return this.advice === 'log-in';
  }

  /** What docs/errors.md tells authors of clients to do. */
  get advice(): Advice {
    const { code, message, operation, status } = this;
    const known = byCode[code];
    if (known !== undefined) return known;
    if (code === 'CREDENTIALS_INVALID') return operation === 'login' ? 'register' : 'new-passwords';
    if (code === 400) {
      // Below /api/v1 nothing but the text tells these from other refusals.
      if (message === '用户不存在') return 'register';
      return message.includes('检查用户名和密码') ? 'new-passwords' : 'mend';
    }
    const number = typeof code === 'number' ? code : status;
    if (this.retryAfter !== null || number === 429 || number === 503) return 'wait';
    return number === 0 || number >= 500 ? 'try-again' : 'mend';
  }
}
