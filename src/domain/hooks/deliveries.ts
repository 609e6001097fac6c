import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomToken, type TagOf } from '../../lib/hash.ts';
import { Loop } from '../../lib/loop.ts';
import { type Clock, systemClock } from '../../lib/time.ts';
import type { Log } from '../context.ts';
import { asFailure } from '../errors.ts';
import type { ServiceObserver } from '../observation.ts';
import { DueDeliveries } from './due-deliveries.ts';
import { hookFormats, isAccepted, signingHeaders } from './formats.ts';
import { eventLine } from './message.ts';
import type { AttemptResult, ClaimedDelivery, DeliveryStore, HookCallResult, HookSender, HookState } from './ports.ts';
import { askedPause, pauseAfter } from './schedule.ts';
import type { Targets } from './targets.ts';

const MOST_AT_ONCE = 16;
const MOST_PER_HOST = 2;
/** Repeats and calls of unverified hooks under way at once: receivers that hang leave room for those that answer. */
const MOST_SLOW = 8;
/** Longer than an attempt may take. */
const LEASE_MS = 30_000;
/** How soon due deliveries, and those of other replicas, are noticed. */
const LOOK_EVERY_MS = 2_000;

interface DeliveriesDeps {
  readonly store: DeliveryStore;
  readonly targets: Targets;
  readonly sender: HookSender;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly observer: Pick<ServiceObserver, 'hookCalled'>;
}

type DeliveryOutcome = Pick<AttemptResult, 'outcome' | 'status' | 'fault'>;

const deliveryOutcomeOf = (sent: HookCallResult, format: ClaimedDelivery['format']): DeliveryOutcome => {
  if (sent.kind === 'no-answer') return { outcome: 'failed', status: null, fault: sent.fault };
  const { status, reply } = sent;
  if (status === 410) return { outcome: 'gone', status, fault: null };
  if (status < 200 || status > 299) return { outcome: 'failed', status, fault: null };
  if (!isAccepted(format, reply)) return { outcome: 'failed', status, fault: 'not-accepted' };
  return { outcome: 'delivered', status, fault: null };
};

/** Statuses whose `Retry-After` is obeyed. */
const pausing: readonly number[] = [429, 503];

