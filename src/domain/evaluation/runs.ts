import { pause } from '../../lib/clock.ts';
import { Failure } from '../errors.ts';
import { type Held, HeldTask, type TaskRepository } from './repository.ts';
import { work } from './runner.ts';
import { awaitsPerson } from './task.ts';
import type { EvaluationDeps } from './types.ts';

/** Changes that other replicas make to the runs at work here, such as a termination, are seen this soon. */
const LOOK_EVERY_MS = 1_000;
/** How often leases are renewed, and runs looked for that no process works on. */
const RENEW_EVERY_MS = 3_000;

const closing = new Failure('client-gone', { reason: 'the service closes' });

/**
 * The runs that this process is at work on. While there are any, their leases are renewed and their revisions looked
 * at, all of them with one statement each; and runs that no process works on are taken over.
 */
export class Runs {
  readonly #deps: EvaluationDeps;
  readonly #repository: TaskRepository;
  readonly #runs = new Map<string, { readonly own: HeldTask; readonly done: Promise<void> }>();
  /** Initializations under way: leased like runs, so that one whose process died is recognised. */
  readonly #loading = new Map<string, Promise<unknown>>();
  readonly #closed = new AbortController();
  readonly #watching: Promise<void>;
  #reserved = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;

  /** Begins at once to look for runs that no process works on. */
  constructor(deps: EvaluationDeps, repository: TaskRepository) {
    this.#deps = deps;
    this.#repository = repository;
    this.#watching = this.#watch();
  }

  /** At work; those that wait for their student are not. */
  get size(): number {
    return [...this.#runs.values()].filter(({ own }) => !awaitsPerson(own.task)).length;
  }

  get #places(): number {
    return this.#closed.signal.aborted ? 0 : this.#deps.settings.maxRunning - this.size - this.#reserved;
  }

  /** The task of a run at work here; only storage knows whether it still is once its lease has ended. */
  of(userid: string): HeldTask | undefined {
    return this.#runs.get(userid)?.own;
  }

  /** Keeps a place while `start` runs, or two starts at once would both see the last one free; false: all are taken. */
  async withPlace<T>(start: (place: boolean) => Promise<T>): Promise<T> {
    const place = this.#places > 0;
    if (place) this.#reserved += 1;
    try {
      return await start(place);
    } finally {
      if (place) this.#reserved -= 1;
    }
  }

  /** @param leasedAt monotonic time before the lease was asked for */
  begin(userid: string, held: Held, leasedAt: number): void {
    // At the end of the process the task is left as it is, for the next one.
    if (this.#closed.signal.aborted) return;
    // A run that has just been stopped may still be on its way out.
    const before = this.#runs.get(userid);
    before?.own.leave();
    const own = new HeldTask(this.#repository, this.#deps.clock, userid, held, leasedAt);
    const done = (before?.done ?? Promise.resolve())
      .then(() => work(this.#deps, own))
      .finally(() => {
        if (this.of(userid) === own) this.#runs.delete(userid);
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

  /** Leaves every run to the next process. A submission that is on its way is awaited. */
  async close(): Promise<void> {
    this.#closed.abort(closing);
    const runs = [...this.#runs.values()];
    for (const { own } of runs) own.leave();
    await Promise.allSettled([this.#watching, ...runs.map(({ done }) => done), ...this.#loading.values()]);
    const { store, owner, log } = this.#deps;
    await store.release(owner).catch((err: unknown) => log.warn({ err }, 'evaluation leases not released'));
  }

  async #watch(): Promise<void> {
    const { clock, log } = this.#deps;
    let isTroubled = false;
    while (!this.#closed.signal.aborted) {
      try {
        // Not every look asks storage.
        if (await this.#look()) isTroubled = false;
      } catch (err) {
        if (!isTroubled) log.warn({ err }, 'evaluation runs not checked');
        isTroubled = true;
      }
      await pause(clock, LOOK_EVERY_MS, this.#closed.signal);
    }
  }

  /** Sees which tasks have been changed elsewhere; where it is time, prolongs leases and claims tasks: true. */
  async #look(): Promise<boolean> {
    const { clock, store, owner } = this.#deps;
    const now = clock.monotonic();
    const isDue = now - this.#renewedAt >= RENEW_EVERY_MS;
    const before = [...this.#runs.values()].map(({ own }) => ({ own, revision: own.revision }));
    if (before.length > 0 || (isDue && this.#loading.size > 0)) {
      const userids = [...this.#runs.keys(), ...this.#loading.keys()];
      const rows = await (isDue ? this.#repository.renew(userids) : store.held(owner));
      const stored = new Map(rows.map(({ userid, revision }) => [userid, revision]));
      for (const { own, revision } of before) {
        if (isDue && stored.has(own.userid)) own.prolong(now);
        // A revision that has moved on here is newer than what was read.
        if (own.revision === revision && stored.get(own.userid) !== revision) await own.reload();
      }
    }
    if (!isDue) return false;
    this.#renewedAt = now;
    // Renewing comes before claiming: after a pause of this process its own leases may just have ended.
    await this.#claim(now);
    return true;
  }

  async #claim(now: number): Promise<void> {
    const { clock, store, log, tagOf } = this.#deps;
    const places = this.#places;
    if (places <= 0) return;
    for (const stored of await store.claim(this.#repository.lease, places)) {
      const { userid } = stored;
      const own = this.of(userid);
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
