import type { FastifyReply } from 'fastify';
import { failures } from '../../domain/errors.ts';

/** An answer up to this size is not counted. */
const uncounted = 1_048_576;
const mostBytes = 128 * 1_048_576;
const retryAfterSeconds = 5;

/** Bounds what large answers hold in memory together, however many clients read slowly. Small answers always go. */
export class ByteBudget {
  readonly #most: number;
  #held = 0;

  constructor(most = mostBytes) {
    this.#most = most;
  }

  /** Counts bytes until the call is over. @throws Failure `overloaded` when they would be too many */
  hold(reply: FastifyReply, bytes: number): void {
    if (bytes > uncounted && this.#held + bytes > this.#most) {
      throw failures.overloaded(retryAfterSeconds, 'large answers');
    }
    this.count(reply, bytes);
  }

  /** The same for an answer that must not be refused any more, since what it tells of has happened. */
  count(reply: FastifyReply, bytes: number): void {
    if (bytes <= uncounted) return;
    this.#held += bytes;
    reply.request.call.onEnd(() => {
      this.#held -= bytes;
    });
  }
}
