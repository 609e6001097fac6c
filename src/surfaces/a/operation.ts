import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Academics } from '../../domain/academics/academics.ts';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { ActivityScore } from '../../domain/activity-score/activity-score.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { asFailure, type FailureKind } from '../../domain/errors.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { Profiles } from '../../domain/profiles/profiles.ts';
import type { Clock } from '../../lib/clock.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { ByteBudget } from '../../platform/byte-budget.ts';
import { logFailure } from '../../platform/failure-log.ts';
import type { LargeBodies } from '../../platform/large-bodies.ts';
import type { RequestLimits } from '../../platform/limits.ts';
import { noteForLog } from '../../platform/request-log.ts';
import { createAuthentication } from './auth.ts';
import { type ReceivedBody, receivedBody } from './body.ts';
import { routeSchema } from './documents.ts';
import { answerError } from './error-handler.ts';
import { answerOf, bodyTooLarge, type OperationGroup, type Overrides } from './failures.ts';
import { InvalidBody } from './invalid-body.ts';
import { sendAs, sendFailure, sendInvalidBody } from './reply.ts';
import { successOf } from './schemas/envelope.ts';
import { type BodyForm, bodyReader } from './validation.ts';

/** What this surface needs of the service. */
export interface SurfaceADeps {
  readonly accounts: Accounts;
  readonly academics: Academics;
  readonly activityScore: ActivityScore;
  readonly evaluation: Evaluation;
  readonly profiles: Profiles;
  readonly clock: Clock;
  /** Of date-times in answers. */
  readonly timeZone: string;
  readonly contextOf: (request: FastifyRequest) => CallContext;
  /** Calls per token and per address; left out: not limited here. */
  readonly limits?: RequestLimits;
  /** Bounds the memory of large answers; left out: not bounded. */
  readonly answers?: ByteBudget;
  /** Bounds large bodies, which anybody may send, since the token is inside; left out: not bounded. */
  readonly bodies?: LargeBodies;
  /** Whether an address may have any number of large bodies under way. */
  readonly isTrustedCaller?: (address: string) => boolean;
}

/** For calls that carry images. */
interface Large {
  /** Largest body in bytes and in structural characters, and what is said about a larger one; left out: the usual. */
  readonly body?: { readonly limit: number; readonly structureLimit: number; readonly tooLarge: string };
}

interface Description<B extends TObject, D extends TSchema> {
  /** Below the prefix, e.g. `/user/login`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly group: OperationGroup;
  readonly form: BodyForm;
  readonly body: B;
  /** The envelope as documented. */
  readonly response: TObject;
  readonly data: D;
  readonly example: { readonly body: Static<B>; readonly message: string; readonly data: Static<D> };
  /** Failures of its own, for the document; what every operation of the group can answer is added. */
  readonly fails: readonly FailureKind[];
  readonly overrides?: Overrides;
  readonly large?: Large;
  /** Largest body in bytes, where it differs from the usual and carries no images. */
  readonly bodyLimit?: number;
  /** Payload of failures whose code is 401, where the operation has one. */
  readonly signedOutData?: Static<D>;
  /** Typed answers that are neither success nor failure, for the document. */
  readonly refusals?: ReadonlyArray<{
    readonly name: string;
    readonly code: number;
    readonly message: string;
    readonly data: Static<D>;
  }>;
  /** Payload of failures in the document, where `failureData` gives them one. */
  readonly failedData?: Static<D>;
}

/** The message defaults to the one of the example. */
interface Outcome<D extends TSchema> {
  /** 200 unless the operation refuses in its own typed answer. */
  readonly code?: number;
  readonly data: Static<D>;
  readonly message?: string;
}

/** Anybody may call it. */
export interface OpenOperation<B extends TObject, D extends TSchema> extends Description<B, D> {
  run(body: Static<B>, context: CallContext): Promise<Outcome<D>>;
}

/** For the student behind a token of the body. */
export interface StudentOperation<B extends TObject, D extends TSchema> extends Description<B, D> {
  token(body: Static<B>): string;
  run(student: Student, body: Static<B>, context: CallContext): Promise<Outcome<D>>;
  /** Payload of this student's failures, where it is not null. */
  failureData?(student: Student): Promise<Static<D>>;
}

/** A failure on its way to the answer with the payload that its operation gives it. */
class FailedWithData extends Error {
  readonly data: unknown;

