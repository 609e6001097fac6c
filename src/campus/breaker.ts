import type { Clock } from '../lib/clock.ts';

const CONSECUTIVE = 5;
const WINDOW_MS = 10_000;
const WINDOW_CALLS = 10;
const FIRST_OPEN_MS = 30_000;
const LONGEST_OPEN_MS = 300_000;

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

  /** Whether a call may go: null when it may, else the seconds after which it is worth another look. */
  admit(): number | null {
    if (this.#state === 'closed') return null;
    const left = this.#openUntil - this.#clock.now();
    if (this.#state === 'open' && left <= 0) {
      this.#enter('probing');
      // A probe that never reports (its caller left) must not keep the door shut for ever.
      this.#openUntil = this.#clock.now() + FIRST_OPEN_MS;
      return null;
    }
    if (this.#state === 'probing' && left <= 0) {
      this.#openUntil = this.#clock.now() + FIRST_OPEN_MS;
      return null;
    }
    return Math.max(1, Math.ceil(left / 1000));
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
export class BreakerScope<Upstream extends string> {
  readonly #breakers: ReadonlyMap<Upstream, Breaker>;
  readonly #outcomes = new Map<Upstream, boolean>();
  readonly #admitted = new Set<Upstream>();

  constructor(breakers: ReadonlyMap<Upstream, Breaker>) {
    this.#breakers = breakers;
  }

  /** As `Breaker.admit`; an upstream that has let this call pass once lets all its requests pass. */
  admit(upstream: Upstream): number | null {
    if (this.#admitted.has(upstream)) return null;
    const seconds = this.#breakers.get(upstream)?.admit() ?? null;
    if (seconds === null) this.#admitted.add(upstream);
    return seconds;
  }

  note(upstream: Upstream, failed: boolean): void {
    this.#outcomes.set(upstream, failed);
  }

  /** Says nothing about this upstream after all: somebody else reports what this call saw of it. */
  retract(upstream: Upstream): void {
    this.#outcomes.delete(upstream);
  }

  finish(): void {
    for (const [upstream, failed] of this.#outcomes) this.#breakers.get(upstream)?.report(failed);
    this.#outcomes.clear();
    this.#admitted.clear();
  }
}
