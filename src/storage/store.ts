import type { DeleteResult } from 'kysely';
import type { Log } from '../domain/context.ts';
import type { StoreNumbers } from '../domain/store-numbers.ts';
import type { KeyedNames, TagOf } from '../lib/hash.ts';
import type { Clock } from '../lib/time.ts';
import type { FirstRow, Runner } from './database/run.ts';
import { openOrNull, type SealedPlace, type Sealer } from './seal.ts';

/** Every store is made with these. */
export interface StoreDeps {
  readonly runner: Runner;
  readonly sealer: Sealer;
  /** The first key. */
  readonly secret: Buffer;
  readonly names: KeyedNames;
  readonly tagOf: TagOf;
  readonly numbers: StoreNumbers;
  readonly clock: Clock;
  readonly log: Log;
  /** Frees the files of the database of what a committed transaction has deleted. */
  readonly erased: () => void;
}

export class Store {
  protected readonly deps: StoreDeps;
  protected readonly runner: Runner;

  constructor(deps: StoreDeps) {
    this.deps = deps;
    this.runner = deps.runner;
  }

  /** Opens a sealed text. Null where there is none or that fails, which the log says with `membersOf` the student's tag. */
  protected unseal(
    sealed: string | null,
    place: SealedPlace,
    message: string,
    membersOf: (student: string) => object = (student) => ({ student }),
  ): string | null {
    const { sealer, log, tagOf } = this.deps;
    return openOrNull(sealer, sealed, place, (fault) =>
      log.warn({ ...membersOf(tagOf(place.userid)), fault }, message),
    );
  }

  /** Deletes rows whose content must not stay in the files of the database. False: there were none. */
  protected async erase(operation: string, deletion: FirstRow<DeleteResult>): Promise<boolean> {
    const isFound = (await this.runner.countDeleted(operation, deletion)) > 0;
    if (isFound) this.deps.erased();
    return isFound;
  }
}
