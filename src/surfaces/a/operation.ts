import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Academics } from '../../domain/academics/academics.ts';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { ActivityScore } from '../../domain/activity-score/activity-score.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { Profiles } from '../../domain/profiles/profiles.ts';
import { noteReads } from '../../domain/reads/call-reads.ts';
import { nothingSaid } from '../../domain/reads/types.ts';
import { createTimestamper } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ByteBudget } from '../../platform/byte-budget.ts';
import { runCall } from '../../platform/call.ts';
import type { LargeBodies } from '../../platform/large-bodies.ts';
import type { RequestLimits } from '../../platform/limits.ts';
import { afterAnswer, setReadHeaders, withReadTime } from '../../platform/read-answers.ts';
import type { Validated } from '../../platform/validation.ts';
import { createAuthentication } from './auth.ts';
import { type OperationDocument, routeSchema } from './documents.ts';
import { FailedWithData } from './error-handler.ts';
import { answerOf } from './failures.ts';
import { sendAs } from './reply.ts';
import { successOf } from './schemas/envelope.ts';

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

interface Description<B extends TObject, D extends TSchema> extends OperationDocument<B, D> {
  /** Below the prefix, e.g. `/user/login`. */
  readonly path: string;
  readonly data: D;
  readonly large?: Large;
  /** Largest body in bytes, where it differs from the usual and carries no images. */
  readonly bodyLimit?: number;
}

/** The message defaults to the one of the example. */
interface Outcome<D extends TSchema> {
  /** 200 unless the operation refuses in its own typed answer. */
  readonly code?: number;
  readonly data: Static<D>;
  readonly message?: string;
}

/** At once where nothing has to be waited for. */
type Answered<D extends TSchema> = Outcome<D> | Promise<Outcome<D>>;

/** Anybody may call it. */
export interface OpenOperation<B extends TObject, D extends TSchema> extends Description<B, D> {
  run(body: Validated<B>, context: CallContext): Answered<D>;
}

/** For the student behind a token of the body. */
export interface StudentOperation<B extends TObject, D extends TSchema> extends Description<B, D> {
  token(body: Validated<B>): string;
  run(student: Student, body: Validated<B>, context: CallContext): Answered<D>;
  /** Payload of this student's failures, where it is not null. */
  failureData?(student: Student): Promise<Static<D>>;
}

const byteLength = (payload: unknown): number =>
  typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;

const largeOptions = ({ body }: Large, answers: ByteBudget | undefined): RouteShorthandOptions =>
  body === undefined
    ? { onSend: async (_request, reply, payload) => answers?.hold(reply, byteLength(payload)) }
    : { bodyLimit: body.limit, onSend: async (_request, reply, payload) => answers?.count(reply, byteLength(payload)) };

const addRoute = <B extends TObject, D extends TSchema>(
  scope: FastifyInstance,
  { clock, timeZone, answers }: Pick<SurfaceADeps, 'clock' | 'timeZone' | 'answers'>,
  operation: Description<B, D>,
  run: (body: Validated<B>, context: CallContext, request: FastifyRequest) => Answered<D>,
): void => {
  const { path, group, overrides, example, signedOutData, large } = operation;
  const success = successOf(operation.data);
  const timestamp = createTimestamper(timeZone);
  // The complete body is checked first: an invalid call must not cost a look-up, let alone a sign-in at the campus.
  scope.withTypeProvider<TypeBoxTypeProvider>().post(path, {
    ...(operation.bodyLimit === undefined ? {} : { bodyLimit: operation.bodyLimit }),
    ...(large ? largeOptions(large, answers) : {}),
    schema: routeSchema(operation),
    config: {
      failureStyle: { group, overrides, success, signedOutData, tooLarge: large?.body?.tooLarge },
      ...(large?.body ? { slowBody: true, structureLimit: large.body.structureLimit } : {}),
    },
    handler: (request, reply) => {
      const reads = noteReads(nothingSaid, afterAnswer(reply));
      const answer = ({ code = 200, data, message = example.message }: Outcome<D>): FastifyReply => {
        const summary = reads.summary();
        if (summary === null) return sendAs(reply, success, { code, message, data });
        const { failure } = summary;
        setReadHeaders(reply, summary, clock.now(), failure ? String(answerOf(failure, group, overrides).code) : '');
        return sendAs(reply, success, { code, message: withReadTime(message, summary, timestamp), data });
      };
      const outcome = runCall(request, { clock, reads }, (context) => run(request.body, context, request));
      if (outcome instanceof Promise) return outcome.then(answer);
      answer(outcome);
    },
  });
};

export const addOpenOperation = <B extends TObject, D extends TSchema>(
  scope: FastifyInstance,
  deps: SurfaceADeps,
  operation: OpenOperation<B, D>,
): void =>
  addRoute(scope, deps, operation, (body, context, request) => {
    deps.limits?.anonymous(request);
    return operation.run(body, context);
  });

const runFor = <B extends TObject, D extends TSchema>(
  operation: StudentOperation<B, D>,
  student: Student,
  body: Validated<B>,
  context: CallContext,
): Answered<D> => {
  const { failureData } = operation;
  return failureData === undefined
    ? operation.run(student, body, context)
    : runWithData(
        () => operation.run(student, body, context),
        () => failureData(student),
      );
};

const runWithData = async <T>(run: () => T | Promise<T>, dataOfFailure: () => Promise<unknown>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    throw new FailedWithData(error, await dataOfFailure());
  }
};

export const addStudentOperation = <B extends TObject, D extends TSchema>(
  scope: FastifyInstance,
  deps: SurfaceADeps,
  operation: StudentOperation<B, D>,
): void => {
  const authenticate = createAuthentication(deps.accounts, deps.limits);
  addRoute(scope, deps, operation, (body, context, request) => {
    const student = authenticate(request, operation.token(body));
    return student instanceof Promise
      ? student.then((found) => runFor(operation, found, body, context))
      : runFor(operation, student, body, context);
  });
};
