import { describe, expect, it } from 'vitest';
import { nextTaskStep, transition } from '../../../../src/domain/evaluation/machine.ts';
import {
  courseKeyOf,
  type EvaluationCourse,
  type EvaluationTask,
  isFinal,
  readSnapshot,
} from '../../../../src/domain/evaluation/task.ts';
import type { StartChoice, SubmissionOutcome, TaskEvent } from '../../../../src/domain/evaluation/types.ts';
import { currentView, taskView } from '../../../../src/domain/evaluation/view.ts';
import { list, previewEvent, publicKeys, start, timing } from './support.ts';

/** Repeatable pseudo-random numbers from 0 to 1. */
const numbers = (seed: number) => {
  let state = seed * 2_654_435_761;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

type Random = ReturnType<typeof numbers>;
const oneOf = <T>(items: readonly [T, ...T[]], random: Random): T =>
  items[Math.floor(random() * items.length)] ?? items[0];

const MOST = 6;
const keys = list(MOST + 2).map(courseKeyOf);
/** Any list: courses come, go and are evaluated as they like. */
const anyList = (random: Random): EvaluationCourse[] =>
  list(
    MOST,
    [1, 2, 3, 4, 5, 6].filter(() => random() < 0.3),
  ).filter(() => random() < 0.9);

const anyEvent = (random: Random): TaskEvent => {
  const key = keys[Math.floor(random() * keys.length)] ?? '';
  const outcome = oneOf<SubmissionOutcome>(['accepted', 'refused', 'not-yet', 'not-sent', 'unknown'], random);
  const { preview } = previewEvent(1 + keys.indexOf(key));
  const names = publicKeys(list(MOST).filter(() => random() < 0.3));
  return oneOf<TaskEvent>(
    [
      { type: 'initialize', keep: random() < 0.5 },
      { type: 'list-loaded', courses: anyList(random) },
      { type: 'initialization-failed', fault: 'index-failed' },
      {
        type: 'start',
        plan: oneOf(['overlapped', 'sequential'], random),
        timing,
        hasRoom: random() < 0.9,
        ...oneOf<StartChoice>([{}, { exclude: names }, { only: names }], random),
      },
      { type: 'previewed', preview },
      { type: 'edited', preview: { ...preview, title: 'other words' } },
      { type: 'terminate' },
      { type: 'stop-asked' },
      { type: 'stop-overdue' },
      { type: 'page-opening', key },
      { type: 'page-opened', key },
      { type: 'page-failed', key, fault: 'preview_outdated' },
      { type: 'submission-begun', key },
      { type: 'submission-answered', key, outcome },
      { type: 'page-lost', key },
      { type: 'list-read', courses: random() < 0.2 ? null : anyList(random) },
      { type: 'run-failed', fault: 'unexpected' },
      { type: 'interrupted' },
    ],
    random,
  );
};

/** The next report of a worker: leads runs deeper than events by chance. */
const likelyEvent = (task: EvaluationTask | null, now: number, random: Random): TaskEvent => {
  if (task === null || isFinal(task.status)) return { type: 'initialize' };
  if (task.status === 'initializing') return { type: 'list-loaded', courses: anyList(random) };
  if (task.status === 'idle')
    return { type: 'start', plan: oneOf(['overlapped', 'sequential'], random), timing, hasRoom: true };
  const opening = task.run?.attempts.find(({ phase }) => phase.kind === 'opening');
  if (opening)
    return random() < 0.9
      ? { type: 'page-opened', key: opening.key }
      : { type: 'page-failed', key: opening.key, fault: 'page_failed' };
  const submitting = task.run?.attempts.find(({ phase }) => phase.kind === 'submitting');
  const outcome = oneOf<SubmissionOutcome>(['accepted', 'accepted', 'refused', 'not-yet', 'unknown'], random);
  if (submitting) return { type: 'submission-answered', key: submitting.key, outcome };
  const step = nextTaskStep(task, now);
  switch (step.kind) {
    case 'open':
      return { type: 'page-opening', key: step.key };
    case 'submit':
      return { type: 'submission-begun', key: step.key };
    case 'apply':
      return step.event;
    default:
      return { type: 'list-read', courses: random() < 0.1 ? null : anyList(random) };
  }
};

const expectSound = (task: EvaluationTask, now: number): void => {
  expect(readSnapshot(JSON.stringify(task))).toEqual(task);
  const { run } = task;
  const view = taskView(task, now);
  const current = currentView(task, now);
  expect(current.status).toBe(task.status);
  expect(view.failed).toHaveLength(view.failCount);
  expect(view.countdown === 0 || task.status === 'running').toBe(true);
  expect(view.endedAt !== null).toBe(isFinal(task.status));
  const previewed = (task.previews ?? []).map(({ key }) => key);
  expect(new Set(previewed).size).toBe(previewed.length);
  if (run === null) {
    expect([task.successCount, task.failCount]).toEqual([0, 0]);
    return;
  }
  const results = run.attempts.flatMap(({ phase }) => (phase.kind === 'done' ? [phase.result] : []));
  expect(task.successCount).toBe(results.filter((result) => result === 'success').length);
  expect(task.failCount).toBe(results.filter((result) => result === 'failure').length);
  expect(new Set(run.attempts.map(({ key }) => key)).size).toBe(run.attempts.length);
  const afloat = run.attempts.filter(({ phase }) => phase.kind === 'submitting' || phase.kind === 'verifying');
  expect(afloat.length).toBeLessThanOrEqual(1);
  if (isFinal(task.status)) expect(results).toHaveLength(run.attempts.length);
  if (current.course === null) return;
  expect(current.course.index).toBe(task.successCount + task.failCount);
  expect(current.course.index + 1).toBeLessThanOrEqual(current.course.of);
  expect(current.course.countdown).toBeLessThanOrEqual(timing.waitMs / 1000);
};

describe.each(Array.from({ length: 15 }, (_, at) => at + 1))('events in the random order %i', (seed) => {
  it('never break the counters, the order of one run per student, or one submission per course', () => {
    const random = numbers(seed);
    const guided = random();
    let task: EvaluationTask | null = null;
    let now = start;
    let submissions = new Map<string, number>();
    for (let round = 0; round < 300; round += 1) {
      if (random() < 0.5) now += Math.floor(random() * 160_000);
      const event: TaskEvent = random() < guided ? likelyEvent(task, now, random) : anyEvent(random);
      const before: EvaluationTask | null = task;
      const next: EvaluationTask | null = transition(before, event, now);
      if (next !== null && (event.type === 'previewed' || event.type === 'edited')) {
        // Of a page that is open or over nothing is shown that would not be sent.
        const phase = before?.run?.attempts.find((attempt) => attempt.key === event.preview.key)?.phase.kind;
        expect(phase ?? 'waiting').toBe('waiting');
      }
      // A finished task is readable until it is initialized again.
      if (before !== null && isFinal(before.status) && event.type !== 'initialize') expect(next).toBeNull();
      if (next === null) continue;
      // A run begins by a start of a task that is ready, and in no other way.
      if (next.status === 'running' && before?.status !== 'running') {
        expect([before?.status, event.type]).toEqual(['idle', 'start']);
      }
      task = next;
      if (event.type === 'initialize') submissions = new Map();
      // Nothing was sent.
      if (event.type === 'page-lost') submissions.set(event.key, (submissions.get(event.key) ?? 0) - 1);
      if (event.type === 'submission-begun') submissions.set(event.key, (submissions.get(event.key) ?? 0) + 1);
      const times = [...submissions.values()];
      const again = times.filter((count) => count > 1);
      expect(again.length).toBeLessThanOrEqual(task.run?.fellBack ? 1 : 0);
      expect(Math.max(0, ...times)).toBeLessThanOrEqual(2);
      expectSound(task, now);
    }
  });
});
