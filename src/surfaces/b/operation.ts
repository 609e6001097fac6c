import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { type CampusFacts, type Capability, lackOf } from '../../domain/capabilities.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { noteReads } from '../../domain/reads/call-reads.ts';
import type { EntityTags } from '../../domain/reads/entity-tags.ts';
import { exampleOf, type RecordOf } from '../../domain/record.ts';
import type { Need } from '../../domain/scopes.ts';
import { createTimestamper } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import { runCall } from '../../platform/call/call.ts';
import { setReadHeaders, withReadTime } from '../../platform/call/read-answers.ts';
import { RequestInvalid, unknownName } from '../../platform/requests/findings.ts';
import { fillPortalPassword, withoutPortalPassword } from '../../platform/requests/portal-password.ts';
import type { RequestTypes } from '../../platform/requests/validation.ts';
import { type Answered, type Message, toldOf } from '../records/told.ts';
import { EmptyPath } from './body.ts';
import { type Described, type Level, type Route, routeOf } from './described.ts';
import type { Envelopes } from './envelope.ts';
import { answerOf } from './failures.ts';
import { operationSchema } from './operation-document.ts';
import { createReadAnswers, readWishOf } from './read-answer.ts';
import { refusesUnknownNames } from './specified.ts';

interface OpenCall<B, P, Q> extends CallContext {
  readonly body: B;
  readonly params: P;
  readonly query: Q;
  /** Of the request, by names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Takes headers for the answer. */
  readonly answer: { headers(values: Readonly<Record<string, string>>): unknown };
}

interface StudentCall<B, P, Q> extends OpenCall<B, P, Q> {
  readonly student: Student;
  readonly token: string;
}

interface Calls<B, P, Q> {
  '-': OpenCall<B, P, Q>;
  T: StudentCall<B, P, Q>;
  TU: StudentCall<B, P, Q>;
}

interface Row<L extends Level, B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>
  extends Omit<Described<B, P, Q, D>, 'route' | 'operationId' | 'message'> {
  readonly level: L;
  readonly message: Message<D>;
  /** Largest JSON body in bytes, where it differs from the usual. */
  readonly bodyLimit?: number;
  /** Other content types than JSON are answered 415 instead of 422. */
  readonly refusesOtherTypes?: boolean;
  /** Its data is made of the value of one read, path and query, and of nothing else: no time of day, no setting. */
  readonly ofOneRead?: boolean;
  /** Gives the data, or `Told` where the message is another one, or the campus has decided. */
  run(call: Calls<Static<B>, Static<P>, Static<Q>>[L]): Answered<RecordOf<D>> | Promise<Answered<RecordOf<D>>>;
}

/** An operation for students has to say what it asks of a personal token. */
type Scoped<L extends Level> = L extends '-' ? unknown : { readonly scope: Need };
/** One that asks the campus has to say what it asks for. */
type Asking<L extends Level> = L extends 'TU' ? { readonly needs: readonly Capability[] } : unknown;

/** Every operation of this surface uses these. */
interface OperationDeps {
  readonly envelopes: Envelopes;
  readonly campus: Pick<CampusFacts, 'capabilities' | 'hasPortal'>;
  readonly clock: Clock;
  /** Of the times in messages. */
  readonly timeZone: string;
  readonly entityTags: EntityTags;
}

/** An operation that is ready to be added to the scope of its level. */
export interface Operation {
  readonly level: Level;
  add(scope: FastifyInstance, deps: OperationDeps): void;
}

/** `false` for the empty path values that the router lets through, as in `/a//b`. */
const isFilled = (value: unknown): boolean => typeof value !== 'string' || value.trim() !== '';

/** Finds names in a query that the operation does not know. */
const unknownNames = (query: unknown, known: object): RequestInvalid | undefined => {
  const unknown = Object.entries(Object(query)).filter(([name]) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return undefined;
  return new RequestInvalid(unknown.map(([name, value]) => ({ ...unknownName, loc: ['query', name], value })));
};

/** Declares an operation: its route, what it takes and answers, how it fails, and what it does. */
export const operation = <L extends Level, B extends TSchema, P extends TSchema, Q extends TSchema, D extends TSchema>(
  route: Route,
  operationId: string,
  declared: Row<L, B, P, Q, D> & Scoped<L> & Asking<L>,
): Operation => ({
  level: declared.level,
  add(scope, { envelopes, campus, clock, timeZone, entityTags }) {
    const row = campus.hasPortal ? declared : withoutPortalPassword(declared);
    const { level, message: usual, wording, bodyOptional = false, writes = false } = row;
    const [method, url] = routeOf(route);
    const { message: shown } = toldOf(usual, row.example?.data ?? exampleOf(row.data));
    const answerRead = createReadAnswers({ envelopes, entityTags }, operationId, row.ofOneRead === true);
    const timestamp = createTimestamper(timeZone);
    const lack = () => lackOf(campus, row.needs);
    const isOffered = lack() === null;
    const names: object | null = refusesUnknownNames(url) ? (row.query?.properties ?? {}) : null;
    const run = { clock, writes };
    scope.withTypeProvider<RequestTypes>().route({
      method,
      url,
      schema: operationSchema(
        { ...row, route, operationId, message: shown, hidden: row.hidden || !isOffered },
        envelopes,
      ),
      config: {
        bodyless: row.body === undefined,
        ...(bodyOptional ? { bodyOptional } : {}),
        refusesOtherTypes: row.refusesOtherTypes ?? false,
        findsStudent: level !== '-',
        operation: operationId,
        need: row.scope,
        wording,
        messages: row.messages,
        statusInstead: row.statusInstead,
        credentials: row.credentials ?? false,
      },
      bodyLimit: row.bodyLimit,
      // Before path and query are looked at: no client has to repair them for what is not there.
      ...(bodyOptional || !isOffered || url.includes(':') || names !== null
        ? {
            preValidation: (request, _reply, done) => {
              if (bodyOptional && request.body === undefined) request.body = {};
              const isWhole = Object.values(Object(request.params)).every(isFilled);
              const whole = isWhole ? undefined : new EmptyPath();
              done(lack() ?? whole ?? (names === null ? undefined : unknownNames(request.query, names)));
            },
          }
        : {}),
      handler: (request, reply) => {
        const { params, query, body } = request;
        if (!campus.hasPortal) fillPortalPassword(declared.body, body);
        const { call } = request;
        const reads = noteReads(readWishOf(request.headers), (work) => call.onEnd(work));
        const asked = Object.assign(call, { params, query, body, answer: reply, reads });
        const answer = (answered: Answered<RecordOf<D>>): unknown => {
          const told = toldOf(usual, answered);
          const { accepted, message, data } = told;
          const summary = reads.summary();
          if (summary === null) return envelopes.decision(accepted, message, data);
          const { failure, oldSince, lacksPart } = summary;
          setReadHeaders(reply, summary, clock.now(), failure ? answerOf(failure, wording ?? 'data').code : '');
          if (oldSince === null && !lacksPart) return answerRead(request, reply, summary, told);
          // A value older than its freshness says so in words, which a 304 would not carry.
          return envelopes.decision(accepted, withReadTime(message, summary, timestamp), data);
        };
        const answered = runCall(call, run, () => row.run(asked), answer);
        if (answered instanceof Promise) return answered;
        reply.send(answered);
      },
    });
  },
});
