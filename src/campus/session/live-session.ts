import type { CallContext } from '../../domain/context.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { LineFull, type Semaphore } from '../../lib/semaphore.ts';
import type { BreakerScope } from '../breaker.ts';
import { type Application, applications, type Upstream } from '../upstreams.ts';
import type { Entry } from './entry.ts';
import { DeadSession, type ExchangeContext, exchangeText } from './exchange.ts';
import { remember } from './student-state.ts';
import type { UpstreamSession } from './upstream-session.ts';
import type { Wire } from './wire.ts';

/** What one operation carries through its rounds. */
export interface Progress {
  readonly scope: BreakerScope<Upstream>;
  /** Null: its requests wait in the line of the student. */
  readonly ownSlots: Semaphore | null;
  /** The portal session was renewed for it. */
  portal: boolean;
  /** The application session was renewed for it. */
  service: boolean;
  replays: number;
  /** Requests of all rounds. Without any, nothing has changed that would have to be kept. */
  requests: number;
  /** Writes of the running round that have reached, or may have reached, the application. */
  writes: number;
}

interface Surroundings {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly context: CallContext;
}

/** The session of one round as the clients see it: bound to what was open when the round began. */
export const liveSession = (
  entry: Entry,
  system: Application,
  progress: Progress,
  { wire, clock, context }: Surroundings,
): UpstreamSession => {
  const service = entry.state.services.get(system);
  if (!service) throw new Error('session is not open');
  const seen = entry.epochs(system);
  const exchange: ExchangeContext = {
    wire,
    system,
    state: entry.state,
    service,
    traveller: {
      jars: entry.state.jars,
      portalSession: entry.state.portalSession,
      scope: progress.scope,
      signal: context.signal,
      slots: progress.ownSlots ?? entry.slots,
      mayStore: () => entry.epochs(system).service === seen.service,
    },
    context,
    now: () => clock.now(),
  };
  return {
    userid: entry.userid,
    text: (request) => {
      progress.requests += 1;
      if (request.write) progress.writes += 1;
      return exchangeText(exchange, request).catch((error: unknown) => {
        const provablyNotDone =
          error instanceof DeadSession || error instanceof LineFull || isFailure(error, 'upstream-unavailable');
        if (request.write && provablyNotDone) progress.writes -= 1;
        if (!(error instanceof LineFull)) throw error;
        throw new Failure('overloaded', { system: applications[system].system, retryAfterSeconds: 1 });
      });
    },
    memo: {
      get: (key) => service.memo.get(key),
      set: (key, value) => remember(service.memo, key, value),
      drop: (key, stale) => {
        if (service.memo.get(key) === stale) service.memo.delete(key);
      },
    },
    exclusively: (name, alone) => entry.locks.run(`${system}:${name}`, context.signal, alone),
  };
};
