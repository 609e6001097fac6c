import { raceSignal } from '../../lib/single-flight.ts';
import { pause, waitForAbort } from '../../lib/time.ts';
import { beginBackgroundCall } from '../background-call.ts';
import type { CallContext } from '../context.ts';
import { type Failure, failures, isFailure } from '../errors.ts';
import { drawAnswers } from './answers.ts';
import { nextTaskStep, type TaskStep } from './machine.ts';
import { answersOfPreview } from './preview.ts';
import type { OwnTask } from './repository.ts';
import {
  type AttemptFault,
  type EvaluationCourse,
  findCourse,
  LAST_READ_MS,
  previewOf,
  stopAt,
  type TaskFault,
} from './task.ts';
import type {
  EvaluationDeps,
  Questionnaire,
  QuestionnaireAnswers,
  Submission,
  SubmissionOutcome,
  TaskEvent,
} from './types.ts';

/** A process that stood still for this long after storing `submitting` sends nothing: others may be at work. */
const STANDSTILL_MS = 10_000;
/** A closing process awaits the answer to a submission for this long. */
const CLOSING_GRACE_MS = 5_000;

interface OpenPage {
  /** The course as the list named it when the page was opened: later lists may lack it. */
  readonly course: EvaluationCourse;
  readonly questionnaire: Questionnaire;
  /** The answers that the student has seen; null: they are drawn when they are sent. */
  readonly shown: QuestionnaireAnswers | null;
}

/** The faults that end a run: every course would fail like this, and asking again could harm the student. */
const pageFault = (error: unknown): TaskFault | null => {
  if (isFailure(error, 'stored-credentials-refused', 'stored-credentials-unreadable', 'sign-in-guarded')) {
    return 'sign-in-failed';
  }
  return isFailure(error, 'upstream-unreadable') && error.part === 'evaluation-index' ? 'index-failed' : null;
};

/** Works on one run until it ends or is left, step by step as the machine says. A logout does not end it. */
export class EvaluationWork {
  readonly #deps: EvaluationDeps;
  readonly #own: OwnTask;
  readonly #student: { readonly userid: string; readonly tag: string };
  readonly #pages = new Map<string, OpenPage>();

  constructor(deps: EvaluationDeps, own: OwnTask) {
    this.#deps = deps;
    this.#own = own;
    this.#student = { userid: own.userid, tag: deps.tagOf(own.userid) };
  }

  /** Never rejects. */
  async work(): Promise<void> {
    const { log } = this.#deps;
    const own = this.#own;
    const { tag } = this.#student;
    try {
      for (let step = this.#next(); step.kind !== 'end'; step = this.#next()) {
        const event = await this.#result(step);
        if (event !== null) await own.apply(event);
      }
      const { status, successCount, failCount } = own.task;
      log.info({ student: tag, status, successCount, failCount }, 'evaluation run ended');
    } catch (error) {
      if (own.isLeft) return;
      const err = error instanceof Error ? error.name : typeof error;
      const failure = isFailure(error) ? error.kind : undefined;
      log.error({ student: tag, err, failure }, 'evaluation run failed');
      // While storage fails nothing can be stored; other processes see later that the heartbeat stopped.
      if (failure !== 'storage-failed') await own.apply({ type: 'run-failed', fault: 'unexpected' }).catch(() => {});
    }
  }

  #next(): TaskStep {
    this.#own.throwIfLeft();
    return nextTaskStep(this.#own.task, this.#deps.clock.now());
  }

