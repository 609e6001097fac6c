import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Log, silentLog } from '../../../../src/domain/context.ts';
import { builtInPools } from '../../../../src/domain/evaluation/answers.ts';
import { RunningEvaluation } from '../../../../src/domain/evaluation/evaluation.ts';
import { courseKeyOf, type EvaluationCourse, type EvaluationPlan } from '../../../../src/domain/evaluation/task.ts';
import {
  type EvaluationCampus,
  type EvaluationStore,
  PROCESS_LIFE_MS,
  type Questionnaire,
  type QuestionnaireAnswers,
  type StoredTask,
  type Submission,
  type SubmissionOutcome,
  type TaskWrite,
} from '../../../../src/domain/evaluation/types.ts';
import type { TaskView } from '../../../../src/domain/evaluation/view.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { uncounted, until } from '../../../support/evaluation-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import type { MortalProcess } from '../../../support/mortal-process.ts';
import { list, timing } from './support.ts';

export const student = { userid: '2023000001' };

interface Row extends Omit<StoredTask, 'hasDied'> {
  readonly beatAt: number;
}

/** A store in memory by the rules of the real one. The hooks make operations fail, before or after they are done. */
export class MemoryStore implements EvaluationStore {
  readonly #rows = new Map<string, Row>();
  readonly written: TaskWrite[] = [];
  /** How often a task was read. */
  reads = 0;
  beats = 0;
  beforeWrite: (entry: TaskWrite) => void = () => {};
  afterWrite: (entry: TaskWrite) => void = () => {};
  beforeBeat: () => void = () => {};

  /** The task of `student`. */
  get row(): Row | null {
    return this.#rows.get(student.userid) ?? null;
  }

  set row(row: Row) {
    this.#rows.set(row.userid, row);
  }

  async read(userid: string, now: number): Promise<StoredTask | null> {
    this.reads += 1;
    const row = this.#rows.get(userid) ?? null;
    return row && { ...row, hasDied: now - row.beatAt >= PROCESS_LIFE_MS };
  }

  async write(entry: TaskWrite): Promise<number | null> {
    this.beforeWrite(entry);
    const { userid, snapshot, owner, expiresAt, now, lives } = entry;
    const row = this.#rows.get(userid) ?? null;
    if ((row?.revision ?? null) !== entry.revision) return null;
    const revision = (entry.revision ?? 0) + 1;
    this.row = { userid, revision, snapshot, owner, expiresAt, beatAt: lives ? now : (row?.beatAt ?? 0) };
    this.written.push(entry);
    this.afterWrite(entry);
    return revision;
  }

  async beat(owner: string, userids: readonly string[], now: number): Promise<readonly Row[]> {
    this.beats += 1;
    this.beforeBeat();
    const own = [...this.#rows.values()].filter((row) => row.owner === owner && userids.includes(row.userid));
    for (const row of own) this.row = { ...row, beatAt: now };
    return own;
  }
}

type Outcome = SubmissionOutcome | 'page-lost';

/** A campus without wires: a list that a test changes as it likes, and a note of everything asked. */
export class PaperCampus implements EvaluationCampus {
  courseList: EvaluationCourse[];
  readonly asked: string[] = [];
  onList: () => void = () => {};
  outcome: (course: EvaluationCourse) => Outcome | Promise<Outcome> = () => 'accepted';
  onOpen: (course: EvaluationCourse) => Promise<void> = async () => {};
  /** The questions of the questionnaires. */
  questions: Pick<Questionnaire, 'ratings' | 'comments'> = { ratings: [], comments: [] };
  /** The answers of each submission. */
  readonly sent: QuestionnaireAnswers[] = [];

  constructor(count: number) {
    this.courseList = list(count);
  }

  async season() {
    return true;
  }

  async courses(): Promise<readonly EvaluationCourse[]> {
    this.asked.push('list');
    this.onList();
    return this.courseList;
  }

  async open(_student: unknown, course: EvaluationCourse) {
    this.asked.push(`open ${course.courseName}`);
    await this.onOpen(course);
    const numbers = { questionnaireNumber: '', staffNumber: '', contentNumber: '' };
    return { token: 't', session: 's', title: '问卷', ...numbers, ...this.questions };
  }

  async submit(_student: unknown, { course, answers }: Submission): Promise<Outcome> {
    this.asked.push(`submit ${course.courseName}`);
    this.sent.push(answers);
    const outcome = await this.outcome(course);
    if (outcome === 'accepted') this.evaluate(course);
    return outcome;
  }

  evaluate(course: EvaluationCourse): void {
    const done = { ...course, evaluated: '是' };
    this.courseList = this.courseList.map((each) => (courseKeyOf(each) === courseKeyOf(course) ? done : each));
  }

  /** How often each course was submitted. */
  get submissions(): number[] {
    const of = (name: string): number => this.asked.filter((line) => line === `submit ${name}`).length;
    return [...new Set(this.asked.filter((line) => line.startsWith('submit ')).map((line) => line.slice(7)))].map(of);
  }
}

/** The seams between a process and everything else. */
type Life = Pick<MortalProcess, 'campus' | 'store' | 'clock' | 'dead'>;
const plainLife: Life = { campus: (campus) => campus, store: (store) => store, clock: (clock) => clock, dead: false };

/** Processes over one store and one campus, on a clock that the test moves. */
export class World {
  readonly clock = new ManualClock();
  readonly store = new MemoryStore();
  readonly campus: PaperCampus;
  random = (): number => 0.5;
  /** Whether each process believes that it is the only one. */
  isAlone = false;
  readonly #processes = new Map<RunningEvaluation, Life>();

  constructor(courses: number) {
    this.campus = new PaperCampus(courses);
  }

  process(
    plan: EvaluationPlan = 'overlapped',
    life: Life = plainLife,
    maxRunning = 5,
    log: Log = silentLog,
  ): RunningEvaluation {
    const started = new RunningEvaluation({
      tagOf: (userid) => `tag of ${userid}`,
      campus: life.campus(this.campus),
      writes: uncounted,
      store: life.store(this.store),
      clock: life.clock(this.clock),
      log,
      random: () => this.random(),
      owner: `process ${randomUUID()}`,
      isAlone: () => this.isAlone,
      settings: { plan, timing, maxRunning, pools: builtInPools, callMs: 10_000 },
    });
    this.#processes.set(started, life);
    return started;
  }

  /** Initializes and starts. */
  async begin(process: RunningEvaluation): Promise<void> {
    expect((await process.initialize(student, callContext())).kind).toBe('loaded');
    expect(await process.start(student)).toEqual({ accepted: true, status: 'running' });
  }

  /** Moves time until `done`. Every living process waits for its next look, as does every run of it. */
  until(done: () => boolean | Promise<boolean>): Promise<void> {
    const living = () => [...this.#processes].filter(([, { dead }]) => !dead);
    const resting = () => living().reduce((sum, [{ running }]) => sum + 1 + running, 0);
    return until(this.clock, resting, done, { turn });
  }

  async finished(process: RunningEvaluation): Promise<TaskView | null> {
    await this.until(async () => (await process.status(student))?.status !== 'running');
    return process.status(student);
  }

  /** Ends a process in order. */
  async end(process: RunningEvaluation): Promise<void> {
    this.#processes.delete(process);
    await process.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((process) => process.close()));
  }
}
