import { LRUCache } from 'lru-cache';
import { type Limit, msUntilFree, wholeSeconds, within } from '../../../lib/limits/window.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import { bounded } from '../../../lib/text.ts';
import type { Clock } from '../../../lib/time.ts';
import { failures } from '../../errors.ts';
import type { ServiceObserver } from '../../observation.ts';
import type { LimitName } from './answer.ts';
import type { Callers } from './callers.ts';
import { guardNumbers } from './numbers.ts';

type CountedCallers = 'login' | 'registration' | 'invitation';

export interface RefusalLimit extends Limit {
  readonly name: string;
  /** Whom it refuses, for the metrics. */
  readonly callers: CountedCallers;
}

interface Count {
  /** Oldest first. */
  refusals: number[];
  /** Each of these attempts may still be refused. */
  running: number;
  /** Wake those who wait for one of them to end. */
  waiting: Array<() => void>;
}

/**
 * R6: counts the refusals that tell a guesser something. Successes cost nothing, because a whole campus may share one
 * address. An attempt that could be one refusal too many waits for those before it, so firing many at once gains nothing.
 */
export class RefusalLimits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #observer: Pick<ServiceObserver, 'guarded'> | undefined;
  readonly #counts = new LRUCache<string, Count>(bounded(20_000));

  constructor(clock: Pick<Clock, 'monotonic'>, observer?: Pick<ServiceObserver, 'guarded'>) {
    this.#clock = clock;
    this.#observer = observer;
  }

  /**
   * Runs one attempt under all these limits; it counts when it throws and `isCounted` says so.
   * @throws Failure `rate-limited`, the signal's reason while waiting, or what `attempt` throws
   */
  async run<T>(
    limits: readonly RefusalLimit[],
    signal: AbortSignal,
    isCounted: (error: unknown) => boolean,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const counts = await this.#enter(limits, signal);
    try {
      return await attempt();
    } catch (error) {
      if (isCounted(error)) for (const { count } of counts) count.refusals.push(this.#clock.monotonic());
      throw error;
    } finally {
      for (const { limit, count } of counts) {
        count.running -= 1;
        for (const wake of count.waiting.splice(0)) wake();
        this.#remember(limit.name, count);
      }
    }
  }

  async #enter(
    limits: readonly RefusalLimit[],
    signal: AbortSignal,
  ): Promise<Array<{ limit: RefusalLimit; count: Count }>> {
    for (;;) {
      const counts = limits.map((limit) => {
        const count = this.#counts.get(limit.name) ?? { refusals: [], running: 0, waiting: [] };
        this.#refuseWhenUsedUp(limit, count);
        return { limit, count };
      });
      const crowded = counts.find(({ limit, count }) => count.refusals.length + count.running >= limit.most);
      if (crowded === undefined) {
        for (const { limit, count } of counts) {
          count.running += 1;
          this.#remember(limit.name, count);
        }
        return counts;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      crowded.count.waiting.push(resolve);
      await raceSignal(promise, signal);
    }
  }

  #refuseWhenUsedUp({ callers, most, windowMs }: RefusalLimit, count: Count): void {
    const now = this.#clock.monotonic();
    count.refusals = within(count.refusals, windowMs, now);
    const ms = msUntilFree(count.refusals, { most, windowMs }, now);
    if (ms <= 0) return;
    const reason: LimitName = 'address-limit';
    this.#observer?.guarded(reason, callers);
    throw failures.rateLimited(wholeSeconds(ms), reason);
  }

  #remember(name: string, count: Count): void {
    if (count.refusals.length > 0 || count.running > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
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
  const { perStudent, wideTimes, windowMs } = guardNumbers.address;
  const most = deps.settings.refusalsPerAddress;
  const limit = (unit: string, most: number): RefusalLimit => ({ name: `${callers} ${unit}`, callers, most, windowMs });
  return [
    limit(`${units.address} ${userid.toLowerCase()}`, perStudent),
    limit(units.address, most),
    ...(units.wide === null ? [] : [limit(units.wide, wideTimes * most)]),
  ];
};
