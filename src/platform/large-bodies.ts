import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { Failure } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { whenOver } from './call-end.ts';
import { bodyLimit } from './server-options.ts';

/** All large bodies together; what is made of them (text, decoded images) takes a few times as much. */
const mostBytes = 128 * 1_048_576;
const slowestBytesPerMs = 32_768 / 1_000;
/** A line may need this long to get going. */
const graceMs = 10_000;
const paceEveryMs = 1_000;
const retryAfterSeconds = 10;

/** A large body that comes too slowly: it would hold its place for as long as its sender likes. */
export class BodyTooSlow extends Error {
  constructor() {
    super('body comes too slowly');
    this.name = 'BodyTooSlow';
  }
}

/** Who sends, and how many large bodies this one may have under way at once. */
export interface Sender {
  readonly key: string;
  readonly places: number;
}

/** One body on its way in. */
export interface Meter {
  add(bytes: number): void;
  /** All of it has come. Its bytes stay counted until its answer has left. */
  complete(): void;
}

/** Bounds what large bodies hold together and what one sender holds of it, by what has come and not what was announced. */
export interface LargeBodies {
  /**
   * `refuse` is called at most once, with Failure `rate-limited` when the sender has too many large bodies under way,
   * Failure `overloaded` when all together hold too much, or BodyTooSlow.
   */
  meter(reply: FastifyReply, sender: Sender, refuse: (error: Error) => void): Meter;
  /** What is held right now. */
  readonly held: { readonly bodies: number; readonly bytes: number };
}

const announcedBy = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

export const createLargeBodies = (clock: Clock, most = mostBytes): LargeBodies => {
  const places = new Map<string, number>();
  const held = { bodies: 0, bytes: 0 };

  const take = ({ key, places: allowed }: Sender): boolean => {
    const taken = places.get(key) ?? 0;
    if (taken >= allowed) return false;
    places.set(key, taken + 1);
    held.bodies += 1;
    return true;
  };
  const giveBack = ({ key }: Sender): void => {
    const taken = places.get(key) ?? 0;
    if (taken > 1) places.set(key, taken - 1);
    else places.delete(key);
    held.bodies -= 1;
  };

  /** Returns when the body has become too slow; rejects when `signal` says that it need not be watched any more. */
  const untilTooSlow = async (received: () => number, isLarge: () => boolean, signal: AbortSignal): Promise<void> => {
    let elapsed = 0;
    let next = graceMs;
    while (elapsed < next || !isLarge()) {
      const ms = Math.max(paceEveryMs, next - elapsed);
      await clock.wait(ms, signal);
      elapsed += ms;
      next = Math.max(graceMs, received() / slowestBytesPerMs);
    }
  };

  return {
    held,
    meter(reply, sender, refuse) {
      const announced = announcedBy(reply.request);
      const watched = new AbortController();
      let received = 0;
      let counted = 0;
      let over = false;
      const isLarge = (): boolean => received > bodyLimit;
      const end = (error: Error): void => {
        if (over) return;
        over = true;
        watched.abort();
        refuse(error);
      };
      untilTooSlow(
        () => received,
        () => isLarge() || announced > bodyLimit,
        watched.signal,
      ).then(
        () => end(new BodyTooSlow()),
        () => {},
      );
      whenOver(reply, () => {
        over = true;
        watched.abort();
        if (counted > 0) giveBack(sender);
        held.bytes -= counted;
        counted = 0;
      });
      return {
        add(bytes) {
          if (over) return;
          received += bytes;
          if (!isLarge()) return;
          if (counted === 0 && !take(sender)) {
            return end(new Failure('rate-limited', { retryAfterSeconds, reason: 'large bodies at once' }));
          }
          held.bytes += received - counted;
          counted = received;
          if (held.bytes > most) end(new Failure('overloaded', { retryAfterSeconds, reason: 'large bodies' }));
        },
        complete: () => watched.abort(),
      };
    },
  };
};

/**
 * Meters the bodies of the operations of a scope that take more than the usual. One that says it is small, or so large that
 * it is refused unread, passes untouched.
 */
export const addBodyMeter = (
  scope: FastifyInstance,
  bodies: LargeBodies,
  senderOf: (request: FastifyRequest) => Sender,
): void => {
  scope.addHook('onRoute', (route) => {
    const { bodyLimit: limit = 0, preParsing = [] } = route;
    if (limit > bodyLimit) route.preParsing = [preParsing, meterTo(limit, bodies, senderOf)].flat();
  });
};

const meterTo =
  (limit: number, bodies: LargeBodies, senderOf: (request: FastifyRequest) => Sender): preParsingHookHandler =>
  (request, reply, payload, done) => {
    const announced = announcedBy(request);
    const isSmall = announced > 0 && announced <= bodyLimit;
    if (isSmall || announced > limit) return done(null, payload);
    const metered = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        meter.add(chunk.length);
        if (!metered.destroyed) next(null, chunk);
      },
      flush(next) {
        meter.complete();
        next();
      },
    });
    const meter = bodies.meter(reply, senderOf(request), (error) => metered.destroy(error));
    // The parser has left by the time of a second error.
    metered.on('error', () => {});
    // What is still on its way after a refusal is thrown away as it comes.
    metered.once('close', () => {
      payload.unpipe(metered);
      payload.resume();
    });
    payload.once('error', (error) => metered.destroy(error));
    done(null, payload.pipe(metered));
  };
