import type { StartChoice } from './machine.ts';
import type { AnswerFault } from './preview.ts';
import {
  courseOf,
  type EvaluationCourse,
  type EvaluationTask,
  isDrawable,
  isFinal,
  isPending,
  isUnopened,
  keysByName,
  type Preview,
  pendingKeys,
  previewOf,
  type TaskStatus,
} from './task.ts';
import { type PreviewView, previewView } from './view.ts';

export type StartRefusal = 'under-way' | 'initializing' | 'not-initialized' | 'too-many' | 'course-unknown';
/** `not-now`: the course is evaluated, or a run is at work that has opened it or opens no second page. */
export type PreviewRefusal = 'not-initialized' | 'initializing' | 'course-unknown' | 'not-now' | 'season-closed';
/** `not-shown`: there are no answers yet that could be changed. */
export type EditRefusal = Exclude<PreviewRefusal, 'season-closed'> | 'not-shown';
export type TerminateRefusal = 'no-task' | 'not-running';

export type PreviewResult =
  | { readonly kind: 'shown'; readonly preview: PreviewView }
  | { readonly kind: 'refused'; readonly reason: PreviewRefusal; readonly status: TaskStatus };

export type EditResult =
  | { readonly kind: 'stored'; readonly preview: PreviewView }
  /** All that is wrong with the answers; nothing is stored. */
  | { readonly kind: 'invalid'; readonly faults: readonly AnswerFault[] }
  | { readonly kind: 'refused'; readonly reason: EditRefusal; readonly status: TaskStatus };

/** A course whose questionnaire was not shown yet; `count` as `EvaluationCampus.open` wants it. */
export interface Unseen {
  readonly kind: 'unseen';
  readonly status: TaskStatus;
  readonly key: string;
  readonly course: EvaluationCourse;
  readonly count: number;
}

const notReady = (task: EvaluationTask | null): 'not-initialized' | 'initializing' | null => {
  if (task === null || isFinal(task.status)) return 'not-initialized';
  return task.status === 'initializing' ? 'initializing' : null;
};

export const startRefusal = (task: EvaluationTask | null, { only, exclude = [] }: StartChoice): StartRefusal => {
  const refusal = notReady(task);
  if (refusal !== null || task === null) return refusal ?? 'not-initialized';
  if (task.status !== 'idle') return 'under-way';
  const named = keysByName(task);
  // Beside an unknown name, a task that is ready is refused for want of a place only.
  return (only ?? exclude).some((name) => !named.has(name)) ? 'course-unknown' : 'too-many';
};

/** The course that clients name so, of a task that has its list. */
const wantedCourse = (task: EvaluationTask | null, name: string) => {
  const status = task?.status ?? 'idle';
  const unready = notReady(task);
  if (unready !== null || task === null) {
    return { kind: 'refused', reason: unready ?? 'not-initialized', status } as const;
  }
  const key = keysByName(task).get(name);
  const course = key === undefined ? null : courseOf(task, key);
  if (key === undefined || course === null) return { kind: 'refused', reason: 'course-unknown', status } as const;
  return { kind: 'found', task, key, course, preview: isPending(course) ? previewOf(task, key) : null } as const;
};

/** What the task itself knows about a wanted preview; `unseen`: the page has to be opened. */
export const knownPreview = (held: EvaluationTask | null, name: string): PreviewResult | Unseen => {
  const wanted = wantedCourse(held, name);
  if (wanted.kind === 'refused') return wanted;
  const { task, key, course, preview } = wanted;
  if (preview !== null) return { kind: 'shown', preview: previewView(task, name, preview) };
  const { status, run } = task;
  if (!isDrawable(task, key)) return { kind: 'refused', reason: 'not-now', status };
  return { kind: 'unseen', status, key, course, count: run?.count ?? pendingKeys(task).length };
};

/** The answers that may be changed now. */
export const changeablePreview = (held: EvaluationTask | null, name: string): Preview | EditResult => {
  const wanted = wantedCourse(held, name);
  if (wanted.kind === 'refused') return wanted;
  const { task, key, preview } = wanted;
  const { status } = task;
  if (!isUnopened(task, key)) return { kind: 'refused', reason: 'not-now', status };
  return preview ?? { kind: 'refused', reason: 'not-shown', status };
};
