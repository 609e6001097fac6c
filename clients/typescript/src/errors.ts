import type { components } from './api.ts';
import { operations } from './operations.ts';

/** Codes of the paths with the bearer header. Those below `/api/v1` are numbers. */
export type ErrorCode = components['schemas']['ErrorCode'];

/**
 * What the client itself finds: no connection, no answer in time, an answer that is not the service's, or a value of the
 * path that is missing, for which nothing is sent.
 */
type ClientCode = 'NETWORK' | 'NO_ANSWER' | 'NOT_THE_SERVICE' | 'MISSING_VALUE';

/** Where at the campus a call failed. */
export type FailedSystem = components['schemas']['FailedSystem'];
/** Why, where the code alone leaves it open. */
export type FailureReason = components['schemas']['FailureReason'];

/** One defect of a request; `ctx` has the limit that was broken. */
export type Detail = Readonly<components['schemas']['ValidationErrorDetail']>;

/** Codes of services that are newer than this client are texts and numbers too. */
type Code = ErrorCode | ClientCode | number | (string & Record<never, never>);

/**
 * What to do about a failure.
 *
 * - `log-in`: the token has ended.
 * - `new-passwords`: the campus refuses these; never repeat them.
 * - `register`: no account here.
 * - `answer`: the student has to answer something: `withPerson` for a login or registration, `renewWithPerson` for a read.
 * - `see-portal`: the student signs in at the portal once and then logs in here; `message` says so.
 * - `wait`: as long as `retryAfter` says, or a minute.
 * - `try-again`: once, then tell the student.
 * - `look-first`: a write whose answer was lost. Never send it again before its result was looked at.
 * - `tell`: nothing that a program could do; show `message`.
 * - `ask-campus`: there is no copy. Call without `onlyIfCached` when the student can wait.
 * - `mend`: the request is wrong, or the message says why it can not be.
 */
export type Advice =
  | 'log-in'
  | 'new-passwords'
  | 'register'
  | 'answer'
  | 'see-portal'
  | 'wait'
  | 'try-again'
  | 'look-first'
  | 'tell'
  | 'ask-campus'
  | 'mend';

export interface ErrorParts {
  /** The operation that was called. */
  readonly operation: string;
  readonly code: Code;
  readonly message: string;
  /** HTTP status; 0 where there was no answer. */
  readonly status?: number;
  readonly retryAfter?: number | null;
  readonly traceId?: string | null;
  readonly retryable?: boolean;
  readonly system?: FailedSystem | null;
  readonly reason?: FailureReason | null;
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
  LOGIN_CHALLENGE: 'answer',
  428: 'answer',
  NO_COPY: 'ask-campus',
  MISSING_VALUE: 'mend',
};

/** Judges passwords or codes: repeating it is for the student, never for a program. */
const isAttempt = (operation: string): boolean =>
  /(?:login|register|verifyInviteCode|(?:begin|send|answer)Challenge)$/i.test(operation);

/** What is not done on the page of the portal itself. */
const canAnswer = (kind: string | undefined): boolean => kind !== undefined && kind !== 'elsewhere';

/** Changes nothing, so that nothing is lost when it is repeated. */
const isRead = (operation: string): boolean =>
  operation.startsWith('v1')
    ? /^v1(?:Fetch|Get|Authme|EvaluationStatus|CurrentEvaluation)/.test(operation)
    : operations[operation as keyof typeof operations]?.method === 'GET';

/** A call that failed. `code` is for programs, `message` for people. */
export class CampusError extends Error {
  readonly operation: string;
  readonly code: Code;
  readonly status: number;
  /** Seconds to wait before the next try, where the service knows them. */
  readonly retryAfter: number | null;
  /** Names the call in the log of the service; tell it to the operator. */
  readonly traceId: string | null;
  /**
   * The service says that the same call may be sent once more, after `retryAfter` or a few seconds. False where it says
   * nothing, as below `/api/v1`.
   */
  readonly retryable: boolean;
  readonly system: FailedSystem | null;
  readonly reason: FailureReason | null;
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
    this.retryable = more.retryable ?? false;
    this.system = more.system ?? null;
    this.reason = more.reason ?? null;
    this.details = more.details ?? [];
    this.data = more.data ?? null;
    this.cause = more.cause;
  }

  /**
   * What the campus wants of the student; null where it is nothing. Without an `id` nothing is open, and what is wanted
   * is all that is said.
   */
  get challenge(): Readonly<components['schemas']['LoginChallenge']> | null {
    const challenge: unknown = Object(this.data).challenge;
    const isOne = typeof challenge === 'object' && challenge !== null && 'kind' in challenge;
    return isOne ? (challenge as components['schemas']['LoginChallenge']) : null;
  }

  /** The token has ended: log in again, with that token. */
  get tokenEnded(): boolean {
    return this.advice === 'log-in';
  }

  /** What docs/use/errors.md tells authors of clients to do. */
  get advice(): Advice {
    const { code, message, operation, status } = this;
    const advice = byCode[code];
    if (advice !== undefined) return advice;
    if (code === 'PERSON_NEEDED')
      return canAnswer(this.challenge?.kind) && !isAttempt(operation) ? 'answer' : 'see-portal';
    if (code === 'CREDENTIALS_INVALID') return operation === 'login' ? 'register' : 'new-passwords';
    if (code === 400) {
      // Below /api/v1 nothing but the text tells these from other refusals.
      if (message === '用户不存在') return 'register';
      if (message.includes('门户要求')) return message.includes('重新登录并') ? 'answer' : 'see-portal';
      return message.includes('检查用户名和密码') ? 'new-passwords' : 'mend';
    }
    if (code === 403 && isAttempt(operation)) return 'see-portal';
    const number = typeof code === 'number' ? code : status;
    if (this.retryAfter !== null || number === 429 || number === 503) return 'wait';
    if (this.retryable) return 'try-again';
    if (number >= 400 && number < 500) return 'mend';
    if (isAttempt(operation)) return 'tell';
    if (!isRead(operation)) return 'look-first';
    // The service would have said that it helps; below /api/v1 and on the way there it is not said.
    const isSaid = typeof code === 'string' && status >= 500 && code !== 'NOT_THE_SERVICE';
    return isSaid ? 'tell' : 'try-again';
  }
}

/** Also true for an error of another copy of this package, as of its CommonJS form beside the other. */
export const isCampusError = (value: unknown): value is CampusError =>
  value instanceof Error && value.name === 'CampusError' && 'advice' in value;
