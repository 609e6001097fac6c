import { sha256 } from '../../lib/hash.ts';
import { type CommentFault, commentFault, withoutBlanks } from '../../lib/text.ts';
import { drawAnswers } from './answers.ts';
import {
  type EvaluationTask,
  findCourse,
  isDrawable,
  isPending,
  isUnopened,
  keysByName,
  type Preview,
  pendingKeys,
  previewOf,
  type TaskStatus,
  taskStatusOf,
  unreadyReason,
} from './task.ts';
import type { AnswerPools, Questionnaire, QuestionnaireAnswers, RandomSource } from './types.ts';

/** Fingerprint of what a student agrees to: another question or option is another page, also under the same keys. */
const questionsOf = ({ ratings, comments }: Questionnaire): string =>
  sha256(
    JSON.stringify([
      ratings.map(({ name, question, options }) => [name, question, options.map(({ value, label }) => [value, label])]),
      comments.map(({ name, question, maxLength }) => [name, question, maxLength]),
    ]),
  );

export const drawPreview = (key: string, page: Questionnaire, pools: AnswerPools, random: RandomSource): Preview => {
  const drawn = new Map(drawAnswers(page, pools, random));
  const of = (name: string): string => drawn.get(name) ?? '';
  return {
    key,
    title: page.title,
    questions: questionsOf(page),
    ratings: page.ratings.map(({ name, question, options }) => {
      const value = of(name);
      const choices = options.map((option) => ({ value: option.value, choice: option.label }));
      const choice = choices.find((option) => option.value === value)?.choice ?? '';
      return { name, question, value, choice, options: choices };
    }),
    comments: page.comments.map(({ name, question, maxLength }) => ({ name, question, text: of(name), maxLength })),
  };
};

/** Adds choices and limits to a preview of 1.0, of which only the answers themselves are known to fit. */
const editableOf = ({ ratings, comments }: Preview) => ({
  ratings: ratings.map((rating) => ({ options: [{ value: rating.value, choice: rating.choice }], ...rating })),
  comments: comments.map((comment) => ({ maxLength: comment.text.length, ...comment })),
});

/** A student's own answers to all questions that were shown, in that order. */
export interface OwnAnswers {
  readonly ratings: ReadonlyArray<{ readonly key: string; readonly value: string }>;
  readonly comments: ReadonlyArray<{ readonly key: string; readonly text: string }>;
}

/** Why the answer at this position is refused. `key`: the question there is another one, or there is none. */
export interface AnswerFault {
  readonly list: 'ratings' | 'comments';
  readonly at: number;
  readonly fault: 'missing' | 'key' | 'option' | 'too-long' | 'malformed' | CommentFault;
  /** For `too-long`: how many characters the field takes. */
  readonly limit?: number;
  /** For `option`: the marks that the page offers. */
  readonly offered?: readonly string[];
}

const textFault = (text: string, shown: PreviewView['comments'][number]): Omit<AnswerFault, 'list' | 'at'> | null => {
  // An unchanged text stays, even if the rules of texts have changed since.
  if (text === shown.text) return null;
  if (!text.isWellFormed()) return { fault: 'malformed' };
  if (shown.maxLength !== null && text.length > shown.maxLength) return { fault: 'too-long', limit: shown.maxLength };
  const fault = commentFault(text);
  return fault && { fault };
};

/** The preview with the student's own answers, comments without blanks as the campus counts them; or all faults. */
export const editPreview = (preview: Preview, answers: OwnAnswers): Preview | readonly AnswerFault[] => {
  const shown = editableOf(preview);
  const faults: AnswerFault[] = [];
  for (const list of ['ratings', 'comments'] as const) {
    const [own, questions] = [answers[list], shown[list]];
    for (const [at, { name }] of questions.entries()) {
      if (own[at]?.key !== name) faults.push({ list, at, fault: own[at] === undefined ? 'missing' : 'key' });
    }
    if (own.length > questions.length) faults.push({ list, at: questions.length, fault: 'key' });
  }
  // Marks and texts are judged only where each answer stands at its question.
  if (faults.length > 0) return faults;
  const ratings = shown.ratings.map((rating, at) => {
    const option = rating.options.find(({ value }) => value === answers.ratings[at]?.value);
    if (option === undefined) {
      const offered = rating.options.map(({ value }) => value);
      faults.push({ list: 'ratings', at, fault: 'option', offered });
    }
    return { ...rating, ...option };
  });
  const comments = shown.comments.map((comment, at) => {
    const text = withoutBlanks(answers.comments[at]?.text ?? '');
    const fault = textFault(text, comment);
    if (fault !== null) faults.push({ list: 'comments', at, ...fault });
    return { ...comment, text };
  });
  return faults.length > 0 ? faults : { ...preview, ratings, comments };
};

