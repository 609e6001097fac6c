import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Academics } from '../../domain/academics/academics.ts';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { CallContext } from '../../domain/context.ts';
import { asFailure, type FailureKind } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { logFailure } from '../../platform/failure-log.ts';
import { noteForLog } from '../../platform/request-log.ts';
import { receivedBody } from './body.ts';
import { addComponents, routeSchema } from './documents.ts';
import { answerOf, type OperationGroup, type Overrides } from './failures.ts';
import { InvalidBody } from './invalid-body.ts';
import { sendAs, sendFailure, sendInvalidBody } from './reply.ts';
import { AuthStatus, ErrorResponse, HttpValidationError, successOf } from './schemas/envelope.ts';
import { type BodyForm, bodyReader } from './validation.ts';

/** What this surface needs of the service. */
export interface SurfaceADeps {
  readonly accounts: Accounts;
  readonly academics: Academics;
  readonly clock: Clock;
  readonly contextOf: (request: FastifyRequest) => CallContext;
}

export interface Operation<B extends TObject, D extends TSchema> {
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
  /** Payload of failures whose code is 401, where the operation has one. */
  readonly signedOutData?: Static<D>;
  /** The work after validation. Throws `Failure`s; the message defaults to the one of the example. */
  run(body: Static<B>, context: CallContext): Promise<{ readonly data: Static<D>; readonly message?: string }>;
}

/**
 * Adds one POST route: validates the complete body before anything else happens (an invalid call must not cost a
 * sign-in at the campus), runs the work, and answers in the variants of its group.
 */
export const addOperation = <B extends TObject, D extends TSchema>(
  scope: FastifyInstance,
  { contextOf }: Pick<SurfaceADeps, 'contextOf'>,
  operation: Operation<B, D>,
): void => {
  const { group, overrides = {}, example, signedOutData } = operation;
  const read = bodyReader(operation.body, operation.form);
  const success = successOf(operation.data);
  for (const schema of [operation.body, operation.response, AuthStatus, ErrorResponse, HttpValidationError]) {
    addComponents(scope, schema);
  }
  scope.post(operation.path, { schema: routeSchema(operation) }, async (request, reply) => {
    const context = contextOf(request);
    try {
      const body = read(receivedBody(request.body));
      const { data, message = example.message } = await operation.run(body, context);
      return sendAs(reply, success, { code: 200, message, data });
    } catch (error) {
      if (error instanceof InvalidBody) return sendInvalidBody(reply, error);
      const failure = asFailure(error);
      const answer = answerOf(failure, group, overrides);
      noteForLog(request, { failure: failure.kind });
      logFailure(context.log, failure, answer.code);
      return answer.code === 401 && signedOutData !== undefined
        ? sendFailure(reply, answer, { schema: success, data: signedOutData })
        : sendFailure(reply, answer);
    }
  });
};
