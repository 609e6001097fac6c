import type { Runner, StoreDeps } from './database/run.ts';
import { openOrNull, type SealedPlace } from './seal.ts';

/** A store and what it is made with. */
export class Store {
  protected readonly deps: StoreDeps;
  protected readonly runner: Runner;

  constructor(deps: StoreDeps) {
    this.deps = deps;
    this.runner = deps.runner;
  }

  /** Opens a sealed text. Null where that fails; the log then says which `name`, without the student id. */
  protected unseal(
    sealed: string,
    place: SealedPlace,
    name: string,
    about: Record<string, unknown> = {},
  ): string | null {
    const { sealer, log, tagOf } = this.deps;
    return openOrNull(sealer, sealed, place, (fault) =>
      log.warn({ student: tagOf(place.userid), ...about, fault }, `sealed ${name} left out`),
    );
  }
}
