import { KeyLock, raceSignal } from '../../lib/single-flight.ts';
import { beginBackgroundCall } from '../background-call.ts';
import type { CallContext, Student } from '../context.ts';
import { asFailure, type Failure, isFailure, isPersonal } from '../errors.ts';
import {
  changeablePreview,
  drawPreview,
  type EditResult,
  editPreview,
  knownPreview,
  type OwnAnswers,
  type PreviewRefusal,
  type PreviewResult,
  previewView,
  type Unseen,
} from './preview.ts';
import { TaskRepository } from './repository.ts';
import { Runs } from './runs.ts';
import {
  type EvaluationTask,
  keysByName,
  stopAt,
  type TaskFault,
  type TaskStatus,
  taskStatusOf,
  unreadyReason,
} from './task.ts';
import type { EvaluationDeps, StartChoice, TaskEvent } from './types.ts';
import { type CurrentView, currentView, type TaskView, taskView } from './view.ts';

export type InitializeResult =
  | { readonly kind: 'loaded'; readonly view: TaskView }
  | { readonly kind: 'busy'; readonly status: TaskStatus }
  /** `cause`: the failure of a reading, where it was one. */
  | { readonly kind: 'failed'; readonly fault: TaskFault; readonly cause: Failure | null };

type StartRefusal = 'under-way' | 'initializing' | 'not-initialized' | 'too-many' | 'course-unknown';
type TerminateRefusal = 'no-task' | 'not-running';
export type EvaluationRefusal = 'busy' | 'list-empty' | StartRefusal | PreviewRefusal | TerminateRefusal;

/** `status`: the state after the call; `idle` without a task. */
type Ordered<R> =
  | { readonly accepted: true; readonly status: TaskStatus }
  | { readonly accepted: false; readonly status: TaskStatus; readonly reason: R };

const STOP_LOOK_MS = 100;

const ofSignIn = (error: unknown): boolean =>
  (isPersonal(error) && error.kind !== 'session-lost') ||
  isFailure(error, 'credentials-refused', 'sign-in-unavailable', 'ticket-unavailable') ||
  (isFailure(error, 'timed-out') && error.step !== undefined);

/** Failures that the task reports; the call fails with all others. */
const ofReading = (error: unknown): boolean =>
  isFailure(error, 'upstream-unavailable', 'upstream-unreadable', 'upstream-refused', 'upstream-empty', 'timed-out');

const startRefusal = (task: EvaluationTask | null, { only, exclude = [] }: StartChoice): StartRefusal => {
  const reason = unreadyReason(task);
  if (reason !== null || task === null) return reason ?? 'not-initialized';
  if (task.status !== 'idle') return 'under-way';
  const named = keysByName(task);
  // The machine refuses a task that is ready for two reasons only.
  return (only ?? exclude).some((name) => !named.has(name)) ? 'course-unknown' : 'too-many';
};

/**
 * The automated evaluation: one task per student over all replicas. A run lives in the process that started it and ends
 * with it. All methods throw Failure `storage-failed`; `status` and `current` never ask the campus.
 */
export class RunningEvaluation {
  readonly #deps: EvaluationDeps;
  readonly #repository: TaskRepository;
  readonly #runs: Runs;
  /** Lets only one of two simultaneous calls open a page. */
  readonly #previews = new KeyLock();

  constructor(deps: EvaluationDeps) {
    this.#deps = deps;
    this.#repository = new TaskRepository(deps);
    this.#runs = new Runs(deps, this.#repository);
  }

  get running(): number {
    return this.#runs.atWork;
  }

