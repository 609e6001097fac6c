import { type Clock, systemClock } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext, Log } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { type AnswerPools, answer, type RandomSource } from './answers.ts';
import { Attention, abandoned } from './attention.ts';
import { backgroundCall } from './background-call.ts';
import { type Held, LeaseLost, type TaskDesk } from './desk.ts';
import { STOP_GRACE_MS, type TaskEvent, transition } from './machine.ts';
import { nextStep } from './next-step.ts';
import type { EvaluationCampus } from './ports.ts';
import type { Questionnaire } from './questionnaire.ts';
import { courseOf, currentAttempt, type EvaluationTask, type SubmissionOutcome, type TaskFault } from './task.ts';
import type { EvaluationCourse } from './types.ts';

const STORAGE_TRIES = 10;
const STORAGE_PAUSE_MS = 1_000;
/** At shutdown a submission that is on its way gets this long to be answered. */
const CLOSING_GRACE_MS = 5_000;

export interface WorkDeps {
  readonly campus: EvaluationCampus;
  readonly desk: TaskDesk;
  readonly clock: Clock;
  readonly log: Log;
  readonly pools: AnswerPools;
  readonly random: RandomSource;
  /** Deadline of one call at the campus, sign-in included. */
  readonly callMs: number;
}

/** After these the next course would fail in the same way, and asking again could harm the student. */
const signInEnds = (error: unknown): boolean =>
  isFailure(error, 'stored-credentials-refused', 'stored-credentials-unreadable', 'sign-in-guarded');

const pageFault = (error: unknown): TaskFault | null => {
  if (signInEnds(error)) return 'sign-in-failed';
  return isFailure(error, 'upstream-unreadable') && error.part === 'evaluation-index' ? 'index-failed' : null;
};

/**
 * One run at work: does what the machine says is next, one thing at a time, and stores every transition before it
 * goes on. Open pages live in memory only; whoever takes over opens them anew.
 */
export class RunWork {
  readonly #deps: WorkDeps;
  readonly #student: { readonly userid: string };
  readonly #pages = new Map<string, Questionnaire>();
  readonly #attention = new Attention();
  #held: Held;

  constructor(deps: WorkDeps, userid: string, held: Held) {
    this.#deps = deps;
    this.#student = { userid };
    this.#held = held;
  }

  get task(): EvaluationTask {
    return this.#held.task;
  }

  get revision(): number {
    return this.#held.revision;
  }

