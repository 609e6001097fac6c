import type { TSchema } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NotedReads, ReadSummary } from '../../domain/reads/call-reads.ts';
import type { RecordOf } from '../../domain/record.ts';
import { isKnownTo, KnownAnswers, setReadHeaders, withReadTime } from '../../http/call/call.ts';
import { createTimestamper } from '../../lib/time.ts';
import { type OperationResult, type Told, toldOf, type Worded } from '../common/operation.ts';
import type { DescribedB, SurfaceBDeps } from './described.ts';
import { answerOf } from './failures.ts';

type AnsweredRow<D extends TSchema> = Worded<D> & Pick<DescribedB, 'wording' | 'ofOneRead'>;

/** Writes the successes of one operation, with the age of what was read for them. */
export class ReadAnswers<D extends TSchema> {
  readonly #operationId: string;
  readonly #row: AnsweredRow<D>;
  readonly #deps: SurfaceBDeps;
  readonly #timestamp: (epochMs: number) => string;
  readonly #known = new KnownAnswers();

  constructor(operationId: string, row: AnsweredRow<D>, deps: SurfaceBDeps) {
    this.#operationId = operationId;
    this.#row = row;
    this.#deps = deps;
    this.#timestamp = createTimestamper(deps.timeZone);
  }

  /** Undefined for a 304. */
  of(request: FastifyRequest, reply: FastifyReply, reads: NotedReads, answered: OperationResult<RecordOf<D>>): unknown {
    const { envelopes, services } = this.#deps;
    const told = toldOf(this.#row, answered);
    const { accepted, message, data } = told;
    const summary = reads.summary();
    if (summary === null) return envelopes.decision(accepted, message, data);
    const { failure, oldSince, lacksPart } = summary;
    const code = failure ? answerOf(failure, this.#row.wording).code : '';
    setReadHeaders(reply, summary, services.clock.now(), code);
    if (oldSince === null && !lacksPart) return this.#sendTagged(request, reply, summary, told);
    // A value older than its freshness says so in words, which a 304 would not carry.
    return envelopes.decision(accepted, withReadTime(message, summary, this.#timestamp), data);
  }

  /** Adds an entity tag, and answers 304 to clients that have this answer with the same words. */
  #sendTagged(
    request: FastifyRequest,
    reply: FastifyReply,
    { only, source }: ReadSummary,
    { accepted, message, data }: Told<RecordOf<D>>,
  ): unknown {
    const { envelopes, services } = this.#deps;
    const { userid } = request.call.student;
    const asked = JSON.stringify([request.params, request.query]);
    // Most answers from the campus are asked for once; those from a copy are asked for again.
    const value = this.#row.ofOneRead && source === 'copy' ? only : null;
    const answer = this.#known.of(value, `${userid} ${asked}`, () => {
      const content = JSON.stringify([accepted, message, data]);
      return `W/"${services.entityTags(userid, [this.#operationId, asked, content])}"`;
    });
    reply.header('cache-control', 'private, no-cache').header('etag', answer.tag);
    // Appending parses what is there: 1 µs of a call, which most answers need not.
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
  }
}
