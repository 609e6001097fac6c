import { aborted, type Clock, pause } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { backgroundCall } from '../background-call.ts';
import type { CallContext, Log } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import { type AnswerPools, answer, type RandomSource } from './answers.ts';
import { nextStep, type TaskEvent, transition } from './machine.ts';
import type { EvaluationCampus, Questionnaire } from './questionnaire.ts';
import { type Held, LEASE_MS, type TaskRepository } from './repository.ts';
import { courseOf, type EvaluationTask, isBusy, stopAt, type TaskFault } from './task.ts';
import type { EvaluationCourse } from './types.ts';

const STORING_TRIES = 10;
const STORING_PAUSE_MS = 1_000;
/** A submission that is on its way when the process closes gets this long to be answered. */
const CLOSING_GRACE_MS = 5_000;

export interface RunnerDeps {
  readonly campus: EvaluationCampus;
  readonly repository: TaskRepository;
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
const pageFault = (error: unknown): TaskFault | null => {
  if (isFailure(error, 'stored-credentials-refused', 'stored-credentials-unreadable', 'sign-in-guarded')) {
    return 'sign-in-failed';
  }
  return isFailure(error, 'upstream-unreadable') && error.part === 'evaluation-index' ? 'index-failed' : null;
};

const over = new Failure('client-gone', { reason: 'evaluation run ended' });

/** What interrupts a run while it waits. Each signal comes once, and for good. */
class RunSignals {
  /** The student wants the run to stop: a submission that is on its way is awaited only so long. */
  readonly stop = new AbortController();
  /** The run is over or left: what it reads is broken off. */
  readonly end = new AbortController();
  /** This process is to leave the run, whatever becomes of it. */
  readonly leave = new AbortController();
}

/**
 * One run at work: does what the machine says is next, one thing at a time. The task lives here; each transition is
 * stored before anything follows from it. Open pages are in memory only: whoever takes the run over opens them anew.
 */
export class Runner {
  readonly #deps: RunnerDeps;
  readonly #student: { readonly userid: string };
  readonly #pages = new Map<string, OpenPage>();
  readonly #signals = new RunSignals();
  #held: Held;
  #leasedUntil: number;

  /** @param leasedAt monotonic time before the lease was asked for */
  constructor(deps: RunnerDeps, userid: string, held: Held, leasedAt: number) {
    this.#deps = deps;
    this.#student = { userid };
    this.#held = held;
    this.#heed();
    this.#leasedUntil = leasedAt + LEASE_MS;
  }

  get revision(): number {
    return this.#held.revision;
  }

  /** The task, while nobody else can be at work on it; null when only storage knows. */
  get task(): EvaluationTask | null {
    return this.#isLeased && !this.#isLeft ? this.#task : null;
  }

  get #task(): EvaluationTask {
    return this.#held.task;
  }