/** Takes due deliveries from the outbox and sends them. All replicas share the work. Begins at once. */
export class Deliveries {
  readonly #deps: DeliveriesDeps;
  readonly #owner = randomToken();
  readonly #running = new Set<Promise<void>>();
  /** Keyed by delivery id. */
  readonly #underWay = new Map<string, AbortController>();
  readonly #hosts = new Map<string, number>();
  readonly #due: DueDeliveries;
  readonly #loop: Loop;
  #lookedAt = systemClock.monotonic();
  #slow = 0;

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
    this.#due = new DueDeliveries(deps.store);
    this.#loop = new Loop({
      ...{ failed: 'due deliveries not looked up', everyMs: LOOK_EVERY_MS, clock: systemClock, log: deps.log },
      body: (signal) => this.#round(signal),
    });
  }

  get active(): number {
    return this.#running.size;
  }

  /** Something may be due. */
  wake(): void {
    this.#due.expectNew();
    this.#loop.wake();
  }

  /** Aborts deliveries under way to hooks that have ended. Other processes notice within 2 s. */
  async abortEnded(): Promise<void> {
    if (this.#underWay.size === 0) return;
    const ids = [...this.#underWay.keys()];
    try {
      const left = new Set(await this.#deps.store.waiting(ids));
      for (const id of ids) if (!left.has(id)) this.#underWay.get(id)?.abort(new Error('hook ended'));
    } catch {
      // The next look finds it.
    }
  }

  async close(): Promise<void> {
    await this.#loop.close();
    await Promise.all(this.#running);
    await this.#deps.store.release(this.#owner).catch(() => {});
  }

  /** Time runs by the machine here: receivers are real. */
  async #round(signal: AbortSignal): Promise<number> {
    const left = (): number => this.#lookedAt + LOOK_EVERY_MS - systemClock.monotonic();
    if (left() <= 0) {
      this.#lookedAt = systemClock.monotonic();
      this.#due.tick();
      void this.abortEnded();
    }
    await this.#beginDue(signal);
    return Math.max(1, left());
  }

  /** One claim a turn: neither that nor an attempt that never reaches the network may keep other work waiting. */
  async #beginDue(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#deps;
    const isBusy = (host: string): boolean => (this.#hosts.get(host) ?? 0) >= MOST_PER_HOST;
    while (this.#running.size < MOST_AT_ONCE && !signal.aborted) {
      const times = { now: clock.now(), lifeMs: LEASE_MS };
      if (this.#due.isStale) await this.#due.look(times, signal);
      const candidates = this.#due.next({ isBusy, quickOnly: this.#slow >= MOST_SLOW });
      if (candidates === null) return;
      const claimed = await store.claim(this.#owner, candidates.ids, times);
      this.#due.drop(candidates, claimed?.id ?? null);
      if (claimed !== null) this.#begin(claimed);
      await nextTurn();
    }
  }

  #begin(claimed: ClaimedDelivery): void {
    const { host, attempts, verified } = claimed;
    const isSlow = attempts > 0 || !verified;
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
    if (isSlow) this.#slow += 1;
    const abort = new AbortController();
    this.#underWay.set(claimed.id, abort);
    const done = this.#attempt(claimed, AbortSignal.any([this.#loop.signal, abort.signal]))
      .catch((error: unknown) => {
        // It is attempted again when its lease ends.
        const { kind, reason } = asFailure(error);
        this.#deps.log.warn({ hook: claimed.hook, failure: kind, reason }, 'delivery not written down');
      })
      .finally(() => {
        this.#running.delete(done);
        this.#underWay.delete(claimed.id);
        const left = (this.#hosts.get(host) ?? 1) - 1;
        if (left === 0) this.#hosts.delete(host);
        else this.#hosts.set(host, left);
        if (isSlow) this.#slow -= 1;
        this.#loop.wake();
      });
    this.#running.add(done);
  }

  async #attempt(claimed: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const { clock, random, store } = this.#deps;
    const { id, hook, format, attempts, asked } = claimed;
    const began = clock.monotonic();
    const sent = await this.#send(claimed, signal);
    // If this process is ending, another one delivers it; if its hook has ended, none does.
    if (signal.aborted && sent.kind !== 'answer') return;
    const verdict = deliveryOutcomeOf(sent, format);
    const { outcome } = verdict;
    const ms = Math.round(clock.monotonic() - began);
    const now = clock.now();
    const header = sent.kind === 'answer' && pausing.includes(sent.status) ? sent.retryAfter : null;
    const pause = asked || outcome !== 'failed' ? null : pauseAfter(attempts + 1, random, askedPause(header, now));
    const nextAt = pause === null ? null : now + pause;
    const state = await store.settle({ id, hook }, this.#owner, { ...verdict, ms, now, nextAt });
    this.#note(claimed, verdict, { ms, isLast: nextAt === null, state });
  }

  async #send(claimed: ClaimedDelivery, signal: AbortSignal): Promise<HookCallResult> {
    const { targets, sender, clock } = this.#deps;
    const { url, format, secret, event, body, attempts } = claimed;
    const target = targets.check(url, format);
    if (typeof target === 'string' || secret === null) return { kind: 'no-answer', fault: 'refused-target' };
    const { signed, contentType, body: written } = hookFormats[format];
    const text = written({ event: body, line: eventLine(body) });
    const message = { id: event, timestamp: Math.floor(clock.now() / 1000), body: text };
    const headers = { 'content-type': contentType, ...(signed ? signingHeaders(secret, message) : {}) };
    return sender.send({ target, headers, body: text, attempt: attempts + 1 }, signal);
  }

  #note(
    { hook, userid, type, attempts }: ClaimedDelivery,
    { outcome, status, fault }: DeliveryOutcome,
    { ms, isLast, state }: { readonly ms: number; readonly isLast: boolean; readonly state: HookState | null },
  ): void {
    const { log, tagOf, observer } = this.#deps;
    const told = outcome === 'failed' && isLast ? 'given-up' : outcome;
    observer.hookCalled(told);
    const fields = { student: tagOf(userid), hook, type, attempt: attempts + 1, outcome: told, status, fault, ms };
    log.info(fields, 'hook called');
    if (state === 'failed' || state === 'gone') {
      observer.hookCalled(state === 'gone' ? 'ended' : 'switched-off');
      log.warn({ student: tagOf(userid), hook, state }, 'hook switched off');
    }
  }
}