  /** Works until the run is over, in other hands, or left. Never rejects. */
  async run(): Promise<void> {
    const { log } = this.#deps;
    const student = studentTag(this.#student.userid);
    try {
      await this.#steps();
      const { status, successCount, failCount } = this.#held.task;
      if (status !== 'running') log.info({ student, status, successCount, failCount }, 'evaluation run ended');
    } catch (error) {
      if (error instanceof LeaseLost) log.warn({ student }, 'evaluation run is in other hands');
      else if (this.#attention.leaving.aborted) log.info({ student }, 'evaluation run left');
      else await this.#failed(error);
    }
  }

  /** Storage has a newer revision than this work: somebody else has changed the task. */
  async changedElsewhere(): Promise<void> {
    try {
      const before = this.#held.revision;
      const now = await this.#deps.desk.loadOwn(this.#student.userid);
      // A change of our own may have been stored meanwhile.
      if (this.#held.revision === before) this.#held = now;
      this.#attention.stir();
    } catch (error) {
      if (error instanceof LeaseLost) this.leave();
      else throw error;
    }
  }

  /** Breaks off everything but a submission that is on its way. */
  leave(): void {
    this.#attention.leave();
  }

  async #steps(): Promise<void> {
    for (;;) {
      this.#attention.leaving.throwIfAborted();
      const now = this.#deps.clock.now();
      const step = nextStep(this.#held.task, now);
      switch (step.kind) {
        case 'end':
          return;
        case 'wait':
          await this.#attention.rest(this.#deps.clock, step.until - now);
          break;
        case 'open':
          await this.#open(step.key);
          break;
        case 'submit':
          await this.#submit(step.key);
          break;
        case 'read-list':
          await this.#change({ type: 'list-read', courses: await this.#list() });
          break;
        case 'settle':
          await this.#change({ type: 'submission-answered', key: step.key, outcome: 'unknown' });
          break;
        case 'stop-overdue':
          await this.#change({ type: 'stop-overdue' });
          break;
      }
    }
  }

  /** A read that is broken off as soon as the run is over: by a change elsewhere, or by leaving. */
  async #read<T>(work: (context: CallContext) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    let over = false;
    const watch = async (): Promise<void> => {
      while (!over) {
        await this.#attention.changed(ending.signal);
        if (this.#attention.leaving.aborted || this.#held.task.status !== 'running') ending.abort(abandoned);
      }
    };
    void watch();
    try {
      const { log, callMs } = this.#deps;
      return await backgroundCall(log, callMs, ending.signal, (context) => raceSignal(work(context), context.signal));
    } finally {
      over = true;
      ending.abort(abandoned);
    }
  }

  async #open(key: string): Promise<void> {
    const course = courseOf(this.#held.task, key);
    await this.#opening(key);
    if (course === null || this.#held.task.run === null) {
      await this.#change({ type: 'page-failed', key });
      return;
    }
    const { count } = this.#held.task.run;
    let page: Questionnaire | null;
    try {
      page = await this.#read((context) => this.#deps.campus.open(this.#student, course, count, context));
    } catch (error) {
      this.#attention.leaving.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      this.#noteFailure(error, 'questionnaire not opened');
      const fault = pageFault(error);
      await this.#change(fault === null ? { type: 'page-failed', key } : { type: 'run-failed', fault });
      return;
    }
    if (page === null) {
      await this.#change({ type: 'run-failed', fault: 'season-closed' });
      return;
    }
    this.#pages.set(key, page);
    await this.#change({ type: 'page-opened', key });
  }

  /** Stored only where students can see it: after an interruption an opening counts for nothing. */
  async #opening(key: string): Promise<void> {
    const event = { type: 'page-opening', key } as const;
    const { task, revision } = this.#held;
    if (task.run !== null && currentAttempt(task.run)?.key === key) {
      await this.#change(event);
      return;
    }
    const { task: next } = transition(task, event, this.#deps.clock.now());
    if (next !== null) this.#held = { task: next, revision };
  }

  async #submit(key: string): Promise<void> {
    const page = this.#pages.get(key);
    const course = courseOf(this.#held.task, key);
    if (page === undefined || course === null) {
      await this.#change({ type: 'resumed' });
      return;
    }
    // From here on whoever reads the snapshot knows that the answers may be on their way.
    if (!(await this.#change({ type: 'submission-begun', key }))) return;
    this.#pages.delete(key);
    const outcome = await this.#send(course, page);
    if (outcome !== null) await this.#change({ type: 'submission-answered', key, outcome });
  }

  /** null: given up after a stop request, or at the end of the process. The task knows, or settles it later. */
  async #send(course: EvaluationCourse, page: Questionnaire): Promise<SubmissionOutcome | null> {
    const { campus, pools, random, log, callMs } = this.#deps;
    const count = this.#held.task.run?.count ?? 0;
    const giveUp = new AbortController();
    const answers = answer(page, pools, random);
    let outcome: SubmissionOutcome | null = null;
    const sent = backgroundCall(log, callMs, giveUp.signal, (context) =>
      campus.submit(this.#student, course, page, answers, count, context),
    ).then(
      (result) => {
        outcome = result;
      },
      (error: unknown) => {
        const student = studentTag(this.#student.userid);
        log.error({ student, err: error instanceof Error ? error.name : typeof error }, 'submission without an answer');
        outcome = 'unknown';
      },
    );
    const settled = new AbortController();
    await Promise.race([
      sent.finally(() => settled.abort(abandoned)),
      this.#patience(settled.signal).then(() => giveUp.abort(abandoned)),
    ]);
    return outcome;
  }

  /** Resolves when a submission on its way is not to be awaited any longer; never while nobody wants the run to stop. */
  async #patience(settled: AbortSignal): Promise<void> {
    while (!settled.aborted) {
      if (this.#attention.leaving.aborted) {
        await systemClock.wait(CLOSING_GRACE_MS, settled).catch(() => {});
        return;
      }
      const { run } = this.#held.task;
      if (run === null || this.#held.task.status !== 'running') return;
      const { clock } = this.#deps;
      const left = run.stopRequestedAt === null ? null : run.stopRequestedAt + STOP_GRACE_MS - clock.now();
      if (left !== null && left <= 0) return;
      if (left !== null) await this.#attention.rest(clock, left, settled);
      else await this.#attention.changed(settled);
    }
  }

  /** null when it cannot be read. */
  async #list(): Promise<readonly EvaluationCourse[] | null> {
    const expected = this.#held.task.courses.length;
    try {
      return await this.#read((context) => this.#deps.campus.courses(this.#student, expected, context));
    } catch (error) {
      this.#attention.leaving.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      this.#noteFailure(error, 'evaluation list not read');
      return null;
    }
  }

  /** True when the task took the event. A storage that does not answer is waited for. */
  async #change(event: TaskEvent): Promise<boolean> {
    const { desk, clock } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { accepted, held } = await desk.changeOwn(this.#student.userid, this.#held, event);
        this.#held = held;
        return accepted;
      } catch (error) {
        if (!isFailure(error, 'storage-failed') || attempt === STORAGE_TRIES) throw error;
        await clock.wait(STORAGE_PAUSE_MS, this.#attention.leaving);
      }
    }
  }

  #noteFailure(error: Failure, message: string): void {
    if (this.#held.task.status !== 'running') return;
    const { kind, system, part, reason } = error;
    this.#deps.log.warn({ student: studentTag(this.#student.userid), failure: kind, system, part, reason }, message);
  }

  async #failed(error: unknown): Promise<void> {
    const student = studentTag(this.#student.userid);
    const name = error instanceof Error ? error.name : typeof error;
    const kind = error instanceof Failure ? error.kind : undefined;
    this.#deps.log.error({ student, err: name, failure: kind }, 'evaluation run failed');
    // Without storage nothing can be said about the run: its lease ends, and whoever comes next goes on.
    if (isFailure(error, 'storage-failed')) return;
    await this.#deps.desk
      .changeOwn(this.#student.userid, this.#held, { type: 'run-failed', fault: 'unexpected' })
      .then(({ held }) => {
        this.#held = held;
      })
      .catch(() => {});
  }
}