  get #isLeased(): boolean {
    return this.#deps.clock.monotonic() < this.#leasedUntil;
  }

  get #isLeft(): boolean {
    return this.#signals.leave.signal.aborted;
  }

  prolong(leasedAt: number): void {
    this.#leasedUntil = leasedAt + LEASE_MS;
  }

  /** Works until the run is over or left. Never rejects. */
  async run(): Promise<void> {
    const { log } = this.#deps;
    const student = studentTag(this.#student.userid);
    try {
      await this.#steps();
      const { status, successCount, failCount } = this.#task;
      if (status !== 'running') log.info({ student, status, successCount, failCount }, 'evaluation run ended');
    } catch (error) {
      if (this.#isLeft) log.info({ student }, 'evaluation run left to another process');
      else await this.#failed(error);
    }
  }

  /** Takes the task as it is stored, or leaves it: to somebody else, to another run, or because it is gone. */
  adopt(held: Held | null): void {
    if (held === null || (isBusy(held.task.status) && !(held.own && held.task.startedAt === this.#task.startedAt))) {
      this.leave();
      return;
    }
    // What storage answers after a newer answer is dropped.
    if (held.revision < this.#held.revision) return;
    this.#held = held;
    this.#heed();
  }

  #heed(): void {
    const { status, run } = this.#task;
    if (status !== 'running') this.#signals.end.abort(over);
    else if (run !== null && run.stopRequestedAt !== null) this.#signals.stop.abort(over);
  }

  /** Looks what others have made of the task. */
  async reload(): Promise<void> {
    this.adopt(await this.#deps.repository.load(this.#student.userid));
  }

  /** Breaks off everything but a submission that is on its way. */
  leave(): void {
    this.#signals.leave.abort(over);
    this.#signals.end.abort(over);
  }

  async #steps(): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      this.#signals.leave.signal.throwIfAborted();
      const now = clock.now();
      const step = nextStep(this.#task, now);
      switch (step.kind) {
        case 'end':
          return;
        case 'wait':
          await this.#rest(step.until - now);
          break;
        case 'open':
          await this.#open(step.key);
          break;
        case 'submit':
          await this.#submit(step.key);
          break;
        case 'read-list':
          await this.#apply({ type: 'list-read', courses: await this.#list() });
          break;
        case 'apply':
          await this.#apply(step.event);
          break;
      }
    }
  }

  /** Until `ms` are over, the run ends, or its student wants it to stop; a run that is to stop rests all the same. */
  async #rest(ms: number): Promise<void> {
    const { stop, end } = this.#signals;
    const wake = stop.signal.aborted ? end.signal : AbortSignal.any([stop.signal, end.signal]);
    await pause(this.#deps.clock, ms, wake);
  }

  /** True when the task took the event, which is stored then. A storage that does not answer is waited for. */
  async #apply(event: TaskEvent): Promise<boolean> {
    const { repository, clock } = this.#deps;
    const { userid } = this.#student;
    for (let attempt = 1; ; attempt += 1) {
      const task = transition(this.#task, event, clock.now());
      if (task === null) return false;
      try {
        const stored = await repository.replace(userid, this.#held, task);
        this.adopt(stored ?? (await repository.load(userid)));
        if (stored !== null) return true;
        // Changed elsewhere: the event is applied to what has come of the task, if it is still this run's.
        this.#signals.leave.signal.throwIfAborted();
        if (attempt === STORING_TRIES) throw new Failure('internal', { reason: 'evaluation task changed too often' });
      } catch (error) {
        if (!isFailure(error, 'storage-failed') || attempt === STORING_TRIES) throw error;
        await clock.wait(STORING_PAUSE_MS, this.#signals.leave.signal);
      }
    }
  }

  /** A read that is broken off as soon as the run is over or left. */
  #read<T>(work: (context: CallContext) => Promise<T>): Promise<T> {
    const { log, callMs } = this.#deps;
    return backgroundCall(log, callMs, this.#signals.end.signal, (context) =>
      raceSignal(work(context), context.signal),
    );
  }

  async #open(key: string): Promise<void> {
    const course = courseOf(this.#task, key);
    await this.#apply({ type: 'page-opening', key });
    const { run } = this.#task;
    if (course === null || run === null) {
      await this.#apply({ type: 'page-failed', key });
      return;
    }
    let questionnaire: Questionnaire | null;
    try {
      questionnaire = await this.#read((context) => this.#deps.campus.open(this.#student, course, run.count, context));
    } catch (error) {
      const fault = pageFault(this.#noted(error, 'questionnaire not opened'));
      await this.#apply(fault === null ? { type: 'page-failed', key } : { type: 'run-failed', fault });
      return;
    }
    if (questionnaire === null) {
      await this.#apply({ type: 'run-failed', fault: 'season-closed' });
      return;
    }
    this.#pages.set(key, { course, questionnaire });
    await this.#apply({ type: 'page-opened', key });
  }

  async #submit(key: string): Promise<void> {
    const page = this.#pages.get(key);
    if (page === undefined) {
      await this.#apply({ type: 'resumed' });
      return;
    }
    // From here on whoever reads the snapshot knows that the answers may be on their way.
    if (!(await this.#apply({ type: 'submission-begun', key }))) return;
    this.#pages.delete(key);
    // After a standstill somebody else may be at work already, and takes what was not sent for failed.
    if (!this.#isLeased && !(await this.#isStillOurs())) return;
    const { campus, pools, random } = this.#deps;
    const { course, questionnaire } = page;
    const answers = answer(questionnaire, pools, random);
    const count = this.#task.run?.count ?? 0;
    const outcome = await this.#send((context) =>
      campus.submit(this.#student, course, questionnaire, answers, count, context),
    );
    if (outcome === null) return;
    await this.#apply(
      outcome === 'page-lost' ? { type: 'page-lost', key } : { type: 'submission-answered', key, outcome },
    );
  }

  /** Renews the lease; false: somebody else has taken the task over or changed it meanwhile. */
  async #isStillOurs(): Promise<boolean> {
    const { repository, clock } = this.#deps;
    const { userid } = this.#student;
    const leasedAt = clock.monotonic();
    const [renewed] = await repository.renew([userid]);
    if (renewed?.revision !== this.revision) {
      await this.reload();
      return false;
    }
    this.prolong(leasedAt);
    return true;
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
      log.error({ student: studentTag(this.#student.userid), err }, 'submission without an answer');
      return 'unknown' as const;
    });
    const outcome = await Promise.race([answered, this.#patience(done.signal)]);
    done.abort(over);
    return outcome;
  }

  /** Resolves when an answer is not awaited any longer; never while nobody wants the run to stop. */
  async #patience(answered: AbortSignal): Promise<null> {
    const { clock } = this.#deps;
    const { stop, end } = this.#signals;
    await aborted(AbortSignal.any([stop.signal, end.signal, answered]));
    const until = this.#task.run && stopAt(this.#task.run);
    if (until !== null) await pause(clock, until - clock.now(), AbortSignal.any([end.signal, answered]));
    if (this.#isLeft) await pause(clock, CLOSING_GRACE_MS, answered);
    return null;
  }

  /** null when it cannot be read. */
  async #list(): Promise<readonly EvaluationCourse[] | null> {
    const expected = this.#task.courses.length;
    try {
      return await this.#read((context) => this.#deps.campus.courses(this.#student, expected, context));
    } catch (error) {
      this.#noted(error, 'evaluation list not read');
      return null;
    }
  }

  /** A failure of the campus, logged. Everything else, and what comes after the run was left, ends the work. */
  #noted(error: unknown, message: string): Failure {
    this.#signals.leave.signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    const { kind, system, part, reason } = error;
    const student = studentTag(this.#student.userid);
    if (this.#task.status === 'running') this.#deps.log.warn({ student, failure: kind, system, part, reason }, message);
    return error;
  }

  async #failed(error: unknown): Promise<void> {
    const student = studentTag(this.#student.userid);
    const name = error instanceof Error ? error.name : typeof error;
    const kind = error instanceof Failure ? error.kind : undefined;
    this.#deps.log.error({ student, err: name, failure: kind }, 'evaluation run failed');
    // Without storage nothing can be said about the run: its lease ends, and whoever comes next goes on.
    if (isFailure(error, 'storage-failed')) return;
    await this.#apply({ type: 'run-failed', fault: 'unexpected' }).catch(() => {});
  }
}
