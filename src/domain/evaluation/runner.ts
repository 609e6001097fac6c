import { aborted, type Clock, pause } from '../../lib/clock.ts';
import type { TagOf } from '../../lib/keyed-names.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { backgroundCall } from '../background-call.ts';
import type { CallContext, Log, Student } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { type AnswerPools, answer, type RandomSource } from './answers.ts';
import { nextStep, type TaskEvent } from './machine.ts';
import { previewedAnswers } from './preview.ts';
import type { HeldTask } from './repository.ts';
import { courseOf, type EvaluationCourse, previewOf, stopAt, type TaskFault } from './task.ts';
import type { Answers, EvaluationCampus, Questionnaire } from './types.ts';

/** A submission that is on its way when the process closes gets this long to be answered. */
const CLOSING_GRACE_MS = 5_000;

export interface RunnerDeps {
  readonly campus: EvaluationCampus;
  readonly clock: Clock;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly pools: AnswerPools;
  readonly random: RandomSource;
  /** Deadline of one call at the campus, sign-in included. */
  readonly callMs: number;
}

/** An open questionnaire, and its course as the list named it then: lists may arrive shortened later. */
interface OpenPage {
  readonly course: EvaluationCourse;
  readonly questionnaire: Questionnaire;
  /** What the student has seen and will be sent; null: drawn when the time has come. */
  readonly shown: Answers | null;
}

/** After these the next course would fail in the same way, and asking again could harm the student. */
const pageFault = (error: unknown): TaskFault | null => {
  if (isFailure(error, 'stored-credentials-refused', 'stored-credentials-unreadable', 'sign-in-guarded')) {
    return 'sign-in-failed';
  }
  return isFailure(error, 'upstream-unreadable') && error.part === 'evaluation-index' ? 'index-failed' : null;
};

/**
 * One run at work: does what the machine says is next, one thing at a time. Open pages are in memory only: a process
 * that takes the run over opens them again. A logout does not end it: it was ordered to work unattended.
 */
class Runner {
  readonly #deps: RunnerDeps;
  readonly #own: HeldTask;
  readonly #student: Student;
  readonly #pages = new Map<string, OpenPage>();

  constructor(deps: RunnerDeps, own: HeldTask) {
    this.#deps = deps;
    this.#own = own;
    this.#student = { userid: own.userid, tag: deps.tagOf(own.userid) };
  }

  async run(): Promise<void> {
    const { log } = this.#deps;
    const { tag: student } = this.#student;
    try {
      await this.#steps();
      const { status, successCount, failCount } = this.#own.task;
      if (status !== 'running') log.info({ student, status, successCount, failCount }, 'evaluation run ended');
    } catch (error) {
      if (this.#own.isLeft) log.info({ student }, 'evaluation run left to another process');
      else await this.#failed(error);
    }
  }

  async #steps(): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      this.#own.left.throwIfAborted();
      const now = clock.now();
      const step = nextStep(this.#own.task, now);
      switch (step.kind) {
        case 'end':
          return;
        case 'wait':
          await this.#pause(step.until - now);
          break;
        case 'open':
          await this.#open(step.key);
          break;
        case 'submit':
          await this.#submit(step.key);
          break;
        case 'read-list':
          await this.#own.apply(await this.#list());
          break;
        case 'apply':
          await this.#own.apply(step.event);
          break;
      }
    }
  }

  /** Until `ms` are over, the run ends, or its student wants it to stop; a run that is to stop pauses too. */
  async #pause(ms: number): Promise<void> {
    const { stopping, ended } = this.#own;
    const wake = stopping.aborted ? ended : AbortSignal.any([stopping, ended]);
    await pause(this.#deps.clock, ms, wake);
  }

  /** A read that is broken off as soon as the run is over or left. */
  #read<T>(work: (context: CallContext) => Promise<T>): Promise<T> {
    const { log, callMs } = this.#deps;
    return backgroundCall(log, callMs, this.#own.ended, (context) => raceSignal(work(context), context.signal));
  }

  async #open(key: string): Promise<void> {
    const course = courseOf(this.#own.task, key);
    await this.#own.apply({ type: 'page-opening', key });
    const { run } = this.#own.task;
    if (course === null || run === null) {
      await this.#own.apply({ type: 'page-failed', key, fault: 'page_failed' });
      return;
    }
    let questionnaire: Questionnaire | null;
    try {
      questionnaire = await this.#read((context) => this.#deps.campus.open(this.#student, course, run.count, context));
    } catch (error) {
      const noted = this.#noted(error, 'questionnaire not opened');
      if (noted.kind === 'person-needed') {
        await this.#own.apply({ type: 'person-needed', key });
        return;
      }
      const fault = pageFault(noted);
      await this.#own.apply(
        fault === null ? { type: 'page-failed', key, fault: 'page_failed' } : { type: 'run-failed', fault },
      );
      return;
    }
    if (questionnaire === null) {
      await this.#own.apply({ type: 'run-failed', fault: 'season-closed' });
      return;
    }
    const preview = previewOf(this.#own.task, key);
    const shown = preview && previewedAnswers(preview, questionnaire);
    if (preview !== null && shown === null) {
      // What the student has seen does not answer this page, and nothing else is sent in their name.
      this.#deps.log.warn({ student: this.#student.tag }, 'questionnaire changed since its preview');
      await this.#own.apply({ type: 'page-failed', key, fault: 'preview_outdated' });
      return;
    }
    this.#pages.set(key, { course, questionnaire, shown });
    await this.#own.apply({ type: 'page-opened', key });
  }

