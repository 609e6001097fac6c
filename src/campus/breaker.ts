import type { Clock } from '../lib/clock.ts';

const CONSECUTIVE = 5;
const WINDOW_MS = 10_000;
const WINDOW_CALLS = 10;
const FIRST_OPEN_MS = 30_000;
const LONGEST_OPEN_MS = 300_000;

/** Thrown instead of a request while a breaker is open. */
export class BreakerOpen extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('breaker is open');
    this.name = 'BreakerOpen';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type BreakerState = 'closed' | 'open' | 'probing';

/**
 * One upstream's breaker. Opens after 5 failed calls in a row, or when at least half of 10 or more calls within 10 s
 * failed; for 30 s, doubling to 300 s while the probe keeps failing. One call at a time probes a half-open upstream.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #onChange: (state: BreakerState) => void;
  #state: BreakerState = 'closed';
  #consecutive = 0;
  #recent: Array<{ at: number; failed: boolean }> = [];
  #openUntil = 0;
  #openMs = FIRST_OPEN_MS;

  constructor(clock: Clock, onChange: (state: BreakerState) => void = () => {}) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** @throws BreakerOpen */
  admit(): void {
    if (this.#state === 'closed') return;
    const left = this.#openUntil - this.#clock.now();
    if (this.#state === 'open' && left <= 0) {
      this.#enter('probing');
      // A probe that never reports (its caller left) must not keep the door shut for ever.
      this.#openUntil = this.#clock.now() + FIRST_OPEN_MS;
      return;
    }
    if (this.#state === 'probing' && left <= 0) {
      this.#openUntil = this.#clock.now() + FIRST_OPEN_MS;
      return;
    }
    throw new BreakerOpen(Math.max(1, Math.ceil(left / 1000)));
  }

  /** Reports how one API call fared with this upstream, once per call. */
  report(failed: boolean): void {
    const now = this.#clock.now();
    if (this.#state === 'probing') {
      if (failed) this.#open(now, Math.min(this.#openMs * 2, LONGEST_OPEN_MS));
      else this.#close();
      return;
    }
    this.#consecutive = failed ? this.#consecutive + 1 : 0;
    this.#recent = [...this.#recent.filter((call) => call.at > now - WINDOW_MS), { at: now, failed }].slice(-200);
    if (this.#state === 'open') return;
    const failures = this.#recent.filter((call) => call.failed).length;
    const halfFailed = this.#recent.length >= WINDOW_CALLS && failures * 2 >= this.#recent.length;
    if (this.#consecutive >= CONSECUTIVE || halfFailed) this.#open(now, FIRST_OPEN_MS);
  }

  #open(now: number, ms: number): void {
    this.#openMs = ms;
    this.#openUntil = now + ms;
    this.#recent = [];
    this.#consecutive = 0;
    this.#enter('open');
  }

  #close(): void {
    this.#openMs = FIRST_OPEN_MS;
    this.#consecutive = 0;
    this.#recent = [];
    this.#enter('closed');
  }

  #enter(state: BreakerState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#onChange(state);
  }
}

/**
 * What one API call saw of each upstream. Retries inside a call do not count several times: the last outcome per
 * upstream is reported when the call ends.
 */
export class BreakerScope<System extends string> {
  readonly #breakers: ReadonlyMap<System, Breaker>;
  readonly #outcomes = new Map<System, boolean>();
  readonly #admitted = new Set<System>();

  constructor(breakers: ReadonlyMap<System, Breaker>) {
    this.#breakers = breakers;
  }

  /** @throws BreakerOpen */
  admit(system: System): void {
    if (this.#admitted.has(system)) return;
    this.#breakers.get(system)?.admit();
    this.#admitted.add(system);
  }

  note(system: System, failed: boolean): void {
    this.#outcomes.set(system, failed);
  }

  /** Says nothing about this upstream after all: somebody else reports what this call saw of it. */
  retract(system: System): void {
    this.#outcomes.delete(system);
  }

  finish(): void {
    for (const [system, failed] of this.#outcomes) this.#breakers.get(system)?.report(failed);
    this.#outcomes.clear();
    this.#admitted.clear();
  }
}
