import { failures } from '../../domain/errors.ts';
import { limitFailure, limits } from '../../domain/limits.ts';
import type { Call } from '../call/call-context.ts';

interface Share {
  readonly working: number;
  readonly waiting: number;
}

/** Of one token or calendar feed. */
const credentialShare: Share = { working: 16, waiting: 64 };
/** Of one student: twice as much, so that no single token takes more than half of it. */
const studentShare: Share = { working: 32, waiting: limits.callsAtOnce.most };

/** Nothing is wrong with the caller: there are only too many calls at this moment. */
const RETRY_MS = 1_000;
const overloadedRetryAfterSeconds = 10;

export interface KnownCaller {
  readonly userid: string;
  /** The name of the token or the feed: a hash, or the id. */
  readonly credential: string;
}

interface Queue {
  readonly credential: string;
  working: number;
  readonly waiting: Array<() => void>;
}

class StudentCalls {
  readonly userid: string;
  working = 0;
  waiting = 0;
  readonly queues = new Map<string, Queue>();

  constructor(userid: string) {
    this.userid = userid;
  }

  mayBegin(queue: Queue): boolean {
    return queue.working < credentialShare.working && this.working < studentShare.working;
  }

  begin(queue: Queue): void {
    this.working += 1;
    queue.working += 1;
  }

  /** Of the queues that have to wait, the one with the fewest calls at work is next. */
  next(): Queue | null {
    let next: Queue | null = null;
    for (const queue of this.queues.values()) {
      if (queue.waiting.length === 0 || !this.mayBegin(queue)) continue;
      if (next === null || queue.working < next.working) next = queue;
    }
    return next;
  }
}

/** However many calls one student sends at once, others wait for no more than the few of these that are at work. */
export class FairShare {
  readonly #students = new Map<string, StudentCalls>();
  /** Of one student, at work and in the queue; lower while the service is overloaded. */
  #mostCalls = Number.POSITIVE_INFINITY;

  /** No student may have another call. */
  get isClosed(): boolean {
    return this.#mostCalls === 0;
  }

  /** While the event loop lags on: who has most calls is turned away first, who has a single one last. */
  narrow(): void {
    let greatest = 1;
    for (const { working, waiting } of this.#students.values()) greatest = Math.max(greatest, working + waiting);
    const isFirst = this.#mostCalls === Number.POSITIVE_INFINITY;
    const half = Math.floor(Math.min(this.#mostCalls, greatest) / 2);
    this.#mostCalls = isFirst ? Math.max(1, half) : half;
  }

  widen(): void {
    this.#mostCalls = Number.POSITIVE_INFINITY;
  }

  /** For tests of what is given back. */
  get students(): number {
    return this.#students.size;
  }

  /**
   * Returns at once when the call may begin, else resolves when its turn has come.
   * @throws Failure `rate-limited` where the queue is full, `overloaded` where an overloaded service has no room for it;
   *   the reason of an interruption while it waits
   */
  enter(call: Pick<Call, 'race' | 'onEnd'>, { userid, credential }: KnownCaller): Promise<void> | undefined {
    const calls = this.#students.get(userid) ?? new StudentCalls(userid);
    if (calls.working + calls.waiting >= this.#mostCalls) {
      throw failures.overloaded(overloadedRetryAfterSeconds, 'most calls at work');
    }
    const queue = calls.queues.get(credential) ?? { credential, working: 0, waiting: [] };
    if (queue.waiting.length === 0 && calls.mayBegin(queue)) {
      this.#students.set(userid, calls);
      calls.queues.set(credential, queue);
      calls.begin(queue);
      call.onEnd(() => this.#end(calls, queue));
      return undefined;
    }
    if (queue.waiting.length >= credentialShare.waiting || calls.waiting >= studentShare.waiting) {
      throw limitFailure(limits.callsAtOnce, RETRY_MS);
    }
    calls.queues.set(credential, queue);
    const turn = Promise.withResolvers<void>();
    const begin = (): void => {
      calls.waiting -= 1;
      calls.begin(queue);
      turn.resolve();
    };
    queue.waiting.push(begin);
    calls.waiting += 1;
    call.onEnd(() => {
      const at = queue.waiting.indexOf(begin);
      if (at < 0) return this.#end(calls, queue);
      queue.waiting.splice(at, 1);
      calls.waiting -= 1;
      this.#forget(calls, queue);
    });
    return call.race(turn.promise);
  }

  #end(calls: StudentCalls, queue: Queue): void {
    calls.working -= 1;
    queue.working -= 1;
    if (calls.waiting > 0) calls.next()?.waiting.shift()?.();
    this.#forget(calls, queue);
  }

  #forget(calls: StudentCalls, queue: Queue): void {
    if (queue.working > 0 || queue.waiting.length > 0) return;
    calls.queues.delete(queue.credential);
    if (calls.queues.size === 0) this.#students.delete(calls.userid);
  }
}
