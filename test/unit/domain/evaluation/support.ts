import { expect } from 'vitest';
import { transition } from '../../../../src/domain/evaluation/machine.ts';
import {
  courseKeyOf,
  type EvaluationCourse,
  type EvaluationTask,
  namedCourses,
} from '../../../../src/domain/evaluation/task.ts';
import type { SubmissionOutcome, TaskEvent } from '../../../../src/domain/evaluation/types.ts';

/** The public names of the courses of a list. */
export const publicKeys = (courses: readonly EvaluationCourse[]): string[] =>
  namedCourses(courses).map(({ name }) => name);

export const start = Date.UTC(2026, 2, 18, 2, 0, 0);
export const timing = { waitMs: 140_000, pauseMs: 3_000, openEveryMs: 6_000 };

export const course = (number: number, evaluated = '否'): EvaluationCourse => ({
  id: { staffNumber: `S${number}`, sequence: '01', contentNumber: `C${number}`, questionnaireCoding: 'Q1' },
  questionnaire: evaluated === '否' ? { number: 'Q1', name: '理论课' } : null,
  teacher: `教师${number}`,
  courseName: `课程${number}`,
  evaluated,
});
export const key = (number: number): string => courseKeyOf(course(number));

/** Courses 1 to `count`; those in `done` are evaluated. */
export const list = (count: number, done: readonly number[] = []): EvaluationCourse[] =>
  Array.from({ length: count }, (_, at) => course(at + 1, done.includes(at + 1) ? '是' : '否'));

export const startEvent = { type: 'start', plan: 'overlapped', timing, hasRoom: true } as const;

/** Answers for a course. */
export const previewEvent = (number: number) =>
  ({
    type: 'previewed',
    preview: {
      key: key(number),
      title: '问卷',
      questions: 'digest',
      ratings: [{ name: 'r', question: '备课', value: '5_1', choice: '好', options: [{ value: '5_1', choice: '好' }] }],
      comments: [{ name: 'zgpj', question: '评价', text: `第${number}门`, maxLength: 100 }],
    },
  }) as const;

/** A task that is led through events by a test. */
export class Lead {
  task: EvaluationTask | null = null;
  now = start;

  /** False: the task does not take the event, and is as it was. */
  apply(event: TaskEvent): boolean {
    const next = transition(this.task, event, this.now);
    this.task = next ?? this.task;
    return next !== null;
  }

  /** Every event must be taken. */
  take(...events: TaskEvent[]): this {
    for (const event of events) expect(this.apply(event), JSON.stringify(event)).toBe(true);
    return this;
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }

  get held(): EvaluationTask {
    if (this.task === null) throw new Error('no task');
    return this.task;
  }

  /** The public name of a course. */
  name(number: number): string {
    return publicKeys(this.held.courses)[number - 1] ?? '';
  }

  phase(number: number): string | undefined {
    return this.held.run?.attempts.find((attempt) => attempt.key === key(number))?.phase.kind;
  }
}

/** A task in `idle` with that many pending courses. */
export const ready = (count: number, done: readonly number[] = []): Lead =>
  new Lead().take({ type: 'initialize' }, { type: 'list-loaded', courses: list(count, done) });

export const running = (count: number, plan: 'overlapped' | 'sequential' = 'overlapped'): Lead =>
  ready(count).take({ ...startEvent, plan });

/** A course whose page is open and whose wait is over. */
export const opened = (lead: Lead, number: number): Lead =>
  lead.take({ type: 'page-opening', key: key(number) }, { type: 'page-opened', key: key(number) }).after(timing.waitMs);

/** A course with an answered submission, before the list is read. */
export const submitted = (lead: Lead, number: number, outcome: SubmissionOutcome): Lead =>
  lead.take({ type: 'submission-begun', key: key(number) }, { type: 'submission-answered', key: key(number), outcome });
