import { raceSignal } from '../../../lib/single-flight.ts';
import type { Clock } from '../../../lib/time.ts';
import { limitFailure, WindowCounter } from '../../limits.ts';
import type { ServiceObserver } from '../../observation.ts';
import type { Callers } from './callers.ts';
import { guardNumbers } from './numbers.ts';
import type { LimitName } from './verdict.ts';

type CountedCallers = 'login' | 'registration' | 'invitation';

export interface RefusalLimit {
  readonly name: string;
  readonly most: number;
  /** Whom it refuses, for the metrics. */
  readonly callers: CountedCallers;
}

interface Attempts {
  /** Each of these may still be refused. */
  running: number;
  /** Wake those who wait for one of them to end. */
  waiting: Array<() => void>;
}

export interface LimitedAttempt extends Disposable {
  /** The result of the attempt, which counts when it fails and `isCounted` says so. */
  counting<T>(isCounted: (error: unknown) => boolean, attempt: Promise<T>): Promise<T>;
}

const reason: LimitName = 'address-limit';
const countWithin = (windowMs: number) => ({ counts: 'refusals', most: Number.POSITIVE_INFINITY, windowMs, reason });

/**
 * R6: counts the refusals that tell a guesser something. Successes cost nothing, because a whole campus may share one
 * address. An attempt that could be one refusal too many waits for those before it, so firing many at once gains nothing.
 */
export class RefusalLimits {
  readonly #observer: Pick<ServiceObserver, 'guarded'> | undefined;
  readonly #pairs: WindowCounter;
  readonly #codes: WindowCounter;
  readonly #attempts = new Map<string, Attempts>();

  constructor(clock: Pick<Clock, 'monotonic'>, observer?: Pick<ServiceObserver, 'guarded'>) {
    this.#observer = observer;
    this.#pairs = new WindowCounter(clock, countWithin(guardNumbers.address.windowMs));
    this.#codes = new WindowCounter(clock, countWithin(guardNumbers.address.codes.windowMs));
  }

  /**
   * Takes one attempt under all these limits, until it is disposed of.
   * @throws Failure `rate-limited`, the signal's reason while waiting
   */
  async enter(limits: readonly RefusalLimit[], signal: AbortSignal): Promise<LimitedAttempt> {
    for (;;) {
      for (const limit of limits) this.#refuseWhenUsedUp(limit);
      const crowded = limits.find((limit) => {
        const running = this.#attempts.get(limit.name)?.running ?? 0;
        return running >= limit.most || this.#refusalsOf(limit).wait(limit.name, limit.most - running) > 0;
      });
      if (crowded === undefined) return this.#begin(limits);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#attempts.get(crowded.name)?.waiting.push(resolve);
      await raceSignal(promise, signal);
    }
  }

  #begin(limits: readonly RefusalLimit[]): LimitedAttempt {
    const entered = limits.map(({ name }) => {
      const attempts = this.#attempts.get(name) ?? { running: 0, waiting: [] };
      attempts.running += 1;
      this.#attempts.set(name, attempts);
      return { name, attempts };
    });
    const leave = (): void => {
      for (const { name, attempts } of entered) {
        attempts.running -= 1;
        for (const wake of attempts.waiting.splice(0)) wake();
        if (attempts.running === 0) this.#attempts.delete(name);
      }
    };
    const counting: LimitedAttempt['counting'] = (isCounted, attempt) =>
      attempt.catch((error: unknown) => {
        if (isCounted(error)) for (const limit of limits) this.#refusalsOf(limit).count(limit.name);
        throw error;
      });
    return { counting, [Symbol.dispose]: leave };
  }

  #refusalsOf({ callers }: RefusalLimit): WindowCounter {
    return callers === 'invitation' ? this.#codes : this.#pairs;
  }

  #refuseWhenUsedUp(limit: RefusalLimit): void {
    const ms = this.#refusalsOf(limit).wait(limit.name, limit.most);
    if (ms <= 0) return;
    this.#observer?.guarded(reason, limit.callers);
    throw limitFailure({ reason }, ms);
  }
}

/** Logins and registrations have separate limits. For a single student id, an address gets fewer refusals. */
export const addressLimits = (
  deps: { readonly callers: Callers; readonly settings: { readonly refusalsPerAddress: number } },
  callers: Exclude<CountedCallers, 'invitation'>,
  address: string,
  userid: string,
): RefusalLimit[] => {
  const units = deps.callers.unitsOf(address);
  if (units === null) return [];
  const { perStudent, wideTimes } = guardNumbers.address;
  const most = deps.settings.refusalsPerAddress;
  const limit = (unit: string, most: number): RefusalLimit => ({ name: `${callers} ${unit}`, callers, most });
  return [
    limit(`${units.address} ${userid.toLowerCase()}`, perStudent),
    limit(units.address, most),
    ...(units.wide === null ? [] : [limit(units.wide, wideTimes * most)]),
  ];
};
