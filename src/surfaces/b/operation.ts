import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CampusFacts, type Capability, lackOf } from '../../domain/capabilities.ts';
import { type CacheDirectives, type CallContext, noDirectives, type Student } from '../../domain/context.ts';
import { noteReads, type ReadSummary } from '../../domain/reads/call-reads.ts';
import { exampleOf, type RecordOf } from '../../domain/record.ts';
import type { Need } from '../../domain/scopes.ts';
import type { EntityTags } from '../../lib/hash.ts';
import { type Clock, createTimestamper } from '../../lib/time.ts';
import { isKnownTo, KnownAnswers, runCall, setReadHeaders, withReadTime } from '../../platform/call/call.ts';
import { RequestInvalid, unknownName } from '../../platform/requests/findings.ts';
import { fillPortalPassword, withoutPortalPassword } from '../../platform/requests/portal-password.ts';
import type { RequestTypes } from '../../platform/requests/validation.ts';
import { type Answered, type Message, toldOf } from '../common/told.ts';
import { type Described, type Level, type Route, routeOf } from './described.ts';
import type { Envelopes } from './envelope.ts';
import { answerOf } from './failures.ts';
import { operationSchema } from './operation-document.ts';
import { EmptyPath } from './requests.ts';
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
        const reads = noteReads(cacheDirectivesOf(request.headers), (work) => call.onEnd(work));
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

/** A header of this length says nothing that is known. */
const LONGEST = 1_024;
const MOST_SECONDS = 2_147_483_648;

const directive =
  /[\s,]*([!#$%&'*+.^_`|~0-9a-z-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9a-z-]+)))?[ \t]*(?=,|$)/iy;

/** Names in lower case, each with its argument (null: none). What has not the form of a directive is left out. */
const directivesOf = (header: string): Map<string, string | null> => {
  const found = new Map<string, string | null>();
  for (let at = 0; at < header.length; ) {
    directive.lastIndex = at;
    const match = directive.exec(header);
    if (match === null) {
      const comma = header.indexOf(',', at + 1);
      if (comma === -1) break;
      at = comma;
      continue;
    }
    at = directive.lastIndex;
    const name = match[1]?.toLowerCase() ?? '';
    if (!found.has(name)) found.set(name, match[2] ?? match[3] ?? null);
  }
  return found;
};

const secondsOf = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^\d{1,16}$/.test(text) ? Math.min(Number(text), MOST_SECONDS) : null;

/** The pair that `fetch` adds to a call with `If-None-Match`, and nothing else. */
const isOfFetch = (headers: IncomingHttpHeaders): boolean =>
  headers['cache-control'] === 'no-cache' && headers.pragma === 'no-cache' && headers['if-none-match'] !== undefined;

/**
 * Reads the wishes of a call from `Cache-Control` (RFC 9111, RFC 5861) and `X-Copy`. What is unknown or
 * malformed is ignored.
 */
export const cacheDirectivesOf = (headers: IncomingHttpHeaders): CacheDirectives => {
  const { 'cache-control': control, 'x-copy': copy } = headers;
  const copyOnly = typeof copy === 'string' && copy.trim().toLowerCase() === 'only';
  if (control === undefined || control.length > LONGEST) {
    return copyOnly ? { ...noDirectives, onlyIfCached: true } : noDirectives;
  }
  const said = directivesOf(control);
  const flag = (name: string) => said.get(name) === null;
  return {
    noCache: flag('no-cache'),
    noCacheOfFetch: isOfFetch(headers),
    maxAge: secondsOf(said.get('max-age')),
    maxStale: flag('max-stale') ? Number.POSITIVE_INFINITY : secondsOf(said.get('max-stale')),
    onlyIfCached: copyOnly || flag('only-if-cached'),
    staleIfError: secondsOf(said.get('stale-if-error')),
    staleWhileRevalidate: secondsOf(said.get('stale-while-revalidate')),
    noStore: flag('no-store'),
  };
};

interface Deps {
  readonly envelopes: Envelopes;
  readonly entityTags: EntityTags;
}

const isEmpty = (value: unknown): boolean => {
  for (const _ in Object(value)) return false;
  return true;
};

/** Path and query as one text. */
const askedOf = ({ params, query }: FastifyRequest): string =>
  isEmpty(params) && isEmpty(query) ? '[{},{}]' : JSON.stringify([params, query]);

/**
 * Answers that are not older than their freshness: with a tag, and 304 to clients that have them, words included.
 *
 * @param ofOneRead the data is made of the value of one read, path and query, and of nothing else
 */
export const createReadAnswers = ({ envelopes, entityTags }: Deps, operationId: string, ofOneRead: boolean) => {
  const answers = new KnownAnswers();
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { only, source }: ReadSummary,
    { accepted, message, data }: { readonly accepted: boolean; readonly message: string; readonly data: unknown },
  ): unknown => {
    const asked = askedOf(request);
    const { userid } = request.call.student;
    // Most of what is read at the campus is answered once; a copy is answered again.
    const value = ofOneRead && source === 'copy' ? only : null;
    const answer = answers.of(value, `${userid} ${asked}`, () => {
      return `W/"${entityTags(userid, [operationId, asked, JSON.stringify([accepted, message, data])])}"`;
    });
    reply.header('cache-control', 'private, no-cache').header('etag', answer.tag);
    if (reply.hasHeader('vary')) reply.vary('Authorization');
    else reply.header('vary', 'Authorization');
    if (isKnownTo(request.headers['if-none-match'], answer.tag)) {
      reply.code(304);
      return undefined;
    }

    const envelope = envelopes.decision(accepted, message, data);
    if (value === null) return envelope;
    // Every answer ends with its time.
    const text = answer.text(`${envelope.timestamp}"}`, () => reply.serialize(envelope));
    if (text === null) return envelope;
    reply.header('content-type', 'application/json; charset=utf-8');
    return text;
  };
};
