import type { FastifyReply } from 'fastify';
import type { ReadSource } from '../../domain/context.ts';
import type { ReadSummary } from '../../domain/reads/call-reads.ts';

const statuses: Readonly<Record<ReadSource, string>> = {
  asked: 'campus-gateway; fwd=miss',
  'asked-on-request': 'campus-gateway; fwd=request',
  joined: 'campus-gateway; fwd=miss; collapsed',
  copy: 'campus-gateway; hit',
  revalidating: 'campus-gateway; hit; detail=revalidating',
  'stand-in': 'campus-gateway; fwd=stale',
};

/** RFC 9211. `code` names the failure behind a stale copy, in the words of the surface. */
const cacheStatus = ({ source }: ReadSummary, code: string): string =>
  source === 'stand-in' ? `${statuses[source]}; detail=${code}` : statuses[source];

/** Says where an answer came from, and how old it is unless it was read for this call. */
export const setReadHeaders = (reply: FastifyReply, summary: ReadSummary, now: number, code: string): void => {
  reply.header('cache-status', cacheStatus(summary, code));
  const { readAt } = summary;
  if (readAt !== null) reply.header('age', String(Math.max(0, Math.floor((now - readAt) / 1000))));
};

/**
 * The words on a value that is older than its freshness, and what to do where nothing but the student can change that.
 * `timestamp`: `YYYY-MM-DD HH:MM:SS` at the campus.
 */
export const withReadTime = (
  message: string,
  { oldSince, failure }: ReadSummary,
  timestamp: (epochMs: number) => string,
): string => {
  if (oldSince === null) return message;
  const advice = failure?.kind === 'person-needed' ? '，学校VPN门户要求本人验证，重新登录后可更新' : '';
  return `${message}（数据更新于 ${timestamp(oldSince).slice(0, 16)}${advice}）`;
};

/** Whether `If-None-Match` names this tag: a list or `*`, compared weakly. */
export const isKnownTo = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header === tag) return true;
  if (header.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque);
};

/** Beyond so many characters an answer is made each time. */
const LONGEST = 1_048_576;

/** An answer that is made of one value, of what was asked, and of nothing else but the time of day at its end. */
export class KnownAnswer {
  /** Whose answer to what it is. */
  readonly name: string;
  readonly tag: string;
  /** All before its end. */
  #text: string | null = null;

  constructor(name: string, tag: string) {
    this.name = name;
    this.tag = tag;
  }

  /** The whole text, which `write` gives once; what is too long, or ends otherwise, each time. Null: it is no text. */
  text(end: string, write: () => unknown): string | null {
    if (this.#text !== null) return this.#text + end;
    const text = write();
    if (typeof text !== 'string') return null;
    if (text.length <= LONGEST && text.endsWith(end)) this.#text = text.slice(0, -end.length);
    return text;
  }
}

/**
 * The last answer to each value of a read in memory. It goes when the value does, so that what bounds the values bounds the
 * answers: a text is about as long as the value that it was made of.
 */
export class KnownAnswers {
  readonly #last = new WeakMap<object, KnownAnswer>();

  /** `makeTag` is called once for a value while the name stays the same; without a value every time. */
  of(value: object | null, name: string, makeTag: () => string): KnownAnswer {
    const last = value && this.#last.get(value);
    if (last?.name === name) return last;
    const made = new KnownAnswer(name, makeTag());
    if (value) this.#last.set(value, made);
    return made;
  }
}