/** The answers of a preview; null where the page asks anything else by now. */
export const answersOfPreview = (preview: Preview, page: Questionnaire): QuestionnaireAnswers | null =>
  preview.questions === questionsOf(page)
    ? [
        ...preview.ratings.map(({ name, value }): readonly [string, string] => [name, value]),
        ...preview.comments.map(({ name, text }): readonly [string, string] => [name, text]),
      ]
    : null;

export interface PreviewView extends ReturnType<typeof editableOf> {
  readonly courseKey: string;
  readonly courseName: string;
  readonly teacher: string;
  readonly questionnaire: string;
}

export const previewView = (task: EvaluationTask, name: string, preview: Preview): PreviewView => {
  const course = findCourse(task, preview.key);
  return {
    ...editableOf(preview),
    courseKey: name,
    courseName: course?.courseName ?? '',
    teacher: course?.teacher ?? '',
    questionnaire: course?.questionnaire?.name || preview.title,
  };
};

/**
 * `not-now`: the course is evaluated, or a run has opened it or opens no second page. `not-shown`: there are no answers
 * to change yet.
 */
export type PreviewRefusal =
  | 'not-initialized'
  | 'initializing'
  | 'course-unknown'
  | 'not-now'
  | 'not-shown'
  | 'season-closed';

interface PreviewRefused {
  readonly kind: 'refused';
  readonly reason: PreviewRefusal;
  readonly status: TaskStatus;
}

export type PreviewResult = { readonly kind: 'shown'; readonly preview: PreviewView } | PreviewRefused;

export type EditResult =
  | { readonly kind: 'stored'; readonly preview: PreviewView }
  | { readonly kind: 'invalid'; readonly faults: readonly AnswerFault[] }
  | PreviewRefused;

const wantedCourse = (task: EvaluationTask | null, name: string) => {
  const refuse = (reason: PreviewRefusal): PreviewRefused => ({ kind: 'refused', reason, status: taskStatusOf(task) });
  const reason = unreadyReason(task);
  if (reason !== null || task === null) return refuse(reason ?? 'not-initialized');
  const key = keysByName(task).get(name);
  const course = key === undefined ? null : findCourse(task, key);
  if (key === undefined || course === null) return refuse('course-unknown');
  return {
    kind: 'found',
    task,
    key,
    course,
    preview: isPending(course) ? previewOf(task, key) : null,
    refused: refuse,
  } as const;
};

/** The preview as the task has it; `unseen` where the page has to be opened. */
export const knownPreview = (held: EvaluationTask | null, name: string) => {
  const wanted = wantedCourse(held, name);
  if (wanted.kind === 'refused') return wanted;
  const { task, key, course, preview, refused } = wanted;
  if (preview !== null) return { kind: 'shown', preview: previewView(task, name, preview) } as const;
  if (!isDrawable(task, key)) return refused('not-now');
  const count = task.run?.count ?? pendingKeys(task).length;
  return { kind: 'unseen', status: task.status, key, course, count } as const;
};

export type Unseen = Extract<ReturnType<typeof knownPreview>, { readonly kind: 'unseen' }>;

export const changeablePreview = (held: EvaluationTask | null, name: string): Preview | PreviewRefused => {
  const wanted = wantedCourse(held, name);
  if (wanted.kind === 'refused') return wanted;
  const { task, key, preview, refused } = wanted;
  return isUnopened(task, key) ? (preview ?? refused('not-shown')) : refused('not-now');
};
