import type { Log, Student } from '../context.ts';
import { asFailure } from '../errors.ts';
import type { CopyStore, CopyToKeep } from './ports.ts';

interface Waiting {
  readonly student: Student;
  readonly generation: number;
  readonly copies: Map<string, CopyToKeep>;
}

/**
 * Writes copies behind the answers, all that wait for one student at once. A copy that cannot be written is lost: the
 * answer has been given, and the next reading brings another.
 */
export class CopyKeeper {
  readonly #store: Pick<CopyStore, 'keep'>;
  readonly #log: Log;
  readonly #waiting = new Map<string, Waiting>();
  readonly #writing = new Map<string, Promise<void>>();

  constructor(store: Pick<CopyStore, 'keep'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  keep(student: Student, generation: number, copy: CopyToKeep): void {
    const key = `${student.userid} ${generation}`;
    const waiting = this.#waiting.get(key) ?? { student, generation, copies: new Map() };
    waiting.copies.set(`${copy.read} ${copy.params}`, copy);
    this.#waiting.set(key, waiting);
    if (!this.#writing.has(key)) this.#writing.set(key, this.#write(key));
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  async #write(key: string): Promise<void> {
    for (let next = this.#take(key); next !== undefined; next = this.#take(key)) {
      const { userid, tag } = next.student;
      try {
        await this.#store.keep(userid, next.generation, [...next.copies.values()]);
      } catch (error) {
        const { kind, reason, cause } = asFailure(error);
        const defect = kind === 'internal' ? { err: cause } : {};
        this.#log.warn({ student: tag, failure: kind, reason, ...defect }, 'copies not written');
      }
    }
    this.#writing.delete(key);
  }

  #take(key: string): Waiting | undefined {
    const next = this.#waiting.get(key);
    this.#waiting.delete(key);
    return next;
  }
}
