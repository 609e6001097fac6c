import { type Clock, Deadline, pause } from '../../lib/time.ts';
import { type CallContext, derivedCall, type Student } from '../context.ts';
import { asFailure } from '../errors.ts';
import { isOfOneStudent } from '../reads/decide.ts';

/** It continues for so long after the last call that wanted it. */
const WANTED_MS = 60_000;
/** At least, after one that failed. */
const REST_MS = 5_000;
/** Students whose sessions are tried for a page, one after the other. */
const MOST_LENDERS = 3;
const MOST_WAITING = 20;

interface Lender {
  readonly student: Student;
  readonly context: CallContext;
}

/** Reads a page unless it was read already, and is fresh; false where it was. */
type ReadPage = (page: number, student: Student, context: CallContext) => Promise<boolean>;

interface FillDeps {
  readonly clock: Clock;
  /** Between the end of one page and the start of the next. */
  readonly everyMs: number;
}

/**
 * Reads the missing pages of a term one after the other, on the sessions of students who searched it. No call waits for
 * it, so no student is signed in for it: without a live session it ends.
 */
export class TermFill {
  readonly #deps: FillDeps;
  readonly #readPage: ReadPage;
  readonly #end = new AbortController();
  /** The latest first. */
  #lenders: Lender[] = [];
  #askedAt = 0;
  #running: Promise<void> | null = null;
  #restUntil = 0;

  constructor(deps: FillDeps, readPage: ReadPage) {
    this.#deps = deps;
    this.#readPage = readPage;
  }

  get isIdle(): boolean {
    return this.#running === null && this.#deps.clock.now() >= this.#restUntil;
  }

  /** Starts or continues it. @returns seconds after which there may be more pages */
  want(pages: number, student: Student, context: CallContext): number {
    const now = this.#deps.clock.now();
    const others = this.#lenders.filter((each) => each.student.userid !== student.userid);
    this.#lenders = [{ student, context }, ...others].slice(0, MOST_WAITING);
    this.#askedAt = now;
    if (this.#running === null && now >= this.#restUntil) {
      this.#running = this.#run(pages).finally(() => {
        this.#running = null;
        this.#lenders = [];
      });
    }
    return Math.max(REST_MS, this.#restUntil - now) / 1000;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(pages: number): Promise<void> {
    const { clock, everyMs } = this.#deps;
    for (let page = 2; page <= pages && clock.now() - this.#askedAt < WANTED_MS; page += 1) {
      if (this.#end.signal.aborted) return;
      const wasRead = await this.#read(page);
      if (wasRead === null) return;
      // Outside the queue, while others take their turns.
      if (wasRead) await pause(clock, everyMs, this.#end.signal);
    }
  }

  /** Null: it could not be had. */
  async #read(page: number): Promise<boolean | null> {
    const { clock } = this.#deps;
    for (const { student, context } of this.#lenders.slice(0, MOST_LENDERS)) {
      const { log } = context;
      // The call that wanted it has ended.
      const own = { signal: this.#end.signal, deadline: new Deadline(WANTED_MS), reads: undefined, trail: undefined };
      try {
        return await this.#readPage(page, student, derivedCall(context, own));
      } catch (error) {
        const { kind, reason, cause, retryAfterSeconds = 0 } = asFailure(error);
        const defect = kind === 'internal' ? { err: cause } : {};
        log.warn({ system: 'academics', page, failure: kind, reason, ...defect }, 'page of offerings not read');
        if (isOfOneStudent(error)) {
          this.#lenders = this.#lenders.filter((each) => each.student.userid !== student.userid);
          continue;
        }
        this.#restUntil = clock.now() + Math.max(REST_MS, retryAfterSeconds * 1000);
        return null;
      }
    }
    this.#restUntil = clock.now() + REST_MS;
    return null;
  }
}
