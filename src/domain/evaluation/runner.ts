import { aborted, pause } from '../../lib/clock.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { backgroundCall } from '../background-call.ts';
import type { CallContext } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { answer } from './answers.ts';
import { nextStep, type Step } from './machine.ts';
import { previewedAnswers } from './preview.ts';
import type { HeldTask } from './repository.ts';
import { type AttemptFault, courseOf, type EvaluationCourse, previewOf, stopAt, type TaskFault } from './task.ts';
import type { Answers, EvaluationDeps, Questionnaire, TaskEvent } from './types.ts';

/** A submission that is on its way when the process closes gets this long to be answered. */
const CLOSING_GRACE_MS = 5_000;

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
 * Works on one run until it is over or left: does what the machine says is next, one thing at a time. Open pages are in
 * memory only: a process that takes the run over opens them again. A logout does not end it: it was ordered to work
 * unattended. Never rejects.
 */
export const work = async (deps: EvaluationDeps, own: HeldTask): Promise<void> => {
  const { campus, clock, log, random } = deps;
  const { pools, callMs } = deps.settings;
  const student = { userid: own.userid, tag: deps.tagOf(own.userid) };
  const pages = new Map<string, OpenPage>();

  /** A read that is broken off as soon as the run is over or left. */
  const read = <T>(ask: (context: CallContext) => Promise<T>): Promise<T> =>
    backgroundCall(log, callMs, own.ended, (context) => raceSignal(ask(context), context.signal));

  /** A failure of the campus, logged. Everything else, and what comes after the run was left, ends the work. */
  const noted = (error: unknown, message: string): Failure => {
    own.throwIfLeft();
    // A run outlives the process that began it, and the campus may offer no evaluation any more.
    if (!(error instanceof Failure) || isFailure(error, 'not-offered')) throw error;
    const { kind, system, part, reason } = error;
    if (own.task.status === 'running') log.warn({ student: student.tag, failure: kind, system, part, reason }, message);
    return error;
  };

  /** What came of opening the page of a course. */
  const open = async (key: string): Promise<TaskEvent> => {
    const failed = (fault: AttemptFault): TaskEvent => ({ type: 'page-failed', key, fault });
    const course = courseOf(own.task, key);
    await own.apply({ type: 'page-opening', key });
    const count = own.task.run?.count;
    if (course === null || count === undefined) return failed('page_failed');
    let questionnaire: Questionnaire | null;
    try {
      questionnaire = await read((context) => campus.open(student, course, count, context));
    } catch (error) {
      const failure = noted(error, 'questionnaire not opened');
      if (failure.kind === 'person-needed') return { type: 'person-needed', key };
      const fault = pageFault(failure);
      return fault === null ? failed('page_failed') : { type: 'run-failed', fault };
    }
    if (questionnaire === null) return { type: 'run-failed', fault: 'season-closed' };
    const preview = previewOf(own.task, key);
    const shown = preview && previewedAnswers(preview, questionnaire);
    if (preview !== null && shown === null) {
      // What the student has seen does not answer this page, and nothing else is sent in their name.
      log.warn({ student: student.tag }, 'questionnaire changed since its preview');
      return failed('preview_outdated');
    }
    pages.set(key, { course, questionnaire, shown });
    return { type: 'page-opened', key };
  };

  /** Resolves when an answer is not awaited any longer; never while the run is not to stop. */
  const patience = async (answered: AbortSignal): Promise<null> => {
    await aborted(AbortSignal.any([own.stopping, own.ended, answered]));
    const until = stopAt(own.task.run);
    if (until !== null) await pause(clock, until - clock.now(), AbortSignal.any([own.ended, answered]));
    if (own.isLeft) await pause(clock, CLOSING_GRACE_MS, answered);
    return null;
  };

  /**
   * Sends the answers of an open page, once, and waits for what the campus says as long as the run may.
   * null: given up after a stop request, or at the end of the process. The task knows that something is on its way.
   */
  const send = async ({ course, questionnaire, shown }: OpenPage) => {
    const answers = shown ?? answer(questionnaire, pools, random);
    const count = own.task.run?.count ?? 0;
    const done = new AbortController();
    const answered = backgroundCall(log, callMs, done.signal, (context) =>
      campus.submit(student, course, questionnaire, answers, count, context),
    ).catch((error: unknown) => {
      const err = error instanceof Error ? error.name : typeof error;
      log.error({ student: student.tag, err }, 'submission without an answer');
      return 'unknown' as const;
    });
    const outcome = await Promise.race([answered, patience(done.signal)]);
    done.abort(new Failure('client-gone', { reason: 'submission answered or given up' }));
    return outcome;
  };

  /** What came of a submission; null where nothing was sent, or nothing is known yet. */
  const submit = async (key: string): Promise<TaskEvent | null> => {
    const page = pages.get(key);
    if (page === undefined) return { type: 'resumed' };
    // From here on a reader of the snapshot knows that the answers may be on their way.
    if (!(await own.apply({ type: 'submission-begun', key }))) return null;
    pages.delete(key);
    // After a standstill another process may be at work, and takes what was not sent for failed.
    if (!(await own.leased())) return null;
    const outcome = await send(page);
    if (outcome === 'page-lost') return { type: 'page-lost', key };
    return outcome && { type: 'submission-answered', key, outcome };
  };

  const readList = async (): Promise<TaskEvent> => {
    const expected = own.task.courses.length;
    try {
      const courses = await read((context) => campus.courses(student, expected, context));
      return { type: 'list-read', courses };
    } catch (error) {
      const { kind } = noted(error, 'evaluation list not read');
      return kind === 'person-needed' ? { type: 'person-needed', key: null } : { type: 'list-read', courses: null };
    }
  };

  /** Until `ms` are over, the run ends, or its student wants it to stop; a run that is to stop pauses too. */
  const rest = async (ms: number): Promise<null> => {
    const { stopping, ended } = own;
    await pause(clock, ms, stopping.aborted ? ended : AbortSignal.any([stopping, ended]));
    return null;
  };

  /** Does the step; what came of it is for the task. */
  const result = (step: Exclude<Step, { kind: 'end' }>, now: number) => {
    switch (step.kind) {
      case 'wait':
        return rest(step.until - now);
      case 'open':
        return open(step.key);
      case 'submit':
        return submit(step.key);
      case 'read-list':
        return readList();
      case 'apply':
        return step.event;
    }
  };

  try {
    for (;;) {
      own.throwIfLeft();
      const now = clock.now();
      const step = nextStep(own.task, now);
      if (step.kind === 'end') break;
      const event = await result(step, now);
      if (event !== null) await own.apply(event);
    }
    const { status, successCount, failCount } = own.task;
    if (status === 'running') return;
    log.info({ student: student.tag, status, successCount, failCount }, 'evaluation run ended');
  } catch (error) {
    if (own.isLeft) {
      log.info({ student: student.tag }, 'evaluation run left to another process');
      return;
    }
    const err = error instanceof Error ? error.name : typeof error;
    const failure = error instanceof Failure ? error.kind : undefined;
    log.error({ student: student.tag, err, failure }, 'evaluation run failed');
    // Without storage nothing can be said about the run: its lease ends, and the next process goes on.
    if (failure !== 'storage-failed') await own.apply({ type: 'run-failed', fault: 'unexpected' }).catch(() => {});
  }
};
