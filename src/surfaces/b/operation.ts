import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { CallContext } from '../../domain/context.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { contextOf } from '../../platform/call-context.ts';
import { compileCheck } from '../../platform/check.ts';
import { type Caller, callerKey } from './bearer.ts';
import { EmptyPath } from './body.ts';
import type { Envelopes } from './envelope.ts';
import type { ErrorCode, FailureWording } from './errors.ts';
import { type Level, operationSchema } from './operation-schema.ts';

interface Call<B, P> {
  readonly body: B;
  readonly params: P;
  readonly context: CallContext;
}

interface Description<B extends TSchema, P extends TSchema, D extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Left out: the operation ignores whatever body is sent. */
  readonly body?: B;
  readonly params?: P;
  readonly data: D;
  /** The envelope's `message` on success. */
  readonly message: string;
  readonly example: { readonly data: Static<D>; readonly body?: Static<B> };
  /** Failures beyond those of the level. */
  readonly failures?: readonly ErrorCode[];
  readonly wording?: FailureWording;
  /** Largest JSON body in bytes, where it differs from the usual. */
  readonly bodyLimit?: number;
  /** Other content types than JSON are answered 415 instead of 422. */
  readonly refusesOtherTypes?: boolean;
}

export interface OpenOperation<B extends TSchema, P extends TSchema, D extends TSchema> extends Description<B, P, D> {
  run(call: Call<Static<B>, Static<P>>): Promise<Static<D>>;
}

export interface StudentOperation<B extends TSchema, P extends TSchema, D extends TSchema>
  extends Description<B, P, D> {
  readonly level: 'T' | 'TU';
  run(call: Call<Static<B>, Static<P>> & Caller): Promise<Static<D>>;
}

/** An operation that is ready to be added to the scope of its level. */
export interface Operation {
  readonly level: Level;
  add(scope: FastifyInstance, envelopes: Envelopes): void;
}

const nothing = Type.Unknown();

/** `false` for the empty path values that the router lets through, as in `/a//b`. */
const isFilled = (value: unknown): boolean => typeof value !== 'string' || value.trim() !== '';

const addRoute = <B extends TSchema, P extends TSchema, D extends TSchema>(
  scope: FastifyInstance,
  envelopes: Envelopes,
  level: Level,
  operation: Description<B, P, D>,
  run: (call: Call<Static<B>, Static<P>>, caller: () => Caller) => Promise<Static<D>>,
): void => {
  const { method, url, message, wording, bodyLimit, refusesOtherTypes = false } = operation;
  const checkBody = compileCheck(operation.body ?? nothing, 'body');
  const checkParams = compileCheck(operation.params ?? nothing, 'path');
  scope.route({
    method,
    url,
    schema: operationSchema(operation, level, envelopes),
    config: { bodyless: operation.body === undefined, refusesOtherTypes, ...(wording ? { wording } : {}) },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    handler: async (request) => {
      if (!Object.values(Object(request.params)).every(isFilled)) throw new EmptyPath();
      const context = contextOf(request);
      const call = { params: checkParams(request.params), body: checkBody(request.body), context };
      const caller = () => request.getDecorator<Caller>(callerKey);
      // Nothing is begun for a client that left, or whose time ended, while its body was on the way.
      context.signal.throwIfAborted();
      // The domain heeds the signal; the race keeps the promise should a wait in it not do so.
      return envelopes.success(message, await raceSignal(run(call, caller), context.signal));
    },
  });
};

/** An operation that anybody may call. */
export const openOperation = <B extends TSchema, P extends TSchema, D extends TSchema>(
  operation: OpenOperation<B, P, D>,
): Operation => ({
  level: '-',
  add: (scope, envelopes) => addRoute(scope, envelopes, '-', operation, (call) => operation.run(call)),
});

/** An operation for the student behind a bearer token. */
export const studentOperation = <B extends TSchema, P extends TSchema, D extends TSchema>(
  operation: StudentOperation<B, P, D>,
): Operation => ({
  level: operation.level,
  add: (scope, envelopes) =>
    addRoute(scope, envelopes, operation.level, operation, (call, caller) => operation.run({ ...call, ...caller() })),
});
