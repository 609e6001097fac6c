import type { Clock } from '../../lib/clock.ts';
import { randomToken } from '../../lib/hash.ts';
import type { TagOf } from '../../lib/keyed-names.ts';
import type { Log } from '../context.ts';
import { asFailure } from '../errors.ts';
import type { ServiceObserver } from '../observation.ts';
import { hookFormats, isAccepted, signingHeaders } from './formats.ts';
import { eventLine } from './message.ts';
import type { AttemptResult, ClaimedDelivery, HookSender, HookStore, Sent } from './ports.ts';
import { askedPause, pauseAfter } from './schedule.ts';
import type { Targets } from './targets.ts';

const MOST_AT_ONCE = 16;
const MOST_PER_HOST = 2;
/** For repetitions and hooks that are not verified: receivers that hang leave the others to those that answer. */
const MOST_SLOW = 8;
/** Longer than an attempt may take, so that no other replica begins it too. */
const LEASE_MS = 30_000;
/** Deliveries of other replicas, and those that have become due, are seen this soon. */
const LOOK_EVERY_MS = 2_000;

interface DeliveriesDeps {
  readonly store: HookStore;
  readonly targets: Targets;
  readonly sender: HookSender;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly observer: Pick<ServiceObserver, 'hookCalled'>;
}

type Verdict = Pick<AttemptResult, 'outcome' | 'status' | 'fault'>;

const verdictOf = (sent: Sent, format: ClaimedDelivery['format']): Verdict => {
  if (sent.kind === 'no-answer') return { outcome: 'failed', status: null, fault: sent.fault };
  const { status, reply } = sent;
  if (status === 410) return { outcome: 'gone', status, fault: null };
  if (status < 200 || status > 299) return { outcome: 'failed', status, fault: null };
  if (!isAccepted(format, reply)) return { outcome: 'failed', status, fault: 'not-accepted' };
  return { outcome: 'delivered', status, fault: null };
};

/** Statuses whose `Retry-After` is obeyed. */
const asking: readonly number[] = [429, 503];

/** Takes what is due from the outbox, in this process beside those of others, and sends it. Begins at once. */
export const startDeliveries = (deps: DeliveriesDeps) => {
  const { store, targets, sender, clock, random, log, tagOf, observer } = deps;
  const owner = randomToken();
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  /** By the id of the delivery. */
  const underWay = new Map<string, AbortController>();
  const hosts = new Map<string, number>();
  let slow = 0;
  let troubled = false;
  let isWoken = false;
  let wakeUp: () => void = () => {};

  /** Something may be due. */
  const wake = (): void => {
    isWoken = true;
    wakeUp();
  };

  const nextTurn = async (): Promise<void> => {
    if (isWoken || closing.signal.aborted) return;
    await new Promise<void>((resolve) => {
      wakeUp = resolve;
    });
  };

  const send = async (claimed: ClaimedDelivery, signal: AbortSignal): Promise<Sent | null> => {
    const { url, format, secret, event, body, attempts } = claimed;
    const target = targets.check(url, format);
    if (typeof target === 'string' || secret === null) return null;
    const { signed, contentType, body: written } = hookFormats[format];
    const text = written({ event: body, line: eventLine(body) });
    const message = { id: event, timestamp: Math.floor(clock.now() / 1000), body: text };
    const headers = { 'content-type': contentType, ...(signed ? signingHeaders(secret, message) : {}) };
    return sender.send({ target, headers, body: text, attempt: attempts + 1 }, signal);
  };

  const attempt = async (claimed: ClaimedDelivery, signal: AbortSignal): Promise<void> => {
    const { id, hook, userid, type, format, attempts, asked } = claimed;
    const began = clock.monotonic();
    const sent = await send(claimed, signal);
    // Cut short by the end of this process, it is left to the next process; by the end of its hook, to none.
    if (signal.aborted && sent?.kind !== 'answer') return;
    const verdict: Verdict =
      sent === null ? { outcome: 'failed', status: null, fault: 'refused-target' } : verdictOf(sent, format);
    const { outcome, status, fault } = verdict;
    const ms = Math.round(clock.monotonic() - began);
    const now = clock.now();
    const header = sent?.kind === 'answer' && asking.includes(sent.status) ? sent.retryAfter : null;
    const pause = asked || outcome !== 'failed' ? null : pauseAfter(attempts + 1, random, askedPause(header, now));
    const nextAt = pause === null ? null : now + pause;
    const state = await store.settle({ id, hook }, owner, { ...verdict, ms, now, nextAt });
    const told = outcome === 'failed' && nextAt === null ? 'given-up' : outcome;
    observer.hookCalled(told);
    log.info(
      { student: tagOf(userid), hook, type, attempt: attempts + 1, outcome: told, status, fault, ms },
      'hook called',
    );
    if (state === 'failed' || state === 'gone') {
      observer.hookCalled(state === 'gone' ? 'ended' : 'switched-off');
      log.warn({ student: tagOf(userid), hook, state }, 'hook switched off');
    }
  };

  const begin = (claimed: ClaimedDelivery): void => {
    const { host, attempts, proven } = claimed;
    const isSlow = attempts > 0 || !proven;
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
    if (isSlow) slow += 1;
    const abort = new AbortController();
    underWay.set(claimed.id, abort);
    const done = attempt(claimed, AbortSignal.any([closing.signal, abort.signal]))
      .catch((error: unknown) => {
        // Its lease ends, and then it is attempted again: at least once.
        const { kind, reason } = asFailure(error);
        log.warn({ hook: claimed.hook, failure: kind, reason }, 'delivery not written down');
      })
      .finally(() => {
        running.delete(done);
        underWay.delete(claimed.id);
        const left = (hosts.get(host) ?? 1) - 1;
        if (left === 0) hosts.delete(host);
        else hosts.set(host, left);
        if (isSlow) slow -= 1;
        wake();
      });
    running.add(done);
  };

  const look = async (): Promise<void> => {
    while (running.size < MOST_AT_ONCE && !closing.signal.aborted) {
      const busy = [...hosts].flatMap(([host, count]) => (count >= MOST_PER_HOST ? [host] : []));
      const wish = { now: clock.now(), lifeMs: LEASE_MS, busy, quickOnly: slow >= MOST_SLOW };
      const claimed = await store.claim(owner, wish);
      if (claimed === null) return;
      begin(claimed);
    }
  };

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      isWoken = false;
      try {
        await look();
        troubled = false;
      } catch (error) {
        const { kind, reason } = asFailure(error);
        if (!troubled) log.warn({ failure: kind, reason }, 'due deliveries not looked up');
        troubled = true;
        // Attempts that end would wake it again and again.
        isWoken = false;
      }
      await nextTurn();
    }
  };
  /** Hooks may have ended: what is under way to such a one is aborted. Here it is noticed at once, elsewhere within 2 s. */
  const ended = async (): Promise<void> => {
    if (underWay.size === 0) return;
    const ids = [...underWay.keys()];
    try {
      const left = new Set(await store.waiting(ids));
      for (const id of ids) if (!left.has(id)) underWay.get(id)?.abort(new Error('hook ended'));
    } catch {
      // The next look finds it.
    }
  };
  const watching = run();
  const timer = setInterval(() => {
    wake();
    void ended();
  }, LOOK_EVERY_MS);
  timer.unref();

  return {
    wake,
    ended,
    /** Attempts under way. */
    get active(): number {
      return running.size;
    },
    async close(): Promise<void> {
      clearInterval(timer);
      closing.abort();
      wake();
      await Promise.all([watching, ...running]);
      await store.release(owner).catch(() => {});
    },
  };
};
