import type { Clock } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext, Log } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { type AnswerPools, answer, type RandomSource } from './answers.ts';
import { Attention } from './attention.ts';
import { backgroundCall } from './background-call.ts';
import { type Held, LeaseLost, type TaskDesk } from './desk.ts';
import { nextStep } from './next-step.ts';
import { OwnTask } from './own-task.ts';
import type { EvaluationCampus } from './ports.ts';
import type { Questionnaire } from './questionnaire.ts';
import { sendOnce } from './sending.ts';
import { courseOf, type EvaluationTask, type TaskFault } from './task.ts';
import type { EvaluationCourse } from './types.ts';

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

/** An open questionnaire, and its course as the list named it then: lists may arrive shortened later. */
interface OpenPage {
  readonly course: EvaluationCourse;
  readonly questionnaire: Questionnaire;
}

/** After these the next course would fail in the same way, and asking again could harm the student. */
const signInEnds = (error: unknown): boolean =>
  isFailure(error, 'stored-credentials-refused', 'stored-credentials-unreadable', 'sign-in-guarded');

const pageFault = (error: unknown): TaskFault | null => {
  if (signInEnds(error)) return 'sign-in-failed';
  return isFailure(error, 'upstream-unreadable') && error.part === 'evaluation-index' ? 'index-failed' : null;
};

/**
 * One run at work: does what the machine says is next, one thing at a time. What the next one at work must know is
 * stored before it goes on. Open pages live in memory only; whoever takes over opens them anew.
 */
export class RunWork {
  readonly #deps: WorkDeps;
  readonly #student: { readonly userid: string };
  readonly #pages = new Map<string, OpenPage>();
  readonly #attention = new Attention();
  readonly #own: OwnTask;

  constructor(deps: WorkDeps, userid: string, held: Held) {
    const { desk, clock } = deps;
    this.#deps = deps;
    this.#student = { userid };
    this.#own = new OwnTask({ desk, clock, userid, held, leaving: this.#attention.leaving });
  }

  get task(): EvaluationTask {
    return this.#own.task;
  }

  get revision(): number {
    return this.#own.revision;
  }

  /** Works until the run is over, in other hands, or left. Never rejects. */
  async run(): Promise<void> {
    const { log } = this.#deps;
    const student = studentTag(this.#student.userid);
    try {
      await this.#steps();
      const { status, successCount, failCount } = this.task;
      if (status !== 'running') log.info({ student, status, successCount, failCount }, 'evaluation run ended');
    } catch (error) {
      if (error instanceof LeaseLost) log.warn({ student }, 'evaluation run is in other hands');
      else if (this.#attention.leaving.aborted) {
        log.info({ student }, 'evaluation run left');
      } else await this.#failed(error);
    }
  }

  /** Storage has a newer revision than this work: somebody else has changed the task. */
  async changedElsewhere(): Promise<void> {
    try {
      await this.#own.reload();
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
      const step = nextStep(this.task, now);
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
          await this.#own.change({ type: 'list-read', courses: await this.#list() });
          break;
        case 'settle':
          await this.#own.change({ type: 'submission-answered', key: step.key, outcome: 'unknown' });
          break;
        case 'clock-set-back':
          await this.#own.change({ type: 'clock-set-back' });
          break;
        case 'stop-overdue':
          await this.#own.change({ type: 'stop-overdue' });
          break;
      }
    }
  }

  /** A read that is broken off as soon as the run is over: by a change elsewhere, or by leaving. */
  #read<T>(work: (context: CallContext) => Promise<T>): Promise<T> {
    const { log, callMs } = this.#deps;
    return this.#attention.unless(
      () => this.task.status !== 'running',
      (ended) => backgroundCall(log, callMs, ended, (context) => raceSignal(work(context), context.signal)),
    );
  }

  async #open(key: string): Promise<void> {
    const course = courseOf(this.task, key);
    await this.#own.change({ type: 'page-opening', key });
    const { run } = this.task;
    if (course === null || run === null) {
      await this.#own.change({ type: 'page-failed', key });
      return;
    }
    let questionnaire: Questionnaire | null;
    try {
      questionnaire = await this.#read((context) => this.#deps.campus.open(this.#student, course, run.count, context));
    } catch (error) {
      this.#attention.leaving.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      this.#noteFailure(error, 'questionnaire not opened');
      const fault = pageFault(error);
      await this.#own.change(fault === null ? { type: 'page-failed', key } : { type: 'run-failed', fault });
      return;
    }
    if (questionnaire === null) {
      await this.#own.change({ type: 'run-failed', fault: 'season-closed' });
      return;
    }
    this.#pages.set(key, { course, questionnaire });
    await this.#own.change({ type: 'page-opened', key });
  }

  async #submit(key: string): Promise<void> {
    const page = this.#pages.get(key);
    if (page === undefined) {
      await this.#own.change({ type: 'resumed' });
      return;
    }
    // From here on whoever reads the snapshot knows that the answers may be on their way.
    if (!(await this.#own.change({ type: 'submission-begun', key }))) return;
    this.#pages.delete(key);
    const { campus, clock, log, callMs, pools, random } = this.#deps;
    const { course, questionnaire } = page;
    const answers = answer(questionnaire, pools, random);
    const count = this.task.run?.count ?? 0;
    const { userid } = this.#student;
    const outcome = await sendOnce(
      { userid, clock, log, callMs, attention: this.#attention, task: () => this.task },
      (context) => campus.submit(this.#student, course, questionnaire, answers, count, context),
    );
    if (outcome === null) return;
    if (outcome === 'page-lost') {
      await this.#own.change({ type: 'page-lost', key });
      return;
    }
    await this.#own.change({ type: 'submission-answered', key, outcome });
  }

  /** null when it cannot be read. */
  async #list(): Promise<readonly EvaluationCourse[] | null> {
    const expected = this.task.courses.length;
    try {
      return await this.#read((context) => this.#deps.campus.courses(this.#student, expected, context));
    } catch (error) {
      this.#attention.leaving.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      this.#noteFailure(error, 'evaluation list not read');
      return null;
    }
  }

  #noteFailure(error: Failure, message: string): void {
    if (this.task.status !== 'running') return;
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
    await this.#own.change({ type: 'run-failed', fault: 'unexpected' }).catch(() => {});
  }
}
