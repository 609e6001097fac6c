import { type CommentFault, commentFault, SHORTEST_COMMENT } from '../lib/comment-text.ts';
import { itemsOf, jsonFileReader } from './json-file.ts';

const kinds = ['overall', 'inspiration', 'suggestion'] as const;
const SHARE = 'full_mark_share';
const LONGEST_TEXT = 500;
const MOST_TEXTS = 100;

/** Answers of the evaluation as an operator has written them; null: the built-in ones. */
export interface AnswerPools extends Readonly<Record<(typeof kinds)[number], readonly string[] | null>> {
  /** Share of ratings with the full mark, 0 to 1. */
  readonly fullMarkShare: number | null;
}

const commentFaults: Readonly<Record<CommentFault, string>> = {
  'too-short': `has less than ${SHORTEST_COMMENT} characters`,
  repeats: 'has one character three times in a row',
};

const textOf = (text: unknown): { value: string } | { fault: string } => {
  if (typeof text !== 'string') return { fault: 'is no text' };
  if (text.length > LONGEST_TEXT) return { fault: `has more than ${LONGEST_TEXT} characters` };
  const fault = commentFault(text);
  return fault === null ? { value: text } : { fault: commentFaults[fault] };
};

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/** The answers of the evaluation. What the file leaves out is null. */
export const readAnswersFile = jsonFileReader<AnswerPools | null>(
  'EVALUATION_ANSWERS',
  [...kinds, SHARE],
  null,
  (members) => {
    const faults: string[] = [];
    const textsOf = (kind: string): readonly string[] | null => {
      const list = members.get(kind);
      if (list === undefined) return null;
      const texts = itemsOf(kind, list, MOST_TEXTS, textOf);
      faults.push(...texts.faults, ...(Array.isArray(list) && list.length === 0 ? [`${kind} is empty`] : []));
      return texts.values;
    };
    const [overall, inspiration, suggestion] = [textsOf('overall'), textsOf('inspiration'), textsOf('suggestion')];
    const share = members.get(SHARE);
    const fullMarkShare = isShare(share) ? share : null;
    if (share !== undefined && fullMarkShare === null) faults.push(`${SHARE} is no number from 0 to 1`);
    return { value: { overall, inspiration, suggestion, fullMarkShare }, faults };
  },
);
