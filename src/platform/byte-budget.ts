import type { FastifyReply } from 'fastify';
import { Failure } from '../domain/errors.ts';

/** What one answer or body may take without being counted. */
const uncounted = 1_048_576;
/** All counted bytes together; what is made of them (text, decoded images) takes a few times as much. */
const most = 128 * 1_048_576;
const retryAfterSeconds = 5;

/**
 * Bounds what large bodies and answers hold in memory together, however many clients send or read slowly. A small call
 * is never refused for it.
 */
export interface ByteBudget {
  /**
   * Counts so many bytes until the answer has left or its connection is gone.
   * @throws Failure `overloaded` when they would be too many
   */
  hold(reply: FastifyReply, bytes: number): void;
  /** The same for an answer that must not be refused any more, since what it tells of has happened. */
  count(reply: FastifyReply, bytes: number): void;
}

export const createByteBudget = (limit = most): ByteBudget => {
  let held = 0;
  const count = (reply: FastifyReply, bytes: number): void => {
    if (bytes <= uncounted) return;
    held += bytes;
    const release = (): void => {
      reply.raw.off('finish', release).off('close', release);
      held -= bytes;
    };
    reply.raw.once('finish', release).once('close', release);
  };
  return {
    count,
    hold(reply, bytes) {
      if (bytes > uncounted && held + bytes > limit) {
        throw new Failure('overloaded', { retryAfterSeconds, reason: 'large bodies or answers' });
      }
      count(reply, bytes);
    },
  };
};
