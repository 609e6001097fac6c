import { randomToken } from '../../lib/hash.ts';
import { put } from '../database/rows.ts';
import { isReadableHere } from '../migrations/migrate.ts';
import type { StoreDeps } from '../store.ts';

const TRIED_EVERY_MS = 5_000;
/** A database that answers later than this is of no use to a call either. */
const PATIENCE_MS = 3_000;

interface WriteTrial {
  readonly begunAt: number;
  readonly outcome: Promise<void>;
  isOver: boolean;
}

/** Whether the database can be used. All who ask share one trial in five seconds, however many they are. */
export class Readiness {
  readonly #deps: Pick<StoreDeps, 'runner' | 'clock' | 'log'>;
  #wasReadable = true;
  #last: WriteTrial | null = null;

  constructor(deps: Pick<StoreDeps, 'runner' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** False also where there is no answer in time. Never throws. */
  async isReady(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = this.#deps.clock.timer(PATIENCE_MS, () => resolve(false));
    this.check().then(
      () => resolve(true),
      () => resolve(false),
    );
    return promise.finally(cancel);
  }

  /** @throws Failure `storage-failed` while the database does not answer, takes no write, or needs a newer version */
  check(): Promise<void> {
    const now = this.#deps.clock.monotonic();
    if (this.#last !== null && (!this.#last.isOver || now - this.#last.begunAt < TRIED_EVERY_MS))
      return this.#last.outcome;
    const trial: WriteTrial = {
      begunAt: now,
      isOver: false,
      outcome: this.#try().finally(() => {
        trial.isOver = true;
      }),
    };
    this.#last = trial;
    return trial.outcome;
  }

  async #try(): Promise<void> {
    const { runner, log } = this.#deps;
    await runner.run('check readiness', async (db) => {
      const isReadable = await isReadableHere(db);
      if (!isReadable && this.#wasReadable)
        log.error({}, 'a newer version has changed the database; this one has to end');
      this.#wasReadable = isReadable;
      if (!isReadable) throw new Error('the database needs a newer version');
      // Another value each time: SQLite writes nothing where the row stays as it is, and a full disk would not be seen.
      await put(db, 'leases', { name: 'readiness', owner: randomToken(), expires_at: 0 });
    });
  }
}
