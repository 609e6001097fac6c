import type { FastifyReply } from 'fastify';
import type { ReadSummary } from '../../domain/reads/call-reads.ts';
import type { ReadSource } from '../../domain/reads/types.ts';

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
