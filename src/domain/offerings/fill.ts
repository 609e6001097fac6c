import { type Clock, Deadline, pause } from '../../lib/time.ts';
import { type CallContext, derivedCall, type Student } from '../context.ts';
import { asFailure } from '../errors.ts';
import { isOfOneStudent } from '../reads/decide.ts';

/** A fill continues for this long after the last call that wanted it. */
const WANTED_MS = 60_000;
/** The least pause after a failed page. */
const REST_MS = 5_000;

interface Lender {
  readonly student: Student;
  readonly context: CallContext;
  readonly askedAt: number;
}

/** Reads a page; false where a fresh copy of it was there. */
type ReadPage = (page: number, student: Student, context: CallContext) => Promise<boolean>;

interface FillDeps {
  readonly clock: Clock;
  /** Between the end of one page and the start of the next. */
  readonly everyMs: number;
}

/**
 * Reads the missing pages of a term one after the other, on the session of the student who searched it last. No call
 * waits for it, so no student is signed in for it.
 */
export class TermFill {
  readonly #deps: FillDeps;
  readonly #readPage: ReadPage;
  readonly #end = new AbortController();
  #lender: Lender | null = null;
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
    this.#lender = { student, context, askedAt: now };
    if (this.isIdle) {
      this.#running = this.#run(pages).finally(() => {
        this.#running = null;
        this.#lender = null;
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
    for (let page = 2; page <= pages; page += 1) {
      const lender = this.#lender;
      if (lender === null || clock.now() - lender.askedAt >= WANTED_MS || this.#end.signal.aborted) return;
      const wasRead = await this.#read(page, lender);
      if (wasRead === null) return;
      // Outside the queue, so that others take their turns.
      if (wasRead) await pause(clock, everyMs, this.#end.signal);
    }
  }

  /** Null: it could not be read. */
  async #read(page: number, { student, context }: Lender): Promise<boolean | null> {
    // The call of the lender has ended.
    const own = { signal: this.#end.signal, deadline: new Deadline(WANTED_MS), reads: undefined, trail: undefined };
    try {
      return await this.#readPage(page, student, derivedCall(context, own));
    } catch (error) {
      const { kind, reason, cause, retryAfterSeconds = 0 } = asFailure(error);
      const defect = kind === 'internal' ? { err: cause } : {};
      context.log.warn({ system: 'academics', page, failure: kind, reason, ...defect }, 'page of offerings not read');
      // A failure of one student's session does not delay the others.
      const restMs = isOfOneStudent(error) ? REST_MS : Math.max(REST_MS, retryAfterSeconds * 1000);
      this.#restUntil = this.#deps.clock.now() + restMs;
      return null;
    }
  }
}
