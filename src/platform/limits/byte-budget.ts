import type { FastifyReply } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { onResponseEnd } from '../call/call-context.ts';

/** An answer up to this size is not counted. */
const uncounted = 1_048_576;
/** All counted bytes together. */
const most = 128 * 1_048_576;
const retryAfterSeconds = 5;

/**
 * Bounds what large answers hold in memory together, however many clients read slowly. A small one is never refused
 * for it.
 */
export const createByteBudget = (limit = most) => {
  let held = 0;
  const count = (reply: FastifyReply, bytes: number): void => {
    if (bytes <= uncounted) return;
    held += bytes;
    onResponseEnd(reply, () => {
      held -= bytes;
    });
  };
  return {
    /** The same as `hold` for an answer that must not be refused any more, since what it tells of has happened. */
    count,
    /**
     * Counts so many bytes until the answer has left or its connection is gone.
     * @throws Failure `overloaded` when they would be too many
     */
    hold(reply: FastifyReply, bytes: number): void {
      if (bytes > uncounted && held + bytes > limit) {
        throw new Failure('overloaded', { retryAfterSeconds, reason: 'large answers' });
      }
      count(reply, bytes);
    },
  };
};

export type ByteBudget = ReturnType<typeof createByteBudget>;
