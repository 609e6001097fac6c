import type { Breaker, CallOutcome } from './breaker.ts';

/** Why a request may not go. */
export interface Held {
  readonly kind: 'no-answer';
  readonly fault: 'breaker-open' | 'student-paused';
  readonly retryAfterSeconds: number;
}

/**
 * What one API call of a student saw of each upstream. Retries inside a call do not count several times: the last outcome
 * per upstream is reported when the call ends. Only a probe is reported at once, because all calls wait for it.
 */
export class BreakerScope<Upstream extends string> {
  readonly student: string;
  readonly #breakers: ReadonlyMap<Upstream, Breaker>;
  /** The upstreams that have let this call pass, each with the outcome of the last request; null: there is none. */
  readonly #admitted = new Map<Upstream, CallOutcome | null>();
  readonly #probes = new Map<Upstream, { readonly probe: symbol; readonly over: PromiseWithResolvers<void> }>();

  constructor(breakers: ReadonlyMap<Upstream, Breaker>, student: string) {
    this.#breakers = breakers;
    this.student = student;
  }

  /** While a request of this call probes the upstream, the others wait for its outcome; undefined: none does. */
  probeUnderWay(upstream: Upstream): Promise<void> | undefined {
    return this.#probes.get(upstream)?.over.promise;
  }

  /** Null: a request may go. An upstream that has let this call pass once lets all its requests pass. */
  admit(upstream: Upstream): Held | null {
    if (this.#admitted.has(upstream)) return null;
    const admission = this.#breakers.get(upstream)?.admit(this.student);
    if (admission?.kind === 'wait') {
      const fault = admission.forStudent ? 'student-paused' : 'breaker-open';
      return { kind: 'no-answer', fault, retryAfterSeconds: admission.seconds };
    }
    if (admission?.probe) this.#probes.set(upstream, { probe: admission.probe, over: Promise.withResolvers() });
    else this.#admitted.set(upstream, null);
    return null;
  }

  /** Admits a request that has waited since; null: it may go. */
  held(upstream: Upstream): Held | null {
    if (this.#probes.has(upstream) || this.#admitted.get(upstream)) return null;
    const seconds = this.#breakers.get(upstream)?.pausedFor(this.student) ?? 0;
    return seconds === 0 ? null : { kind: 'no-answer', fault: 'breaker-open', retryAfterSeconds: seconds };
  }

  /** The request that may go now is a probe. */
  isProbing(upstream: Upstream): boolean {
    return this.#probes.has(upstream);
  }

  /** The outcome of a request; null: it says nothing about the upstream. */
  note(upstream: Upstream, outcome: CallOutcome | null): void {
    const probing = this.#probes.get(upstream);
    if (probing === undefined) {
      if (outcome !== null) this.#admitted.set(upstream, outcome);
      return;
    }
    this.#probes.delete(upstream);
    this.#breakers.get(upstream)?.probed(this.student, probing.probe, outcome);
    if (outcome === 'ok') this.#admitted.set(upstream, null);
    probing.over.resolve();
  }

  /** Says nothing about this upstream after all: another call reports it. */
  retract(upstream: Upstream): void {
    if (this.#admitted.has(upstream)) this.#admitted.set(upstream, null);
  }

  finish(): void {
    for (const [upstream, outcome] of this.#admitted) {
      if (outcome !== null) this.#breakers.get(upstream)?.report(this.student, outcome);
    }
    this.#admitted.clear();
  }
}