  #result(step: Exclude<TaskStep, { kind: 'end' }>): TaskEvent | null | Promise<TaskEvent | null> {
    switch (step.kind) {
      case 'wait':
        return this.#rest(step.until - this.#deps.clock.now());
      case 'open':
        return this.#open(step.key);
      case 'submit':
        return this.#submit(step.key);
      case 'read-list':
        return this.#readList();
      case 'apply':
        return step.event;
    }
  }

  async #read<T>(ask: (context: CallContext) => Promise<T>): Promise<T> {
    const { log, settings } = this.#deps;
    using call = beginBackgroundCall(log, settings.callMs, this.#own.ended);
    return await raceSignal(ask(call.context), call.context.signal);
  }

  /** Logs a failure of the campus, and throws any other error or one after the run was left. */
  #note(error: unknown, message: string): Failure {
    const own = this.#own;
    own.throwIfLeft();
    if (!isFailure(error)) throw error;
    const { kind, system, part, reason } = error;
    const fields = { student: this.#student.tag, failure: kind, system, part, reason };
    if (own.task.status === 'running') this.#deps.log.warn(fields, message);
    return error;
  }

  async #open(key: string): Promise<TaskEvent> {
    const { campus, log } = this.#deps;
    const own = this.#own;
    const failEvent = (fault: AttemptFault): TaskEvent => ({ type: 'page-failed', key, fault });
    const course = findCourse(own.task, key);
    await own.apply({ type: 'page-opening', key });
    const count = own.task.run?.count;
    if (course === null || count === undefined) return failEvent('page_failed');
    let questionnaire: Questionnaire | null;
    try {
      questionnaire = await this.#read((context) => campus.open(this.#student, course, count, context));
    } catch (error) {
      const failure = this.#note(error, 'questionnaire not opened');
      if (failure.kind === 'person-needed') return { type: 'person-needed', key };
      const fault = pageFault(failure);
      return fault === null ? failEvent('page_failed') : { type: 'run-failed', fault };
    }
    if (questionnaire === null) return { type: 'run-failed', fault: 'season-closed' };
    const preview = previewOf(own.task, key);
    const shown = preview && answersOfPreview(preview, questionnaire);
    if (preview !== null && shown === null) {
      // The student has agreed to other answers than this page needs.
      log.warn({ student: this.#student.tag }, 'questionnaire changed since its preview');
      return failEvent('preview_outdated');
    }
    this.#pages.set(key, { course, questionnaire, shown });
    return { type: 'page-opened', key };
  }

  /** Null where nothing was sent, or the answer was given up. */
  async #submit(key: string): Promise<TaskEvent | null> {
    const page = this.#pages.get(key);
    if (page === undefined) return { type: 'run-failed', fault: 'unexpected' };
    const { clock } = this.#deps;
    const begunAt = clock.now();
    if (!(await this.#own.apply({ type: 'submission-begun', key }))) return null;
    this.#pages.delete(key);
    if (clock.now() - begunAt > STANDSTILL_MS) return { type: 'submission-answered', key, outcome: 'not-sent' };
    const outcome = await this.#send(page);
    if (outcome === 'page-lost') return { type: 'page-lost', key };
    return outcome && { type: 'submission-answered', key, outcome };
  }

  /** Sends the answers of an open page, once. null: a stop or the end of the process came before an answer. */
  async #send({ course, questionnaire, shown }: OpenPage): Promise<SubmissionOutcome | 'page-lost' | null> {
    const { log, random, settings } = this.#deps;
    const answers = shown ?? drawAnswers(questionnaire, settings.pools, random);
    const count = this.#own.task.run?.count ?? 0;
    const done = new AbortController();
    const submission = { course, questionnaire, answers, count };
    const answered = this.#askSubmission(submission, done.signal).catch((error: unknown) => {
      const err = error instanceof Error ? error.name : typeof error;
      log.error({ student: this.#student.tag, err }, 'submission without an answer');
      return 'unknown' as const;
    });
    const outcome = await Promise.race([answered, this.#patience(done.signal)]);
    done.abort(failures.clientGone('submission answered or given up'));
    return outcome;
  }

  async #askSubmission(submission: Submission, signal: AbortSignal): Promise<SubmissionOutcome | 'page-lost'> {
    const { campus, writes, log, settings } = this.#deps;
    using call = beginBackgroundCall(log, settings.callMs, signal);
    return await writes.during(
      this.#student,
      'academics',
      call.context,
      () => campus.submit(this.#student, submission, call.context),
      (outcome) => outcome !== 'unknown',
    );
  }

  /** Resolves when the run gives up waiting for an answer: never before it is to stop. */
  async #patience(answered: AbortSignal): Promise<null> {
    const own = this.#own;
    const { clock } = this.#deps;
    await waitForAbort(AbortSignal.any([own.stopping, own.ended, answered]));
    const until = stopAt(own.task.run);
    if (until !== null) await pause(clock, until - LAST_READ_MS - clock.now(), AbortSignal.any([own.ended, answered]));
    if (own.isLeft) await pause(clock, CLOSING_GRACE_MS, answered);
    return null;
  }

  async #readList(): Promise<TaskEvent> {
    const expected = this.#own.task.courses.length;
    try {
      const courses = await this.#read((context) => this.#deps.campus.courses(this.#student, expected, context));
      return { type: 'list-read', courses };
    } catch (error) {
      const { kind } = this.#note(error, 'evaluation list not read');
      return kind === 'person-needed' ? { type: 'person-needed', key: null } : { type: 'list-read', courses: null };
    }
  }

  /** Waits `ms`, or until the run ends or is asked to stop. A run that is to stop waits as well. */
  async #rest(ms: number): Promise<null> {
    const { stopping, ended } = this.#own;
    await pause(this.#deps.clock, ms, stopping.aborted ? ended : AbortSignal.any([stopping, ended]));
    return null;
  }
}
