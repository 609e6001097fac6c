import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import type { Clock } from '../../lib/time.ts';
import { onResponseEnd } from '../call/call-context.ts';
import { bodyLimit } from '../server/connections.ts';

/** All large bodies together; what is made of them (text, decoded images) takes a few times as much. */
const mostBytes = 128 * 1_048_576;
const slowestBytesPerMs = 32_768 / 1_000;
/** A connection may need this long to speed up. */
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
  /** Whose body it is was known before any of it was read; otherwise it may be ended for others until all has come. */
  readonly verified: boolean;
  /** The bytes that its bodies may hold together; without it no limit but the whole. */
  readonly mostBytes?: number;
}

interface Held {
  bodies: number;
  bytes: number;
}

/** One of which it is unknown yet whether it holds a token. */
interface UnverifiedBody {
  readonly key: string;
  end(error: Error): void;
}

const announcedBy = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

/**
 * Bounds what large bodies hold together and what one sender holds of it, by what has come and not what was announced.
 * Where there is too much, the oldest one ends that is neither verified nor complete: who sends in order is soon done.
 */
export const createLargeBodies = (clock: Clock, most = mostBytes) => {
  const senders = new Map<string, Held>();
  const held: Held = { bodies: 0, bytes: 0 };
  /** The oldest first. */
  const unverified = new Set<UnverifiedBody>();

  const take = ({ key, places }: Sender): Held | null => {
    const own = senders.get(key) ?? { bodies: 0, bytes: 0 };
    if (own.bodies >= places) return null;
    senders.set(key, own);
    own.bodies += 1;
    held.bodies += 1;
    return own;
  };
  const giveBack = (key: string, own: Held, bytes: number): void => {
    own.bodies -= 1;
    own.bytes -= bytes;
    if (own.bodies === 0) senders.delete(key);
    held.bodies -= 1;
    held.bytes -= bytes;
  };
  const oldest = (key?: string): UnverifiedBody | null => {
    for (const body of unverified) if (key === undefined || body.key === key) return body;
    return null;
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
    held: held as Readonly<Held>,
    /**
     * `refuse` is called at most once, with Failure `rate-limited` when the sender has too many or too much under way,
     * Failure `overloaded` when all together hold too much, or BodyTooSlow.
     */
    meter(reply: FastifyReply, sender: Sender, refuse: (error: Error) => void) {
      const announced = announcedBy(reply.request);
      const watched = new AbortController();
      const { key, mostBytes = Number.POSITIVE_INFINITY } = sender;
      let received = 0;
      let counted = 0;
      let own: Held | null = null;
      let over = false;
      const release = (): void => {
        unverified.delete(body);
        if (own !== null) giveBack(key, own, counted);
        own = null;
        counted = 0;
      };
      const isLarge = (): boolean => received > bodyLimit;
      const end = (error: Error): void => {
        if (over) return;
        over = true;
        watched.abort();
        unverified.delete(body);
        refuse(error);
      };
      const body: UnverifiedBody = {
        key,
        end: (error) => {
          end(error);
          // The body is thrown away, so there is room at once.
          release();
        },
      };
      /** False when there is none that may end for others. */
      const endOldest = (error: Error, among?: string): boolean => {
        const first = oldest(among);
        first?.end(error);
        return first !== null;
      };
      const makeRoom = (): void => {
        if (own !== null && own.bytes > mostBytes) {
          const error = new Failure('rate-limited', { retryAfterSeconds, reason: 'large bodies of one sender' });
          while (own !== null && own.bytes > mostBytes && !over) if (!endOldest(error, key)) end(error);
        }
        if (held.bytes > most) {
          const error = new Failure('overloaded', { retryAfterSeconds, reason: 'large bodies' });
          while (held.bytes > most && !over) if (!endOldest(error)) end(error);
        }
      };
      untilTooSlow(
        () => received,
        () => isLarge() || announced > bodyLimit,
        watched.signal,
      ).then(
        () => end(new BodyTooSlow()),
        () => {},
      );
      onResponseEnd(reply, () => {
        over = true;
        watched.abort();
        release();
      });
      return {
        add(bytes: number) {
          if (over) return;
          received += bytes;
          if (!isLarge()) return;
          if (own === null) {
            own = take(sender);
            if (own === null) {
              return end(new Failure('rate-limited', { retryAfterSeconds, reason: 'large bodies at once' }));
            }
            if (!sender.verified) unverified.add(body);
          }
          held.bytes += received - counted;
          own.bytes += received - counted;
          counted = received;
          makeRoom();
        },
        /** All of it has come. Its bytes stay counted until its answer has left. */
        complete: (): void => {
          watched.abort();
          unverified.delete(body);
        },
      };
    },
  };
};

export type LargeBodies = ReturnType<typeof createLargeBodies>;
/** One body on its way in. */
export type Meter = ReturnType<LargeBodies['meter']>;

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
    // Bytes that are still on their way after a refusal are thrown away as they come.
    metered.once('close', () => {
      payload.unpipe(metered);
      payload.resume();
    });
    payload.once('error', (error) => metered.destroy(error));
    done(null, payload.pipe(metered));
  };
