import { studentTag } from '../../lib/hash.ts';
import { Failure } from '../errors.ts';
import { type Held, LEASE_MS } from './desk.ts';
import type { EvaluationStore } from './ports.ts';
import type { EvaluationTask } from './task.ts';
import { RunWork, type WorkDeps } from './work.ts';

/** Changes that other replicas make are seen this soon: a termination there stops the run here within a second. */
const LOOK_EVERY_MS = 500;
const RENEW_EVERY_MS = 3_000;
const CLAIM_EVERY_MS = 2_000;

export interface RunPoolOptions {
  readonly work: WorkDeps;
  readonly store: EvaluationStore;
  readonly owner: string;
  readonly maxRunning: number;
}

/** Also when the clock was set back. */
const isOver = (since: number, ms: number, now: number): boolean => now < since || now - since >= ms;

const closing = new Failure('client-gone', { reason: 'the service closes' });

/**
 * The runs that this process is at work on. While there are any, their leases are renewed and their revisions looked
 * at, all of them with one statement each; and runs that nobody is at work on are taken over.
 */
export class RunPool {
  readonly #options: RunPoolOptions;
  readonly #works = new Map<string, { readonly work: RunWork; readonly done: Promise<void> }>();
  /** Initializations under way: leased like runs, so that one whose process died is recognised. */
  readonly #loading = new Map<string, Promise<unknown>>();
  readonly #closed = new AbortController();
  #reserved = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #claimedAt = Number.NEGATIVE_INFINITY;
  #watching: Promise<void> = Promise.resolve();
  #troubled = false;

  constructor(options: RunPoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#works.size;
  }

  taskOf(userid: string): EvaluationTask | null {
    return this.#works.get(userid)?.work.task ?? null;
  }

  /** A stored task as it is by now: the one at work on it here may know more than had to be stored. */
  latest(userid: string, { task, revision }: Held): EvaluationTask {
    const work = this.#works.get(userid)?.work;
    return work?.revision === revision ? work.task : task;
  }

  start(): void {
    this.#watching = this.#watch();
  }

  /** Keeps a place for one more run; null when all are taken. */
  reserve(): { free(): void } | null {
    if (this.#closed.signal.aborted || this.#works.size + this.#reserved >= this.#options.maxRunning) return null;
    this.#reserved += 1;
    return {
      free: () => {
        this.#reserved -= 1;
      },
    };
  }

  work(userid: string, held: Held): void {
    // At the end of the process the task is left as it is, for the next one.
    if (this.#closed.signal.aborted) return;
    // A run that has just been stopped may still be on its way out.
    const before = this.#works.get(userid);
    before?.work.leave();
    const work = new RunWork(this.#options.work, userid, held);
    const done = (before?.done ?? Promise.resolve())
      .then(() => work.run())
      .finally(() => {
        if (this.#works.get(userid)?.work === work) this.#works.delete(userid);
      });
    this.#works.set(userid, { work, done });
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

  /** The task has been changed by a call in this process. */
  async notice(userid: string): Promise<void> {
    await this.#works.get(userid)?.work.changedElsewhere();
  }

  async close(): Promise<void> {
    this.#closed.abort(closing);
    const works = [...this.#works.values()];
    for (const { work } of works) work.leave();
    await Promise.allSettled([this.#watching, ...works.map(({ done }) => done), ...this.#loading.values()]);
    const { store, owner, work } = this.#options;
    await store.release(owner).catch((err: unknown) => work.log.warn({ err }, 'evaluation leases not released'));
  }

  async #watch(): Promise<void> {
    const { clock, log } = this.#options.work;
    while (!this.#closed.signal.aborted) {
      try {
        await this.#look(clock.now());
        this.#troubled = false;
      } catch (err) {
        if (!this.#troubled) log.warn({ err }, 'evaluation runs not looked after');
        this.#troubled = true;
      }
      await clock.wait(LOOK_EVERY_MS, this.#closed.signal).catch(() => {});
    }
  }

  async #look(now: number): Promise<void> {
    const { store, owner } = this.#options;
    const own = [...this.#works.keys(), ...this.#loading.keys()];
    // Renewing comes before claiming: after a pause of this process its own leases may just have ended.
    if (own.length > 0 && isOver(this.#renewedAt, RENEW_EVERY_MS, now)) {
      await store.renew(owner, own, now + LEASE_MS);
      this.#renewedAt = now;
    }
    if (this.#works.size > 0) await this.#compare();
    if (isOver(this.#claimedAt, CLAIM_EVERY_MS, now)) {
      this.#claimedAt = now;
      await this.#claim(now);
    }
  }

  async #compare(): Promise<void> {
    const { store, owner } = this.#options;
    const before = new Map([...this.#works].map(([userid, { work }]) => [userid, work.revision]));
    const stored = new Map((await store.held(owner)).map(({ userid, revision }) => [userid, revision]));
    for (const [userid, known] of before) {
      const work = this.#works.get(userid)?.work;
      // A revision that has moved on here meanwhile is newer than what was read.
      if (work && work.revision === known && stored.get(userid) !== known) await work.changedElsewhere();
    }
  }

  async #claim(now: number): Promise<void> {
    const { store, owner, maxRunning, work } = this.#options;
    const free = maxRunning - this.#works.size - this.#reserved;
    if (free <= 0) return;
    for (const stored of await store.claim(owner, now, now + LEASE_MS, free)) {
      const { userid } = stored;
      if (this.#works.has(userid)) {
        await this.notice(userid);
        continue;
      }
      const held = await work.desk.resume(stored);
      if (held === null) continue;
      work.log.info({ student: studentTag(userid), status: held.task.status }, 'evaluation run taken over');
      if (held.task.status === 'running') this.work(userid, held);
    }
  }
}
