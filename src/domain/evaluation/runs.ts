import { Loop } from '../../lib/loop.ts';
import { failures } from '../errors.ts';
import { type HeldTask, OwnTask, type TaskRepository } from './repository.ts';
import { EvaluationWork } from './runner.ts';
import { awaitsPerson, type EvaluationTask, stopAt } from './task.ts';
import type { EvaluationDeps } from './types.ts';

const BEAT_MS = 20_000;
/** Between two looks for changes by other replicas, such as a stop. */
const LOOK_MS = 2_000;

const closing = failures.clientGone('the service closes');

interface ActiveRun {
  readonly own: OwnTask;
  readonly done: Promise<void>;
}

export class Runs {
  readonly #deps: EvaluationDeps;
  readonly #repository: TaskRepository;
  readonly #runs = new Map<string, ActiveRun>();
  /** Lists that are being loaded, by student: they need heartbeats, too. */
  readonly #loading = new Map<string, Promise<unknown>>();
  readonly #closed = new AbortController();
  readonly #watching: Loop;
  readonly #reserved = new Set<Disposable>();
  #beatAt: number;

  constructor(deps: EvaluationDeps, repository: TaskRepository) {
    this.#deps = deps;
    this.#repository = repository;
    this.#beatAt = deps.clock.monotonic();
    this.#watching = new Loop({
      ...{ failed: 'evaluation runs not checked', everyMs: LOOK_MS, afterMs: LOOK_MS },
      ...{ clock: deps.clock, log: deps.log, body: () => this.#look() },
    });
  }

  /** Runs at work, without those that wait for their student. */
  get atWork(): number {
    return [...this.#runs.values()].filter(({ own }) => !awaitsPerson(own.task)).length;
  }

  of(userid: string): OwnTask | undefined {
    return this.#runs.get(userid)?.own;
  }

  taskOf(userid: string): EvaluationTask | null {
    const own = this.of(userid);
    return own === undefined || own.isLeft ? null : own.task;
  }

  /** Reserves a run, so that two starts at once do not both take the last one. Null: there is no room. */
  reserve(): Disposable | null {
    const { maxRunning } = this.#deps.settings;
    if (this.#closed.signal.aborted || this.atWork + this.#reserved.size >= maxRunning) return null;
    const room: Disposable = { [Symbol.dispose]: () => void this.#reserved.delete(room) };
    this.#reserved.add(room);
    return room;
  }

  begin(userid: string, held: HeldTask): void {
    // A stopped run may not have ended yet.
    const before = this.#runs.get(userid);
    before?.own.leave();
    const own = new OwnTask(this.#deps, this.#repository, userid, held);
    const done = (before?.done ?? Promise.resolve())
      .then(() => new EvaluationWork(this.#deps, own).work())
      .finally(() => {
        if (this.of(userid) === own) this.#runs.delete(userid);
      });
    this.#runs.set(userid, { own, done });
    // The service may have begun to close while the start was stored.
    if (this.#closed.signal.aborted) own.leave();
  }

  /** A list is loaded until this is disposed of, with a signal that ends when the service closes. */
  beginLoading(userid: string): Disposable & { readonly signal: AbortSignal } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loading.set(userid, promise);
    const end = (): void => {
      if (this.#loading.get(userid) === promise) this.#loading.delete(userid);
      resolve();
    };
    return { signal: this.#closed.signal, [Symbol.dispose]: end };
  }

  /** Ends every run as interrupted, after at most 5 s for a submission that is on its way. */
  async close(): Promise<void> {
    this.#closed.abort(closing);
    const left = [...this.#runs.values()];
    for (const { own } of left) own.leave();
    await Promise.allSettled([this.#watching.close(), ...left.map(({ done }) => done), ...this.#loading.values()]);
    for (const { own } of left) await this.#interrupt(own.userid);
  }

  async #interrupt(userid: string): Promise<void> {
    const { log, tagOf } = this.#deps;
    try {
      const held = await this.#repository.load(userid);
      if (held?.owner !== this.#deps.owner) return;
      await this.#repository.change(userid, { type: 'interrupted' });
      log.info({ student: tagOf(userid) }, 'evaluation run interrupted');
    } catch (err) {
      // After a minute every other process sees that this one has died.
      log.warn({ student: tagOf(userid), err }, 'evaluation run not ended');
    }
  }

  async #look(): Promise<undefined> {
    const { clock, isAlone } = this.#deps;
    const isDue = clock.monotonic() - this.#beatAt >= BEAT_MS;
    if ((isAlone() && !isDue) || (this.#runs.size === 0 && this.#loading.size === 0)) return;
    this.#beatAt = clock.monotonic();
    await this.#beat();
  }

  /** Sends a heartbeat, and reloads tasks that have been changed elsewhere. */
  async #beat(): Promise<void> {
    const { store, owner, clock } = this.#deps;
    const rows = await store.beat(owner, [...this.#runs.keys(), ...this.#loading.keys()], clock.now());
    const revisions = new Map(rows.map(({ userid, revision }) => [userid, revision]));
    for (const { own } of [...this.#runs.values()]) {
      const { userid } = own;
      if (revisions.get(userid) !== own.revision) own.adopt(await this.#repository.load(userid));
      // A page may hang, so the end does not wait for the next step.
      const isAsked = !own.isLeft && own.task.status === 'running' && stopAt(own.task.run) !== null;
      if (isAsked) own.adopt((await this.#repository.change(userid, { type: 'terminate' })).held);
    }
  }
}
