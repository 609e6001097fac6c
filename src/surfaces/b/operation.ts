import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Capability, lackOf } from '../../domain/capabilities.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import type { Failure } from '../../domain/errors.ts';
import { NotedReads } from '../../domain/reads/call-reads.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { Need } from '../../domain/scopes.ts';
import { runCall } from '../../http/call/call.ts';
import { RequestInvalid, unknownName } from '../../http/requests/findings.ts';
import { fillPortalPassword, withoutPortalPassword } from '../../http/requests/portal-password.ts';
import type { RequestTypes } from '../../http/requests/validation.ts';
import type { OperationResult, Worded } from '../common/operation.ts';
import { cacheDirectivesOf } from './cache-directives.ts';
import {
  type DescribedB,
  type Level,
  type Route,
  refusesUnknownNames,
  routeOf,
  type SurfaceBDeps,
} from './described.ts';
import { RequestRefused } from './error-handler.ts';
import { operationSchema } from './operation-document.ts';
import { ReadAnswers } from './read-answers.ts';

interface OpenCall<B, P, Q> extends CallContext {
  readonly body: B;
  readonly params: P;
  readonly query: Q;
  readonly headers: IncomingHttpHeaders;
  readonly answer: { headers(values: Readonly<Record<string, string>>): unknown };
}

interface StudentCall<B, P, Q> extends OpenCall<B, P, Q> {
  readonly student: Student;
}

interface Calls<B, P, Q> {
  '-': OpenCall<B, P, Q>;
  T: StudentCall<B, P, Q>;
  TU: StudentCall<B, P, Q>;
}

interface DeclaredB<L extends Level, B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>
  extends DescribedB<B, P, Q, D>,
    Worded<D> {
  readonly level: L;
  /** Largest JSON body in bytes, where it differs from the usual. */
  readonly bodyLimit?: number;
  /** For a status that this operation may not answer, the one it answers instead. */
  readonly statusInstead?: Readonly<Record<number, number>>;
  /** Returns the data, or `Told` with its own message or with a refusal by the campus. */
  run(
    call: Calls<Static<B>, Static<P>, Static<Q>>[L],
  ): OperationResult<RecordOf<D>> | Promise<OperationResult<RecordOf<D>>>;
}

/** An operation for students has to say what it asks of a personal token. */
type Scoped<L extends Level> = L extends '-' ? unknown : { readonly scope: Need };
/** An operation that asks the campus has to say what for. */
type Asking<L extends Level> = L extends 'TU' ? { readonly needs: readonly Capability[] } : unknown;

export interface Operation {
  readonly level: Level;
  add(scope: FastifyInstance, deps: SurfaceBDeps): void;
}

/** The router lets an empty path value through, as in `/a//b`. */
const isFilled = (value: unknown): boolean => typeof value !== 'string' || value.trim() !== '';

const refusalOf = (
  { params, query }: FastifyRequest,
  lack: Failure | null,
  names: object | null,
): Error | undefined => {
  if (lack !== null) return lack;
  if (!Object.values(Object(params)).every(isFilled)) return new RequestRefused({ code: 'EMPTY_PATH' });
  if (names === null) return undefined;
  const unknown = Object.entries(Object(query)).filter(([name]) => !Object.hasOwn(names, name));
  if (unknown.length === 0) return undefined;
  return new RequestInvalid(unknown.map(([name, value]) => ({ ...unknownName, loc: ['query', name], value })));
};

/** Declares an operation: its route, what it takes and answers, how it fails, and what it does. */
export const operation = <L extends Level, B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  route: Route,
  operationId: string,
  declared: DeclaredB<L, B, P, Q, D> & Scoped<L> & Asking<L>,
): Operation => ({
  level: declared.level,
  add(scope, deps) {
    const { envelopes } = deps;
    const { campus, clock } = deps.services;
    const row = campus.hasPortal ? declared : withoutPortalPassword(declared);
    const [method, url] = routeOf(route);
    const names = refusesUnknownNames(url) ? (row.query?.properties ?? {}) : null;
    const answers = new ReadAnswers(operationId, row, deps);
    const lack = () => lackOf(campus, row.needs);
    const run = { clock, writes: row.writes ?? false };
    scope.withTypeProvider<RequestTypes>().route({
      method,
      url,
      schema: {
        ...operationSchema(route, operationId, row, envelopes),
        hide: row.hidden === true || lack() !== null,
      },
      config: {
        findsStudent: row.level !== '-',
        need: row.scope,
        ownLimitOnly: row.ownLimitOnly ?? false,
        bodyless: row.body === undefined,
        statusInstead: row.statusInstead,
        described: row,
      },
      bodyLimit: row.bodyLimit,
      preValidation: (request, _reply, done) => {
        if (row.bodyOptional && request.body === undefined) request.body = {};
        done(refusalOf(request, lack(), names));
      },
      handler: (request, reply) => {
        const { call, params, query, body } = request;
        if (!campus.hasPortal) fillPortalPassword(declared.body, body);
        const reads = new NotedReads(cacheDirectivesOf(request.headers), (work) => call.onEnd(work));
        const asked = Object.assign(call, { params, query, body, answer: reply, reads });
        const work = () => row.run(asked);
        const answered = runCall(call, run, work, (result) => answers.of(request, reply, reads, result));
        if (answered instanceof Promise) return answered;
        reply.send(answered);
      },
    });
  },
});
