import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { CallContext } from '../../domain/context.ts';
import { noteReads } from '../../domain/reads/call-reads.ts';
import type { EntityTags } from '../../domain/reads/entity-tags.ts';
import { createTimestamper } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import { runCall } from '../../platform/call.ts';
import { afterAnswer, setReadHeaders, withReadTime } from '../../platform/read-answers.ts';
import type { RequestTypes } from '../../platform/validation.ts';
import { type Caller, callerKey } from './bearer.ts';
import { EmptyPath } from './body.ts';
import type { Decided, Envelopes } from './envelope.ts';
import { answerOf, type FailureWording } from './errors.ts';
import { type Described, type Level, operationSchema } from './operation-schema.ts';
import { createReadAnswers } from './read-answer.ts';
import { readWishOf } from './read-directives.ts';

interface Call<B, P, Q> {
  readonly body: B;
  readonly params: P;
  readonly query: Q;
  readonly context: CallContext;
}

interface Description<B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>
  extends Described<B, P, Q, D> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  /** Where the message tells of the data; `message` is then the one of the example. */
  readonly messageOf?: (data: Static<D>, params: Static<P>) => string;
  readonly wording?: FailureWording;
  /** Largest JSON body in bytes, where it differs from the usual. */
  readonly bodyLimit?: number;
  /** Other content types than JSON are answered 415 instead of 422. */
  readonly refusesOtherTypes?: boolean;
  /** Its data is made of the value of one read, path and query, and of nothing else: no time of day, no setting. */
  readonly ofOneRead?: boolean;
}

export interface OpenOperation<B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>
  extends Description<B, P, Q, D> {
  run(call: Call<Static<B>, Static<P>, Static<Q>>): Promise<Static<D>>;
}

export interface StudentOperation<B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>
  extends Description<B, P, Q, D> {
  readonly level: 'T' | 'TU';
  run(call: Call<Static<B>, Static<P>, Static<Q>> & Caller): Promise<Static<D>>;
}

/** An operation with a message of its own for each answer. */
export interface TellingOperation<B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>
  extends Description<B, P, Q, D> {
  readonly level: 'T' | 'TU';
  run(
    call: Call<Static<B>, Static<P>, Static<Q>> & Caller,
  ): Promise<{ readonly message: string; readonly data: Static<D> }>;
}

/** An operation whose data holds the campus's own decision: a refusal is HTTP 200 with `success: false`. */
export interface DecisionOperation<B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>
  extends Description<B, P, Q, D> {
  readonly refused: { readonly message: string; readonly data: Static<D> };
  readonly writes: boolean;
  run(call: Call<Static<B>, Static<P>, Static<Q>> & Caller): Promise<Decided<Static<D>>>;
}

/** An operation that is ready to be added to the scope of its level. */
export interface Operation {
  readonly level: Level;
  add(scope: FastifyInstance, deps: OperationDeps): void;
}

/** What every operation answers with and waits by. */
export interface OperationDeps {
  readonly envelopes: Envelopes;
  readonly clock: Clock;
  /** Of the times in messages. */
  readonly timeZone: string;
  readonly entityTags: EntityTags;
}

/** `false` for the empty path values that the router lets through, as in `/a//b`. */
const isFilled = (value: unknown): boolean => typeof value !== 'string' || value.trim() !== '';

const addRoute = <B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  scope: FastifyInstance,
  { envelopes, clock, timeZone, entityTags }: OperationDeps,
  level: Level,
  operation: Description<B, P, Q, D>,
  run: (call: Call<Static<B>, Static<P>, Static<Q>>, caller: () => Caller) => Promise<Decided<Static<D>>>,
): void => {
  const {
    method,
    url,
    wording,
    messages,
    statusInstead,
    bodyLimit,
    bodyOptional = false,
    refusesOtherTypes = false,
    writes = false,
    operationId,
  } = operation;
  const answerRead = createReadAnswers({ envelopes, entityTags }, operationId, operation.ofOneRead === true);
  const timestamp = createTimestamper(timeZone);
  scope.withTypeProvider<RequestTypes>().route({
    method,
    url,
    schema: operationSchema(operation, level, envelopes),
    config: {
      bodyless: operation.body === undefined,
      refusesOtherTypes,
      ...(wording ? { wording } : {}),
      ...(messages ? { messages } : {}),
      ...(statusInstead ? { statusInstead } : {}),
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(bodyOptional || url.includes(':')
      ? {
          preValidation: (request, _reply, done) => {
            if (bodyOptional && request.body === undefined) request.body = {};
            done(Object.values(Object(request.params)).every(isFilled) ? undefined : new EmptyPath());
          },
        }
      : {}),
    handler: async (request, reply) => {
      const { params, query, body } = request;
      const caller = () => request.getDecorator<Caller>(callerKey);
      const reads = noteReads(readWishOf(request.headers), afterAnswer(reply));
      const decided = await runCall(request, { clock, writes, reads }, (context) =>
        run({ params, query, body, context }, caller),
      );
      const { accepted, message, data } = decided;
      const summary = reads.summary();
      if (summary === null) return envelopes.decision(accepted, message, data);
      const { failure, oldSince } = summary;
      setReadHeaders(reply, summary, clock.now(), failure ? answerOf(failure, wording ?? 'data').code : '');
      if (oldSince === null) return answerRead(request, reply, summary, caller().student, decided);
      // What is older than its freshness says so in words, which a 304 would not carry.
      return envelopes.decision(accepted, withReadTime(message, summary, timestamp), data);
    },
  });
};

const callBy = <B, P, Q>({ params, query, body, context }: Call<B, P, Q>, { student, token }: Caller) => ({
  params,
  query,
  body,
  context,
  student,
  token,
});

/** An operation that anybody may call. */
export const openOperation = <B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  operation: OpenOperation<B, P, Q, D>,
): Operation => ({
  level: '-',
  add: (scope, deps) =>
    addRoute(scope, deps, '-', operation, async (call) => {
      return { accepted: true, message: operation.message, data: await operation.run(call) };
    }),
});

/** An operation for the student behind a bearer token. */
export const studentOperation = <B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  operation: StudentOperation<B, P, Q, D>,
): Operation => ({
  level: operation.level,
  add: (scope, deps) =>
    addRoute(scope, deps, operation.level, operation, async (call, caller) => {
      const data = await operation.run(callBy(call, caller()));
      const message = operation.messageOf?.(data, call.params) ?? operation.message;
      return { accepted: true, message, data };
    }),
});

/** An operation for the student behind a bearer token whose message tells what the data alone does not. */
export const tellingOperation = <B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  operation: TellingOperation<B, P, Q, D>,
): Operation => ({
  level: operation.level,
  add: (scope, deps) =>
    addRoute(scope, deps, operation.level, operation, async (call, caller) => ({
      accepted: true,
      ...(await operation.run(callBy(call, caller()))),
    })),
});

/** An operation for the student behind a bearer token that passes on what the campus decided. */
export const decisionOperation = <B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  operation: DecisionOperation<B, P, Q, D>,
): Operation => ({
  level: 'TU',
  add: (scope, deps) => addRoute(scope, deps, 'TU', operation, (call, caller) => operation.run(callBy(call, caller()))),
});
