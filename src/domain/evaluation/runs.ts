import { pause } from '../../lib/clock.ts';
import { Failure } from '../errors.ts';
import { type Held, HeldTask, type TaskRepository } from './repository.ts';
import { type RunnerDeps, runTask } from './runner.ts';
import { awaitsPerson, type EvaluationTask } from './task.ts';

/** Changes that other replicas make are seen this soon: a termination there stops the run here within a second. */
const LOOK_EVERY_MS = 500;
const RENEW_EVERY_MS = 3_000;
const CLAIM_EVERY_MS = 2_000;

const closing = new Failure('client-gone', { reason: 'the service closes' });

/**
 * The runs that this process is at work on. While there are any, their leases are renewed and their revisions looked
 * at, all of them with one statement each; and runs that no process works on are taken over.
 */
export class Runs {
  readonly #deps: RunnerDeps;
  readonly #repository: TaskRepository;
  readonly #maxRunning: number;
  readonly #runs = new Map<string, { readonly own: HeldTask; readonly done: Promise<void> }>();
  /** Initializations under way: leased like runs, so that one whose process died is recognised. */
  readonly #loading = new Map<string, Promise<unknown>>();
  readonly #closed = new AbortController();
  #reserved = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #claimedAt = Number.NEGATIVE_INFINITY;
  readonly #watching: Promise<void>;
  #troubled = false;

  /** Begins at once to look for runs that no process works on. */
  constructor(deps: RunnerDeps, repository: TaskRepository, maxRunning: number) {
    this.#deps = deps;
    this.#repository = repository;
    this.#maxRunning = maxRunning;
    this.#watching = this.#watch();
  }

  /** At work; those that wait for their student are not. */
  get size(): number {
    return [...this.#runs.values()].filter(({ own }) => !awaitsPerson(own.task)).length;
  }

  /** The task of a run at work here; null when only storage knows. */
  taskOf(userid: string): EvaluationTask | null {
    const own = this.#runs.get(userid)?.own;
    return own?.isLeased ? own.task : null;
  }

  /** As it was last known here; another process may be at work by now. */
  lastKnown(userid: string): EvaluationTask | null {
    return this.#runs.get(userid)?.own.task ?? null;
  }

  /** Keeps a place while `work` runs, or two starts at once would both see the last one free; false: all are taken. */
  async withPlace<T>(work: (place: boolean) => Promise<T>): Promise<T> {
    if (this.#closed.signal.aborted || this.size + this.#reserved >= this.#maxRunning) return work(false);
    this.#reserved += 1;
    try {
      return await work(true);
    } finally {
      this.#reserved -= 1;
    }
  }

  /** @param leasedAt monotonic time before the lease was asked for */
  begin(userid: string, held: Held, leasedAt: number): void {
    // At the end of the process the task is left as it is, for the next one.
    if (this.#closed.signal.aborted) return;
    // A run that has just been stopped may still be on its way out.
    const before = this.#runs.get(userid);
    before?.own.leave();
    const own = new HeldTask({ repository: this.#repository, clock: this.#deps.clock, userid, held, leasedAt });
    const done = (before?.done ?? Promise.resolve())
      .then(() => runTask(this.#deps, own))
      .finally(() => {
        if (this.#runs.get(userid)?.own === own) this.#runs.delete(userid);
      });
    this.#runs.set(userid, { own, done });
  }

  /** Runs a load of the list under the lease of this process; ended when the service closes. */
  async alongside<T>(userid: string, load: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const loading = load(this.#closed.signal);
    this.#loading.set(userid, loading);
    try {
      return await loading;
    } finally {
      if (this.#loading.get(userid) === loading) this.#loading.delete(userid);
    }
  }

  /** The task as a call in this process has changed or found it. */
  notice(userid: string, held: Held | null): void {
    this.#runs.get(userid)?.own.adopt(held);
  }

  /** Leaves every run to the next process. A submission that is on its way is awaited. */
  async close(): Promise<void> {
    this.#closed.abort(closing);
    const runs = [...this.#runs.values()];
    for (const { own } of runs) own.leave();
    await Promise.allSettled([this.#watching, ...runs.map(({ done }) => done), ...this.#loading.values()]);
    const { log } = this.#deps;
    await this.#repository.release().catch((err: unknown) => log.warn({ err }, 'evaluation leases not released'));
  }

  async #watch(): Promise<void> {
    const { clock, log } = this.#deps;
    while (!this.#closed.signal.aborted) {
      try {
        await this.#look();
      } catch (err) {
        if (!this.#troubled) log.warn({ err }, 'evaluation runs not checked');
        this.#troubled = true;
      }
      await pause(clock, LOOK_EVERY_MS, this.#closed.signal);
    }
  }

  async #look(): Promise<void> {
    const now = this.#deps.clock.monotonic();
    // Renewing comes before claiming: after a pause of this process its own leases may just have ended.
    await this.#compare(now);
    if (now - this.#claimedAt < CLAIM_EVERY_MS) return;
    this.#claimedAt = now;
    await this.#claim(now);
    // Not every look asks storage; this one has, and was answered.
    this.#troubled = false;
  }

  /** Prolongs leases where it is time, and sees which tasks have been changed elsewhere. */
  async #compare(now: number): Promise<void> {
    const userids = [...this.#runs.keys(), ...this.#loading.keys()];
    const isDue = now - this.#renewedAt >= RENEW_EVERY_MS;
    if (userids.length === 0 || (this.#runs.size === 0 && !isDue)) return;
    const before = [...this.#runs.values()].map(({ own }) => ({ own, revision: own.revision }));
    const rows = await (isDue ? this.#repository.renew(userids) : this.#repository.revisions());
    if (isDue) this.#renewedAt = now;
    const stored = new Map(rows.map(({ userid, revision }) => [userid, revision]));
    for (const { own, revision } of before) {
      if (isDue && stored.has(own.userid)) own.prolong(now);
      // A revision that has moved on here is newer than what was read.
      if (own.revision === revision && stored.get(own.userid) !== revision) await own.reload();
    }
  }

  async #claim(now: number): Promise<void> {
    const { clock, log, tagOf } = this.#deps;
    const free = this.#maxRunning - this.size - this.#reserved;
    if (free <= 0) return;
    for (const stored of await this.#repository.claim(free)) {
      const { userid } = stored;
      const own = this.#runs.get(userid)?.own;
      if (own !== undefined) {
        own.prolong(now);
        await own.reload();
        continue;
      }
      const leasedAt = clock.monotonic();
      const held = await this.#repository.resume(stored);
      if (held === null) continue;
      log.info({ student: tagOf(userid), status: held.task.status }, 'evaluation run taken over');
      if (held.task.status === 'running') this.begin(userid, held, leasedAt);
    }
  }
}