  async #submit(key: string): Promise<void> {
    const page = this.#pages.get(key);
    if (page === undefined) {
      await this.#own.apply({ type: 'resumed' });
      return;
    }
    // From here on a reader of the snapshot knows that the answers may be on their way.
    if (!(await this.#own.apply({ type: 'submission-begun', key }))) return;
    this.#pages.delete(key);
    // After a standstill another process may be at work, and takes what was not sent for failed.
    if (!this.#own.isLeased && !(await this.#own.renew())) return;
    const { campus, pools, random } = this.#deps;
    const { course, questionnaire, shown } = page;
    const answers = shown ?? answer(questionnaire, pools, random);
    const count = this.#own.task.run?.count ?? 0;
    const outcome = await this.#send((context) =>
      campus.submit(this.#student, course, questionnaire, answers, count, context),
    );
    if (outcome === null) return;
    await this.#own.apply(
      outcome === 'page-lost' ? { type: 'page-lost', key } : { type: 'submission-answered', key, outcome },
    );
  }

  /**
   * Sends a submission, once, and waits for its answer as long as the run may.
   * null: given up after a stop request, or at the end of the process. The task knows that something is on its way.
   */
  async #send<T>(submit: (context: CallContext) => Promise<T>): Promise<T | 'unknown' | null> {
    const { log, callMs } = this.#deps;
    const done = new AbortController();
    const answered = backgroundCall(log, callMs, done.signal, submit).catch((error: unknown) => {
      const err = error instanceof Error ? error.name : typeof error;
      log.error({ student: this.#student.tag, err }, 'submission without an answer');
      return 'unknown' as const;
    });
    const outcome = await Promise.race([answered, this.#patience(done.signal)]);
    done.abort(new Failure('client-gone', { reason: 'submission answered or given up' }));
    return outcome;
  }

  /** Resolves when an answer is not awaited any longer; never while the run is not to stop. */
  async #patience(answered: AbortSignal): Promise<null> {
    const { clock } = this.#deps;
    const { stopping, ended } = this.#own;
    await aborted(AbortSignal.any([stopping, ended, answered]));
    const until = this.#own.task.run && stopAt(this.#own.task.run);
    if (until !== null) await pause(clock, until - clock.now(), AbortSignal.any([ended, answered]));
    if (this.#own.isLeft) await pause(clock, CLOSING_GRACE_MS, answered);
    return null;
  }

  async #list(): Promise<TaskEvent> {
    const expected = this.#own.task.courses.length;
    try {
      const courses = await this.#read((context) => this.#deps.campus.courses(this.#student, expected, context));
      return { type: 'list-read', courses };
    } catch (error) {
      const { kind } = this.#noted(error, 'evaluation list not read');
      return kind === 'person-needed' ? { type: 'person-needed', key: null } : { type: 'list-read', courses: null };
    }
  }

  /** A failure of the campus, logged. Everything else, and what comes after the run was left, ends the work. */
  #noted(error: unknown, message: string): Failure {
    this.#own.left.throwIfAborted();
    // A run outlives the process that began it, and the campus may offer no evaluation any more.
    if (!(error instanceof Failure) || isFailure(error, 'not-offered')) throw error;
    const { kind, system, part, reason } = error;
    const { tag: student } = this.#student;
    if (this.#own.task.status === 'running')
      this.#deps.log.warn({ student, failure: kind, system, part, reason }, message);
    return error;
  }

  async #failed(error: unknown): Promise<void> {
    const { tag: student } = this.#student;
    const name = error instanceof Error ? error.name : typeof error;
    const kind = error instanceof Failure ? error.kind : undefined;
    this.#deps.log.error({ student, err: name, failure: kind }, 'evaluation run failed');
    // Without storage nothing can be said about the run: its lease ends, and the next process goes on.
    if (isFailure(error, 'storage-failed')) return;
    await this.#own.apply({ type: 'run-failed', fault: 'unexpected' }).catch(() => {});
  }
}

/** Works until the run is over or left. Never rejects. */
export const runTask = (deps: RunnerDeps, own: HeldTask): Promise<void> => new Runner(deps, own).run();
