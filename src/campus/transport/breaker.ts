import { LRUCache } from 'lru-cache';
import { boundSize } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { Unanswered } from './http.ts';

const CONSECUTIVE = 5;
const WINDOW_MS = 10_000;
const WINDOW_CALLS = 10;
/** Failures of fewer students say nothing about the upstream. */
const DIFFERENT = 3;
const SHORTEST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 10_000;
/** No other call may go while a probe has this long. */
export const PROBE_MS = 3_000;
/** Kept per upstream; when full, it forgets the student not seen for longest. */
const REMEMBERED_STUDENTS = 1_000;
const REMEMBERED_CALLS = 200;

export type BreakerState = 'closed' | 'open' | 'probing';

/** `unreachable`: no connection was made, which no student's page can cause. */
export type CallOutcome = 'ok' | 'failed' | 'unreachable';

type Who = string | symbol;

/** Counts failures until there are too many: 5 in a row, or half of at least 10 calls within 10 s. */
class Tally {
  #recent: Array<{ readonly at: number; readonly who: Who; readonly failed: boolean }> = [];
  #inARow = 0;
  readonly #whoInARow = new Set<Who>();

  get isFailing(): boolean {
    return this.#inARow > 0;
  }

  /** Returns whether there are too many now, of at least three students; then the count restarts. */
  add(who: Who, failed: boolean, now: number): boolean {
    const first = this.#recent.findIndex(({ at }) => at > now - WINDOW_MS);
    this.#recent.splice(0, first < 0 ? this.#recent.length : first);
    this.#recent.push({ at: now, who, failed });
    if (this.#recent.length > REMEMBERED_CALLS) this.#recent.shift();
    if (failed) {
      this.#inARow += 1;
      if (this.#whoInARow.size < DIFFERENT) this.#whoInARow.add(who);
    } else this.#resetRow();
    const manyInARow = this.#inARow >= CONSECUTIVE && this.#whoInARow.size === DIFFERENT;
    if (!failed || !(manyInARow || this.#hasHalfFailed())) return false;
    this.#recent = [];
    this.#resetRow();
    return true;
  }

  #resetRow(): void {
    this.#inARow = 0;
    this.#whoInARow.clear();
  }

  /** Counts only the last call of each student, so that many calls of one student weigh no more than one. */
  #hasHalfFailed(): boolean {
    if (this.#recent.length < WINDOW_CALLS) return false;
    const last = new Map(this.#recent.map(({ who, failed }) => [who, failed]));
    const failing = [...last.values()].filter((failed) => failed).length;
    return failing >= DIFFERENT && failing * 2 >= last.size;
  }
}

/** Lets single probes through, with pauses of a sixth of the time that it has been open (15 s: 2.5 s late). */
class Gate {
  #openedAt: number | null = null;
  #pauseMs = SHORTEST_PAUSE_MS;
  #nextAt = 0;
  #probe: symbol | null = null;

  get state(): BreakerState {
    if (this.#openedAt === null) return 'closed';
    return this.#probe === null ? 'open' : 'probing';
  }

  /** Milliseconds until a call may go. `later`: it waits one pause longer than others. */
  waitMs(now: number, later = false): number {
    if (this.#openedAt === null) return 0;
    return Math.max(0, this.#nextAt + (later ? this.#pauseMs : 0) - now);
  }

  open(now: number): void {
    this.#openedAt ??= now;
    this.#probe = null;
    this.#pauseMs = Math.min(Math.max((now - this.#openedAt) / 6, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#nextAt = now + this.#pauseMs;
  }

  close(): void {
    this.#openedAt = null;
    this.#probe = null;
  }

  /** A probe that does not report in time makes room for the next one. */
  admit(probe: symbol, now: number): void {
    if (this.#openedAt === null) return;
    this.#probe = probe;
    this.#nextAt = now + PROBE_MS;
  }

  /** `ok` null: it says nothing about the upstream. */
  endProbe(probe: symbol, ok: boolean | null, now: number): void {
    if (this.#openedAt === null) return;
    if (ok) this.close();
    else if (this.#probe !== probe) return;
    else if (ok === false) this.open(now);
    else {
      this.#probe = null;
      this.#nextAt = now;
    }
  }
}

const refusalFor = (fault: 'breaker-open' | 'student-paused', ms: number): Unanswered => ({
  kind: 'no-answer',
  fault,
  retryAfterSeconds: Math.ceil(ms / 1000),
});

interface FailingStudent {
  readonly tally: Tally;
  readonly gate: Gate;
}

interface Admission {
  readonly kind: 'go';
  /** Given to a request that goes alone, to find out whether the upstream is back. */
  readonly probe: symbol | null;
}

/**
 * One upstream's breaker. It opens for all students when no connection is made or the calls of three students fail;
 * failures of one student's pages pause that student alone. When open, it lets a probe through after each pause,
 * preferably of a student whose own calls did not fail.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #onChange: (state: BreakerState) => void;
  readonly #gate = new Gate();
  readonly #tally = new Tally();
  readonly #failing = new LRUCache<string, FailingStudent>(boundSize(REMEMBERED_STUDENTS));
  #reported: BreakerState = 'closed';

  constructor(clock: Clock, onChange: (state: BreakerState) => void = () => {}) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get state(): BreakerState {
    return this.#gate.state;
  }

  /** Counts the students whose own calls wait now. */
  get pausedStudents(): number {
    const now = this.#clock.monotonic();
    let paused = 0;
    for (const { gate } of this.#failing.values()) if (gate.waitMs(now) > 0) paused += 1;
    return paused;
  }

  /** Refuses a call that was admitted earlier and has waited since; null: it may go. */
  refusal(student: string): Unanswered | null {
    const now = this.#clock.monotonic();
    const ms = Math.max(this.#failing.peek(student)?.gate.waitMs(now) ?? 0, this.#gate.waitMs(now));
    return ms === 0 ? null : refusalFor('breaker-open', ms);
  }

  isClosedFor(student: string): boolean {
    return this.state === 'closed' && (this.#failing.peek(student)?.gate.state ?? 'closed') === 'closed';
  }

  admit(student: string): Admission | Unanswered {
    const now = this.#clock.monotonic();
    const own = this.#failing.get(student);
    const ownMs = own?.gate.waitMs(now) ?? 0;
    const hasFailed = own !== undefined && (own.tally.isFailing || own.gate.state !== 'closed');
    const allMs = this.#gate.waitMs(now, hasFailed);
    const ms = Math.max(ownMs, allMs);
    if (ms > 0) return refusalFor(allMs === 0 ? 'student-paused' : 'breaker-open', ms);
    const isClosed = this.#gate.state === 'closed' && (own === undefined || own.gate.state === 'closed');
    if (isClosed) return { kind: 'go', probe: null };
    const probe = Symbol('probe');
    own?.gate.admit(probe, now);
    this.#gate.admit(probe, now);
    this.#reportChange();
    return { kind: 'go', probe };
  }

  /** `outcome` null: the request says nothing about the upstream. */
  endProbe(student: string, probe: symbol, outcome: CallOutcome | null): void {
    const now = this.#clock.monotonic();
    const ok = outcome && outcome === 'ok';
    this.#failing.peek(student)?.gate.endProbe(probe, ok, now);
    this.#gate.endProbe(probe, ok, now);
    if (outcome !== null) this.report(student, outcome);
    this.#reportChange();
  }

  /** Called once for each API call of a student. */
  report(student: string, outcome: CallOutcome): void {
    const now = this.#clock.monotonic();
    if (outcome !== 'unreachable') this.#reportOwn(student, outcome === 'failed', now);
    const who = outcome === 'unreachable' ? Symbol('no student') : student;
    // Requests that were under way when it opened say nothing new.
    if (this.#gate.state === 'closed' && this.#tally.add(who, outcome !== 'ok', now)) this.#gate.open(now);
    this.#reportChange();
  }

  #reportOwn(student: string, failed: boolean, now: number): void {
    const failing = this.#failing.get(student);
    if (failing === undefined && !failed) return;
    const own = failing ?? { tally: new Tally(), gate: new Gate() };
    if (own.gate.state !== 'closed') return;
    // A student's own breaker counts every call.
    if (own.tally.add(Symbol('call'), failed, now)) own.gate.open(now);
    this.#failing.set(student, own);
  }

  #reportChange(): void {
    const { state } = this.#gate;
    if (state === this.#reported) return;
    this.#reported = state;
    this.#onChange(state);
  }
}

/** The last outcome at each upstream counts, once, when the call ends; that of a probe at once, as all wait for it. */
export class BreakerScope {
  readonly student: string;
  readonly #breakers: ReadonlyMap<string, CircuitBreaker>;
  /** The upstreams that let this call pass, with the outcome of its last request; null: there is none. */
  readonly #admitted = new Map<string, CallOutcome | null>();
  readonly #probes = new Map<string, { readonly probe: symbol; readonly over: PromiseWithResolvers<void> }>();

  constructor(breakers: ReadonlyMap<string, CircuitBreaker>, student: string) {
    this.#breakers = breakers;
    this.student = student;
  }

  /** While a request of this call probes the upstream, the others wait for its outcome; undefined: none does. */
  probeUnderWay(upstream: string): Promise<void> | undefined {
    return this.#probes.get(upstream)?.over.promise;
  }

  /** Null: a request may go. An upstream that has let this call pass once lets all its requests pass. */
  admit(upstream: string): Unanswered | null {
    if (this.#admitted.has(upstream)) return null;
    const admission = this.#breakers.get(upstream)?.admit(this.student);
    if (admission?.kind === 'no-answer') return admission;
    if (admission?.probe) this.#probes.set(upstream, { probe: admission.probe, over: Promise.withResolvers() });
    else this.#admitted.set(upstream, null);
    return null;
  }

  /** Looks again at a request that was admitted and has waited since; null: it may go. */
  refusal(upstream: string): Unanswered | null {
    if (this.#probes.has(upstream) || this.#admitted.get(upstream)) return null;
    return this.#breakers.get(upstream)?.refusal(this.student) ?? null;
  }

  isProbing(upstream: string): boolean {
    return this.#probes.has(upstream);
  }

  /** `outcome` null: the request says nothing about the upstream. */
  note(upstream: string, outcome: CallOutcome | null): void {
    const probing = this.#probes.get(upstream);
    if (probing === undefined) {
      if (outcome !== null) this.#admitted.set(upstream, outcome);
      return;
    }
    this.#probes.delete(upstream);
    this.#breakers.get(upstream)?.endProbe(this.student, probing.probe, outcome);
    if (outcome === 'ok') this.#admitted.set(upstream, null);
    probing.over.resolve();
  }

  /** Takes the outcome back, because another call reports it. */
  retract(upstream: string): void {
    if (this.#admitted.has(upstream)) this.#admitted.set(upstream, null);
  }

  finish(): void {
    for (const [upstream, outcome] of this.#admitted) {
      if (outcome !== null) this.#breakers.get(upstream)?.report(this.student, outcome);
    }
    this.#admitted.clear();
  }
}
