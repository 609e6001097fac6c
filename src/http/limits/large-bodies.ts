import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { failures } from '../../domain/errors.ts';
import { limitFailure, limits } from '../../domain/limits.ts';
import type { Clock } from '../../lib/time.ts';
import { bodyLimit } from '../server/connections.ts';

/** Of all together; what is made of them (text, decoded images) takes a few times as much. */
const mostBytes = 128 * 1_048_576;
const slowestBytesPerMs = 32_768 / 1_000;
/** A connection may need this long to speed up. */
const graceMs = 10_000;
const paceEveryMs = 1_000;
const retryAfterSeconds = 10;

/** Such a body would hold its place for as long as its sender likes. */
export class BodyTooSlow extends Error {
  constructor() {
    super('body comes too slowly');
    this.name = 'BodyTooSlow';
  }
}

export interface BodySender {
  readonly key: string;
  /** Large bodies that it may have under way at once. */
  readonly places: number;
  /** Its token was looked up before any of the body was read. Otherwise the body may be ended for others until it is complete. */
  readonly verified: boolean;
  /** Of its bodies together; without it no limit but the whole. */
  readonly mostBytes?: number;
}

interface HeldBodies {
  bodies: number;
  bytes: number;
}

const announcedBytes = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

/**
 * Bounds what large bodies hold, together and per sender, by what has come and not by what was announced. Where there
 * is too much, the oldest body ends that is neither verified nor complete.
 */
export class LargeBodies {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #senders = new Map<string, HeldBodies>();
  readonly #held: HeldBodies = { bodies: 0, bytes: 0 };
  readonly #unverified = new Set<Meter>();

  constructor(clock: Clock, most = mostBytes) {
    this.#clock = clock;
    this.#most = most;
  }

  get held(): Readonly<HeldBodies> {
    return this.#held;
  }

  /**
   * `refuse` gets, at most once, a BodyTooSlow or a Failure: `rate-limited` when the sender has too much under way,
   * `overloaded` when all together hold too much.
   */
  meter(request: FastifyRequest, sender: BodySender, refuse: (error: Error) => void): Meter {
    const meter = new Meter(this, sender, refuse);
    meter.watch(this.#clock, announcedBytes(request));
    request.call.onEnd(() => meter.close());
    return meter;
  }

  /** Takes a place of the sender; false when all of them are taken. */
  enter(meter: Meter): boolean {
    const { key, places, verified } = meter.sender;
    const own = this.#senders.get(key) ?? { bodies: 0, bytes: 0 };
    if (own.bodies >= places) return false;
    this.#senders.set(key, own);
    own.bodies += 1;
    this.#held.bodies += 1;
    if (!verified) this.#unverified.add(meter);
    return true;
  }

  /** Counts bytes, and ends bodies, at last this one, until they are not too many. */
  count(meter: Meter, bytes: number): void {
    const { key, mostBytes: most = Number.POSITIVE_INFINITY } = meter.sender;
    const own = this.#senders.get(key);
    if (own === undefined) return;
    own.bytes += bytes;
    this.#held.bytes += bytes;
    while (own.bytes > most && !meter.isOver) {
      const error = limitFailure(limits.bytesAtOnce, retryAfterSeconds * 1_000);
      this.#endOne(meter, error, ({ sender }) => sender.key === key);
    }
    while (this.#held.bytes > this.#most && !meter.isOver) {
      this.#endOne(meter, failures.overloaded(retryAfterSeconds, 'large bodies'), () => true);
    }
  }

  /** Ends the oldest that may end for others, or else the one that brought too much. */
  #endOne(newest: Meter, error: Error, isAmong: (meter: Meter) => boolean): void {
    const oldest = this.#unverified.values().find(isAmong);
    (oldest ?? newest).end(error);
    // The body is thrown away, so there is room at once.
    oldest?.release();
  }

  keep(meter: Meter): void {
    this.#unverified.delete(meter);
  }

  leave({ sender: { key } }: Meter, bytes: number): void {
    const own = this.#senders.get(key);
    if (own === undefined) return;
    own.bodies -= 1;
    own.bytes -= bytes;
    if (own.bodies === 0) this.#senders.delete(key);
    this.#held.bodies -= 1;
    this.#held.bytes -= bytes;
  }
}

export class Meter {
  readonly sender: BodySender;
  readonly #bodies: LargeBodies;
  readonly #refuse: (error: Error) => void;
  readonly #watching = new AbortController();
  #received = 0;
  #hasPlace = false;
  #isOver = false;

  constructor(bodies: LargeBodies, sender: BodySender, refuse: (error: Error) => void) {
    this.#bodies = bodies;
    this.sender = sender;
    this.#refuse = refuse;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Refuses the body when it has become too slow, until it is complete or the call is over. */
  watch(clock: Clock, announced: number): void {
    this.#untilTooSlow(clock, announced).then(
      () => this.end(new BodyTooSlow()),
      () => {},
    );
  }

  async #untilTooSlow(clock: Clock, announced: number): Promise<void> {
    let elapsed = 0;
    let next = graceMs;
    while (elapsed < next || Math.max(this.#received, announced) <= bodyLimit) {
      const ms = Math.max(paceEveryMs, next - elapsed);
      await clock.wait(ms, this.#watching.signal);
      elapsed += ms;
      next = Math.max(graceMs, this.#received / slowestBytesPerMs);
    }
  }

  add(bytes: number): void {
    if (this.#isOver) return;
    this.#received += bytes;
    if (this.#received <= bodyLimit) return;
    const uncounted = this.#hasPlace ? bytes : this.#received;
    this.#hasPlace ||= this.#bodies.enter(this);
    if (this.#hasPlace) this.#bodies.count(this, uncounted);
    else this.end(limitFailure(limits.bodiesAtOnce, retryAfterSeconds * 1_000));
  }

  /** All of it has come. Its bytes stay counted until its answer has left. */
  complete(): void {
    this.#watching.abort();
    this.#bodies.keep(this);
  }

  end(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.complete();
    this.#refuse(error);
  }

  release(): void {
    this.#bodies.keep(this);
    if (this.#hasPlace) this.#bodies.leave(this, this.#received);
    this.#hasPlace = false;
  }

  close(): void {
    this.#isOver = true;
    this.#watching.abort();
    this.release();
  }
}

/** A body that announces little, or so much that it is refused unread, is not metered. */
export const addBodyMeter = (
  scope: FastifyInstance,
  bodies: LargeBodies,
  senderOf: (request: FastifyRequest) => BodySender,
): void => {
  scope.addHook('onRoute', (route) => {
    const { bodyLimit: limit = 0, preParsing = [] } = route;
    if (limit > bodyLimit) route.preParsing = [preParsing, meterTo(limit, bodies, senderOf)].flat();
  });
};

const meterTo =
  (limit: number, bodies: LargeBodies, senderOf: (request: FastifyRequest) => BodySender): preParsingHookHandler =>
  (request, _reply, payload, done) => {
    const announced = announcedBytes(request);
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
    const meter = bodies.meter(request, senderOf(request), (error) => metered.destroy(error));
    // The parser does not listen any more at a second error.
    metered.on('error', () => {});
    // Bytes that are still on their way after a refusal are thrown away as they come.
    metered.once('close', () => {
      payload.unpipe(metered);
      payload.resume();
    });
    payload.once('error', (error) => metered.destroy(error));
    done(null, payload.pipe(metered));
  };