  constructor(cause: unknown, data: unknown) {
    super('operation failed', { cause });
    this.data = data;
  }
}

const byteLength = (payload: unknown): number =>
  typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;

const largeOptions = ({ body }: Large, answers: ByteBudget | undefined): RouteShorthandOptions =>
  body === undefined
    ? { onSend: async (_request, reply, payload) => answers?.hold(reply, byteLength(payload)) }
    : {
        config: { slowBody: true, structureLimit: body.structureLimit },
        bodyLimit: body.limit,
        onSend: async (_request, reply, payload) => answers?.count(reply, byteLength(payload)),
      };

const addRoute = <B extends TObject, D extends TSchema>(
  scope: FastifyInstance,
  { contextOf, answers }: Pick<SurfaceADeps, 'contextOf' | 'answers'>,
  operation: Description<B, D>,
  run: (body: Static<B>, context: CallContext, request: FastifyRequest) => Promise<Outcome<D>>,
): void => {
  const { path, group, overrides, example, signedOutData } = operation;
  const read = bodyReader(operation.body, operation.form);
  const success = successOf(operation.data);
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    received: ReceivedBody,
  ): Promise<FastifyReply> => {
    const context = contextOf(request);
    try {
      // The complete body comes first: an invalid call must not cost a look-up, let alone a sign-in at the campus.
      const body = read(received);
      // Nothing is begun for a client that left, or was told that its time is over, while its body was on the way.
      context.signal.throwIfAborted();
      // The domain heeds the signal; the race keeps the promise should a wait in it not do so.
      const {
        code = 200,
        data,
        message = example.message,
      } = await raceSignal(run(body, context, request), context.signal);
      return sendAs(reply, success, { code, message, data });
    } catch (thrown) {
      const error = thrown instanceof FailedWithData ? thrown.cause : thrown;
      if (error instanceof InvalidBody) {
        noteForLog(request, { failure: 'invalid-body' });
        return sendInvalidBody(reply, error);
      }
      const failure = asFailure(error);
      const answered = answerOf(failure, group, overrides);
      noteForLog(request, { failure: failure.kind });
      logFailure(context.log, failure, answered.code);
      if (thrown instanceof FailedWithData) return sendFailure(reply, answered, { schema: success, data: thrown.data });
      return answered.code === 401 && signedOutData !== undefined
        ? sendFailure(reply, answered, { schema: success, data: signedOutData })
        : sendFailure(reply, answered);
    }
  };
  scope.post(path, {
    schema: routeSchema(operation),
    ...(operation.bodyLimit === undefined ? {} : { bodyLimit: operation.bodyLimit }),
    ...(operation.large ? largeOptions(operation.large, answers) : {}),
    handler: (request, reply) => answer(request, reply, receivedBody(request.body)),
    // A content type that cannot even be taken apart is refused before the parser; it is not JSON all the same.
    errorHandler: (error, request, reply) => {
      if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return answer(request, reply, { kind: 'text' });
      const { tooLarge } = operation.large?.body ?? {};
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' && tooLarge !== undefined) {
        return sendFailure(reply, { ...bodyTooLarge, message: tooLarge });
      }
      return answerError(error, request, reply);
    },
  });
};

export const addOpenOperation = <B extends TObject, D extends TSchema>(
  scope: FastifyInstance,
  deps: SurfaceADeps,
  operation: OpenOperation<B, D>,
): void => addRoute(scope, deps, operation, (body, context) => operation.run(body, context));

const runFor = async <B extends TObject, D extends TSchema>(
  operation: StudentOperation<B, D>,
  student: Student,
  body: Static<B>,
  context: CallContext,
): Promise<Outcome<D>> => {
  try {
    return await operation.run(student, body, context);
  } catch (error) {
    const data = await operation.failureData?.(student);
    throw data === undefined ? error : new FailedWithData(error, data);
  }
};

export const addStudentOperation = <B extends TObject, D extends TSchema>(
  scope: FastifyInstance,
  deps: SurfaceADeps,
  operation: StudentOperation<B, D>,
): void => {
  const authenticate = createAuthentication(deps.accounts, deps.limits);
  addRoute(scope, deps, operation, async (body, context, request) =>
    runFor(operation, await authenticate(request, operation.token(body)), body, context),
  );
};
