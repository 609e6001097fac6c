import { studentTag } from '../../lib/hash.ts';
import type { Log } from '../context.ts';
import { asFailure } from '../errors.ts';
import type { CopyStore, CopyToKeep } from './ports.ts';

interface Waiting {
  readonly userid: string;
  readonly generation: number;
  readonly copies: Map<string, CopyToKeep>;
}

/**
 * Writes copies behind the answers, all that wait for one student at once. A copy that cannot be written is lost: the
 * answer has been given, and the next reading brings another.
 */
export class CopyKeeper {
  readonly #store: CopyStore;
  readonly #log: Log;
  readonly #waiting = new Map<string, Waiting>();
  readonly #writing = new Map<string, Promise<void>>();

  constructor(store: CopyStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  keep(userid: string, generation: number, copy: CopyToKeep): void {
    const student = `${userid} ${generation}`;
    const waiting = this.#waiting.get(student) ?? { userid, generation, copies: new Map() };
    waiting.copies.set(`${copy.read} ${copy.params}`, copy);
    this.#waiting.set(student, waiting);
    if (!this.#writing.has(student)) this.#writing.set(student, this.#write(student));
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  async #write(student: string): Promise<void> {
    for (let next = this.#take(student); next !== undefined; next = this.#take(student)) {
      try {
        await this.#store.keep(next.userid, next.generation, [...next.copies.values()]);
      } catch (error) {
        const { kind, reason, cause } = asFailure(error);
        const defect = kind === 'internal' ? { err: cause } : {};
        this.#log.warn({ student: studentTag(next.userid), failure: kind, reason, ...defect }, 'copies not written');
      }
    }
    this.#writing.delete(student);
  }

  #take(student: string): Waiting | undefined {
    const next = this.#waiting.get(student);
    this.#waiting.delete(student);
    return next;
  }
}
