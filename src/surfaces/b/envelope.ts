import { createTimestamper } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ProblemKind, ProblemShape } from '../../platform/problems.ts';
import { type ErrorCode, errorTable } from './errors.ts';

/** One defect of a request as it is sent, in the language of the client. */
export interface Detail {
  readonly loc: ReadonlyArray<string | number>;
  readonly msg: string;
  readonly type: string;
}

export interface SuccessBody<D> {
  readonly success: true;
  readonly message: string;
  readonly data: D;
  readonly error: null;
  readonly timestamp: string;
}

/** An answer that carries what the campus decided; a refusal is no failure of the call. */
export interface DecisionBody<D> extends Omit<SuccessBody<D>, 'success'> {
  readonly success: boolean;
}

/** What the campus decided. */
export interface Decided<D> {
  readonly accepted: boolean;
  readonly message: string;
  readonly data: D;
}

export interface FailureBody {
  readonly success: false;
  readonly message: string;
  /** Null, except where an operation says otherwise. */
  readonly data: unknown;
  readonly error: {
    readonly message: string;
    readonly code: ErrorCode;
    readonly trace_id: string;
    readonly details?: readonly Detail[];
  };
  readonly timestamp: string;
}

/** The one form of every JSON answer; member order as documented. Timestamps are campus time, never the host's. */
export interface Envelopes {
  success<D>(message: string, data: D): SuccessBody<D>;
  decision<D>(accepted: boolean, message: string, data: D): DecisionBody<D>;
  failure(entry: {
    code: ErrorCode;
    message?: string;
    traceId: string;
    details?: readonly Detail[];
    data?: unknown;
  }): FailureBody;
}

export const createEnvelopes = (clock: Clock, timeZone: string): Envelopes => {
  const at = createTimestamper(timeZone);
  const timestamp = () => at(clock.now());
  return {
    success: (message, data) => ({ success: true, message, data, error: null, timestamp: timestamp() }),
    decision: (success, message, data) => ({ success, message, data, error: null, timestamp: timestamp() }),
    failure: ({ code, message = errorTable[code].message, traceId, details, data = null }) => ({
      success: false,
      message,
      data,
      error: { message, code, trace_id: traceId, ...(details === undefined ? {} : { details }) },
      timestamp: timestamp(),
    }),
  };
};

const problemCodes: Readonly<Record<ProblemKind, ErrorCode>> = {
  'not-found': 'NOT_FOUND',
  'method-not-allowed': 'METHOD_NOT_ALLOWED',
  'too-many-requests': 'COOLDOWN',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'SERVER_ERROR',
};

/** How this surface words what the platform answers by itself. */
export const problemShapeB =
  (envelopes: Envelopes): ProblemShape =>
  ({ kind }, traceId) =>
    envelopes.failure({ code: problemCodes[kind], traceId });
