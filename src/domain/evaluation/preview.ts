import { sha256 } from '../../lib/hash.ts';
import { type AnswerPools, answer, type RandomSource } from './answers.ts';
import type { Answers, Questionnaire } from './questionnaire.ts';
import type { Preview } from './task.ts';

/** What the page asks, as far as answers to it depend on it: another question or option is another page. */
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
      return { name, question, value, choice: options.find((option) => option.value === value)?.label ?? '' };
    }),
    comments: page.comments.map(({ name, question }) => ({ name, question, text: of(name) })),
  };
};

/** The answers of a preview, for a page that asks what was asked then; null for any other page. */
export const previewedAnswers = (preview: Preview, page: Questionnaire): Answers | null =>
  preview.questions === questionsOf(page)
    ? [
        ...preview.ratings.map(({ name, value }): readonly [string, string] => [name, value]),
        ...preview.comments.map(({ name, text }): readonly [string, string] => [name, text]),
      ]
    : null;
