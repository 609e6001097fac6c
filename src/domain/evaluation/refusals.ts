import { courseOf, type EvaluationTask, isFinal, keysByName, pendingKeys, previewOf, type TaskStatus } from './task.ts';
import { type EvaluationCourse, isPending } from './types.ts';
import { type PreviewView, previewView } from './view.ts';

export type StartRefusal = 'under-way' | 'initializing' | 'not-initialized' | 'too-many' | 'course-unknown';
/** `not-now`: the course is evaluated, or a run that has not shown its answers is at work. */
export type PreviewRefusal = 'not-initialized' | 'initializing' | 'course-unknown' | 'not-now' | 'season-closed';
export type TerminateRefusal = 'no-task' | 'not-running';

export type PreviewResult =
  | { readonly kind: 'shown'; readonly preview: PreviewView }
  | { readonly kind: 'refused'; readonly reason: PreviewRefusal; readonly status: TaskStatus };

/** A course whose questionnaire nobody has seen yet; `count` as `EvaluationCampus.open` wants it. */
export interface Unseen {
  readonly kind: 'unseen';
  readonly key: string;
  readonly course: EvaluationCourse;
  readonly count: number;
}

const notReady = (task: EvaluationTask | null): 'not-initialized' | 'initializing' | null => {
  if (task === null || isFinal(task.status)) return 'not-initialized';
  return task.status === 'initializing' ? 'initializing' : null;
};

export const startRefusal = (task: EvaluationTask | null, exclude: readonly string[]): StartRefusal => {
  const refusal = notReady(task);
  if (refusal !== null || task === null) return refusal ?? 'not-initialized';
  if (task.status !== 'idle') return 'under-way';
  const named = keysByName(task);
  // Beside an unknown name, a task that is ready is refused for want of a place only.
  return exclude.some((name) => !named.has(name)) ? 'course-unknown' : 'too-many';
};

/** What the task itself knows about a wanted preview; `unseen`: the page has to be opened. */
export const knownPreview = (task: EvaluationTask | null, name: string): PreviewResult | Unseen => {
  const status = task?.status ?? 'idle';
  const unready = notReady(task);
  if (unready !== null || task === null) return { kind: 'refused', reason: unready ?? 'not-initialized', status };
  const key = keysByName(task).get(name);
  const course = key === undefined ? null : courseOf(task, key);
  if (key === undefined || course === null) return { kind: 'refused', reason: 'course-unknown', status };
  const preview = isPending(course) ? previewOf(task, key) : null;
  if (preview !== null) return { kind: 'shown', preview: previewView(task, name, preview) };
  if (!isPending(course) || status !== 'idle') return { kind: 'refused', reason: 'not-now', status };
  return { kind: 'unseen', key, course, count: pendingKeys(task).length };
};
