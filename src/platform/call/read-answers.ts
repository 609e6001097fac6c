import type { FastifyReply } from 'fastify';
import type { ReadSummary } from '../../domain/reads/call-reads.ts';
import { whenOver } from './call-end.ts';

/**
 * Runs what it is given once the answer has left, or cannot leave any more. A call may make a dozen reads: they share
 * one listener.
 */
export const afterAnswer = (reply: FastifyReply): ((work: () => void) => void) => {
  let waiting: Array<() => void> = [];
  return (work) => {
    if (reply.raw.writableFinished) {
      work();
      return;
    }
    waiting.push(work);
    if (waiting.length > 1) return;
    whenOver(reply, () => {
      const works = waiting;
      waiting = [];
      for (const each of works) each();
    });
  };
};

const cacheName = 'campus-gateway';

/** RFC 9211. `code` names the failure that a copy stands in for, in the words of the surface. */
const cacheStatus = ({ source }: ReadSummary, code: string): string => {
  switch (source) {
    case 'asked':
      return `${cacheName}; fwd=miss`;
    case 'asked-on-request':
      return `${cacheName}; fwd=request`;
    case 'joined':
      return `${cacheName}; fwd=miss; collapsed`;
    case 'copy':
      return `${cacheName}; hit`;
    case 'revalidating':
      return `${cacheName}; hit; detail=revalidating`;
    case 'stand-in':
      return `${cacheName}; fwd=stale; detail=${code}`;
  }
};

/** Says where an answer came from, and how old it is unless it was read for this call. */
export const setReadHeaders = (reply: FastifyReply, summary: ReadSummary, now: number, code: string): void => {
  reply.header('Cache-Status', cacheStatus(summary, code));
  const { readAt } = summary;
  if (readAt !== null) reply.header('Age', String(Math.max(0, Math.floor((now - readAt) / 1000))));
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
