import { type CommentFault, commentFault, withoutBlanks } from '../../lib/comment-text.ts';
import { sha256 } from '../../lib/hash.ts';
import { type AnswerPools, answer, type RandomSource } from './answers.ts';
import type { Preview } from './task.ts';
import type { Answers, Questionnaire } from './types.ts';

/**
 * What the page asks, as far as answers to it depend on it: another question or option is another page, also under the
 * same keys, since students agreed to what they read.
 */
const questionsOf = ({ ratings, comments }: Questionnaire): string =>
  sha256(
    JSON.stringify([
      ratings.map(({ name, question, options }) => [name, question, options.map(({ value, label }) => [value, label])]),
      comments.map(({ name, question, maxLength }) => [name, question, maxLength]),
    ]),
  );

/** Draws an answer to every question of an open page, to be shown before it is sent. */
export const drawPreview = (key: string, page: Questionnaire, pools: AnswerPools, random: RandomSource): Preview => {
  const drawn = new Map(answer(page, pools, random));
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

type Complete<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** A preview with what may be chosen and written in place of its answers. */
export interface EditablePreview {
  readonly ratings: ReadonlyArray<Complete<Preview['ratings'][number]>>;
  readonly comments: ReadonlyArray<Complete<Preview['comments'][number]>>;
}

/** Of a preview that an earlier version of the service has stored, the answers are all that is known to fit. */
export const editable = ({ ratings, comments }: Preview): EditablePreview => ({
  ratings: ratings.map((rating) => ({ options: [{ value: rating.value, choice: rating.choice }], ...rating })),
  comments: comments.map((comment) => ({ maxLength: comment.text.length, ...comment })),
});

/** A student's own answers: those to all questions that were shown, in that order. */
export interface OwnAnswers {
  readonly ratings: ReadonlyArray<{ readonly key: string; readonly value: string }>;
  readonly comments: ReadonlyArray<{ readonly key: string; readonly text: string }>;
}

/** Why the answer at a place is not taken. `key`: the question there is another one, or there is none. */
export interface AnswerFault {
  readonly list: 'ratings' | 'comments';
  /** Place of the question in its list. */
  readonly at: number;
  readonly fault: 'missing' | 'key' | 'option' | 'too-long' | 'malformed' | CommentFault;
  /** Of `too-long`: how many characters the field takes. */
  readonly limit?: number;
  /** Of `option`: the marks that the page offers. */
  readonly offered?: readonly string[];
}

/** An unchanged text is taken as it is: it was drawn for its field by the rules of then. */
const textFault = (
  text: string,
  shown: EditablePreview['comments'][number],
): Omit<AnswerFault, 'list' | 'at'> | null => {
  if (text === shown.text) return null;
  if (!text.isWellFormed()) return { fault: 'malformed' };
  if (shown.maxLength !== null && text.length > shown.maxLength) return { fault: 'too-long', limit: shown.maxLength };
  const fault = commentFault(text);
  return fault && { fault };
};

/** The preview with the student's own answers, comments without blanks as the campus counts them; else what is wrong. */
export const editPreview = (preview: Preview, answers: OwnAnswers): Preview | readonly AnswerFault[] => {
  const shown = editable(preview);
  const faults: AnswerFault[] = [];
  for (const list of ['ratings', 'comments'] as const) {
    const [own, questions] = [answers[list], shown[list]];
    for (const [at, { name }] of questions.entries()) {
      if (own[at]?.key !== name) faults.push({ list, at, fault: own[at] === undefined ? 'missing' : 'key' });
    }
    if (own.length > questions.length) faults.push({ list, at: questions.length, fault: 'key' });
  }
  // Which mark or text is wrong can be told where each stands at its question.
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

/** The answers of a preview, for a page that asks what was asked then; null for any other page. */
export const previewedAnswers = (preview: Preview, page: Questionnaire): Answers | null =>
  preview.questions === questionsOf(page)
    ? [
        ...preview.ratings.map(({ name, value }): readonly [string, string] => [name, value]),
        ...preview.comments.map(({ name, text }): readonly [string, string] => [name, text]),
      ]
    : null;