  /**
   * Loads the course list, even if the caller leaves. `keep`: previews and exclusions of a stopped run stay.
   * @throws Failure sign-in kinds, `session-lost`, `timed-out` {step}
   */
  async initialize({ userid }: Student, context: CallContext, keep = false): Promise<InitializeResult> {
    const { accepted, status } = await this.#change(userid, { type: 'initialize', keep }, true);
    if (!accepted) return { kind: 'busy', status };
    return await raceSignal(this.#load({ userid }), context.signal);
  }

  /**
   * The answers for one course, which the run sends as they are shown. The first call opens the page and draws them.
   * @throws Failure those of `EvaluationCampus.open`; `upstream-unreadable` {part `questionnaire`}
   */
  async preview(student: Student, name: string, context: CallContext): Promise<PreviewResult> {
    using _place = await this.#previews.enter(student.userid, context.signal);
    const stored = knownPreview(await this.#taskOf(student.userid), name);
    return stored.kind === 'unseen' ? await this.#draw(student, stored, name, context) : stored;
  }

  /** Replaces the shown answers by the student's own, until the run opens the course. Never asks the campus. */
  async editPreview({ userid }: Student, name: string, answers: OwnAnswers): Promise<EditResult> {
    const shown = changeablePreview(await this.#taskOf(userid), name);
    if ('kind' in shown) return shown;
    const preview = editPreview(shown, answers);
    if (!('key' in preview)) return { kind: 'invalid', faults: preview };
    const { accepted, task, status } = await this.#change(userid, { type: 'edited', preview });
    return accepted && task !== null
      ? { kind: 'stored', preview: previewView(task, name, preview) }
      : { kind: 'refused', reason: 'not-now', status };
  }

  async start({ userid }: Student, choice: StartChoice = {}): Promise<Ordered<StartRefusal>> {
    const { plan, timing } = this.#deps.settings;
    using room = this.#runs.reserve();
    const order = { ...choice, type: 'start', plan, timing, hasRoom: room !== null } as const;
    const { accepted, held, task, status } = await this.#change(userid, order, true);
    if (!accepted) return { accepted, status, reason: startRefusal(task, choice) };
    if (held !== null && status === 'running') this.#runs.begin(userid, held);
    return { accepted, status };
  }

  /**
   * Resolves when the run has stopped and the process at work knows it: at once here, within 2 s elsewhere, within 5 s
   * where a submission is on its way.
   */
  async terminate({ userid }: Student, context: CallContext): Promise<Ordered<TerminateRefusal>> {
    const { accepted, task, status } = await this.#change(userid, {
      type: this.#runs.of(userid) === undefined ? 'stop-asked' : 'terminate',
    });
    if (task === null) return { accepted: false, status, reason: 'no-task' };
    if (!accepted) return { accepted, status, reason: 'not-running' };
    const end = await this.#waitUntilStopped(userid, task, context);
    return end === 'terminated'
      ? { accepted, status: end }
      : { accepted: false, status: end, reason: end === 'idle' ? 'no-task' : 'not-running' };
  }

  async status({ userid }: Student): Promise<TaskView | null> {
    const task = await this.#taskOf(userid);
    return task && taskView(task, this.#deps.clock.now());
  }

  async current({ userid }: Student): Promise<CurrentView | null> {
    const task = await this.#taskOf(userid);
    return task && currentView(task, this.#deps.clock.now());
  }

  /** The state as this process knows it, for answers while storage fails; `idle` where the run is not here. */
  async lastKnown({ userid }: Student): Promise<TaskStatus> {
    return taskStatusOf(this.#runs.of(userid)?.task ?? null);
  }

  close(): Promise<void> {
    return this.#runs.close();
  }

  /** Changes the stored task; a run at work here sees it at once. */
  async #change(userid: string, event: TaskEvent, take = false) {
    const changed = await this.#repository.change(userid, event, take);
    this.#runs.of(userid)?.adopt(changed.held);
    return changed;
  }

  async #taskOf(userid: string): Promise<EvaluationTask | null> {
    return this.#runs.taskOf(userid) ?? (await this.#repository.load(userid))?.task ?? null;
  }

  async #notLoaded(userid: string, fault: TaskFault, cause: Failure | null = null): Promise<InitializeResult> {
    await this.#change(userid, { type: 'initialization-failed', fault });
    return { kind: 'failed', fault, cause };
  }

  async #load(student: Student): Promise<InitializeResult> {
    const { campus, clock, log, tagOf, settings } = this.#deps;
    const { userid } = student;
    using loading = this.#runs.beginLoading(userid);
    let fault: TaskFault = 'index-failed';
    try {
      using call = beginBackgroundCall(log, settings.callMs, loading.signal);
      if (!(await campus.season(student, call.context))) return await this.#notLoaded(userid, 'season-closed');
      fault = 'list-failed';
      const courses = await campus.courses(student, 0, call.context);
      const { task } = await this.#change(userid, { type: 'list-loaded', courses });
      if (task?.status === 'idle') return { kind: 'loaded', view: taskView(task, clock.now()) };
      return { kind: 'failed', fault: task?.fault ?? 'unexpected', cause: null };
    } catch (error) {
      if (!ofSignIn(error) && ofReading(error)) {
        log.warn({ student: tagOf(userid), failure: fault }, 'evaluation not initialized');
        return await this.#notLoaded(userid, fault, asFailure(error));
      }
      const own = !isFailure(error) || isFailure(error, 'storage-failed');
      const signIn = isFailure(error, 'person-needed') ? 'person-needed' : 'sign-in-failed';
      const told = ofSignIn(error) ? signIn : own ? 'unexpected' : fault;
      // The caller is told this failure even if storing it fails.
      await this.#notLoaded(userid, told).catch(() => {});
      throw error;
    }
  }

  async #draw(student: Student, unseen: Unseen, name: string, context: CallContext): Promise<PreviewResult> {
    const { campus, random, settings } = this.#deps;
    const page = await campus.open(student, unseen.course, unseen.count, context);
    if (page === null) return { kind: 'refused', reason: 'season-closed', status: unseen.status };
    // Shows what is stored, because another call, or a run that has begun, may have been faster.
    const preview = drawPreview(unseen.key, page, settings.pools, random);
    const { task, status } = await this.#change(student.userid, { type: 'previewed', preview });
    const stored = knownPreview(task, name);
    return stored.kind === 'unseen' ? { kind: 'refused', reason: 'not-now', status } : stored;
  }

  /** Awaits the process at work, and stores the end of the run itself after the grace. */
  async #waitUntilStopped(userid: string, stopping: EvaluationTask, { signal }: CallContext): Promise<TaskStatus> {
    const { clock } = this.#deps;
    const overAt = stopAt(stopping.run) ?? clock.now();
    let task: EvaluationTask | null = stopping;
    while (task?.status === 'running') {
      if (clock.now() >= overAt) ({ task } = await this.#change(userid, { type: 'stop-overdue' }));
      else {
        await clock.wait(STOP_LOOK_MS, signal);
        task = await this.#taskOf(userid);
      }
    }
    return taskStatusOf(task);
  }
}

export type Evaluation = Omit<RunningEvaluation, 'running' | 'close'>;
