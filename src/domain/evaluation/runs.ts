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
 * at, all of them with one statement each; and runs that no process works on are taken over, from now on.
 */
export const createRuns = (deps: EvaluationDeps, repository: TaskRepository) => {
  const { clock, store, owner, log, tagOf } = deps;
  const runs = new Map<string, { readonly own: HeldTask; readonly done: Promise<void> }>();
  /** Initializations under way: leased like runs, so that one whose process died is recognised. */
  const loading = new Map<string, Promise<unknown>>();
  const closed = new AbortController();
  let reserved = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const of = (userid: string): HeldTask | undefined => runs.get(userid)?.own;
  /** Runs at work; those that wait for their student are not. */
  const atWork = (): number => [...runs.values()].filter(({ own }) => !awaitsPerson(own.task)).length;
  const places = (): number => deps.settings.maxRunning - atWork() - reserved;

  const begin = (userid: string, held: Held, leasedAt: number): void => {
    // At the end of the process the task is left as it is, for the next one.
    if (closed.signal.aborted) return;
    // A run that has just been stopped may still be on its way out.
    const before = runs.get(userid);
    before?.own.leave();
    const own = new HeldTask(repository, clock, userid, held, leasedAt);
    const done = (before?.done ?? Promise.resolve())
      .then(() => work(deps, own))
      .finally(() => {
        if (of(userid) === own) runs.delete(userid);
      });
    runs.set(userid, { own, done });
  };

  const claim = async (now: number): Promise<void> => {
    const free = places();
    if (free <= 0) return;
    for (const stored of await store.claim(repository.leased(), free)) {
      const { userid } = stored;
      const own = of(userid);
      if (own !== undefined) {
        own.prolong(now);
        await own.reload();
        continue;
      }
      const leasedAt = clock.monotonic();
      const held = await repository.resume(stored);
      if (held === null) continue;
      log.info({ student: tagOf(userid), status: held.task.status }, 'evaluation run taken over');
      if (held.task.status === 'running') begin(userid, held, leasedAt);
    }
  };

  /** Sees which tasks have been changed elsewhere; where it is time, prolongs leases and claims tasks: true. */
  const look = async (): Promise<boolean> => {
    const now = clock.monotonic();
    const isDue = now - renewedAt >= RENEW_EVERY_MS;
    const before = [...runs.values()].map(({ own }) => ({ own, revision: own.revision }));
    if (before.length > 0 || (isDue && loading.size > 0)) {
      const userids = [...runs.keys(), ...loading.keys()];
      const rows = await (isDue ? store.renew(repository.leased(), userids) : store.held(owner));
      const revisions = new Map(rows.map(({ userid, revision }) => [userid, revision]));
      for (const { own, revision } of before) {
        if (isDue && revisions.has(own.userid)) own.prolong(now);
        // A revision that has moved on here is newer than what was read.
        if (own.revision === revision && revisions.get(own.userid) !== revision) await own.reload();
      }
    }
    if (!isDue) return false;
    renewedAt = now;
    // Renewing comes before claiming: after a pause of this process its own leases may just have ended.
    await claim(now);
    return true;
  };

  const watch = async (): Promise<void> => {
    let isTroubled = false;
    while (!closed.signal.aborted) {
      try {
        // Not every look asks storage.
        if (await look()) isTroubled = false;
      } catch (err) {
        if (!isTroubled) log.warn({ err }, 'evaluation runs not checked');
        isTroubled = true;
      }
      await pause(clock, LOOK_EVERY_MS, closed.signal);
    }
  };
  const watching = watch();

  return {
    atWork,
    /** The task of a run at work here; only storage knows whether it still is once its lease has ended. */
    of,
    /** Keeps a place while `start` runs, or two starts at once would both see the last one free; false: all are taken. */
    async withPlace<T>(start: (place: boolean) => Promise<T>): Promise<T> {
      const place = !closed.signal.aborted && places() > 0;
      if (place) reserved += 1;
      try {
        return await start(place);
      } finally {
        if (place) reserved -= 1;
      }
    },
    /** @param leasedAt monotonic time before the lease was asked for */
    begin,
    /** Runs a load of the list under the lease of this process; ended when the service closes. */
    async alongside<T>(userid: string, load: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const loaded = load(closed.signal);
      loading.set(userid, loaded);
      try {
        return await loaded;
      } finally {
        if (loading.get(userid) === loaded) loading.delete(userid);
      }
    },
    /** Leaves every run to the next process. A submission that is on its way is awaited. */
    async close(): Promise<void> {
      closed.abort(closing);
      const left = [...runs.values()];
      for (const { own } of left) own.leave();
      await Promise.allSettled([watching, ...left.map(({ done }) => done), ...loading.values()]);
      await store.release(owner).catch((err: unknown) => log.warn({ err }, 'evaluation leases not released'));
    },
  };
};
