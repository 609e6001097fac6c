import { commentFault } from '../lib/comment-text.ts';
import type { AnswerPools, Finding } from './config.ts';
import { readJsonFile } from './json-file.ts';
import type { ConfigFiles } from './secret-key.ts';

const KEY = 'EVALUATION_ANSWERS';
const kinds = ['overall', 'inspiration', 'suggestion'] as const;
const SHARE = 'full_mark_share';
const LONGEST_TEXT = 500;
const MOST_TEXTS = 100;

type Found = { readonly answers: AnswerPools } | { readonly problems: readonly Finding[] };

const textFault = (text: unknown): string | null => {
  if (typeof text !== 'string') return 'is no text';
  return text.length > LONGEST_TEXT ? `has more than ${LONGEST_TEXT} characters` : commentFault(text);
};

/** What is wrong with one list, each part of it named as in the file. */
const listFaults = (kind: string, list: unknown): string[] => {
  if (!Array.isArray(list)) return [`${kind} is no list of texts`];
  if (list.length === 0) return [`${kind} is empty`];
  if (list.length > MOST_TEXTS) return [`${kind} has more than ${MOST_TEXTS} texts`];
  return list.flatMap((text: unknown, at) => {
    const fault = textFault(text);
    return fault === null ? [] : [`${kind}[${at}] ${fault}`];
  });
};

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

const textsOf = (list: unknown): string[] | null =>
  Array.isArray(list) ? list.filter((text: unknown) => typeof text === 'string') : null;

const faultsOf = (members: ReadonlyMap<string, unknown>): string[] => {
  const known: readonly string[] = [...kinds, SHARE];
  const strange = [...members.keys()].filter((name) => !known.includes(name));
  const share = members.get(SHARE);
  return [
    ...strange.map((name) => `${JSON.stringify(name.slice(0, 40))} is not one of ${known.join(', ')}`),
    ...kinds.flatMap((kind) => (members.has(kind) ? listFaults(kind, members.get(kind)) : [])),
    ...(share === undefined || isShare(share) ? [] : [`${SHARE} is no number from 0 to 1`]),
  ];
};

/** Reads the answers of the evaluation from a JSON file. What it leaves out is null. All problems are told at once. */
export const readAnswersFile = (path: string, files: ConfigFiles): Found => {
  const problems = (faults: readonly string[], hint: string): Found => ({
    problems: faults.map((fault) => ({ key: KEY, problem: `${path}: ${fault}`, hint })),
  });
  const file = readJsonFile(path, files, kinds.join(', '));
  if ('fault' in file) return problems([file.fault], file.hint);
  const { members } = file;
  const faults = faultsOf(members);
  if (faults.length > 0) return problems(faults, 'correct it in the file');
  const share = members.get(SHARE);
  return {
    answers: {
      overall: textsOf(members.get('overall')),
      inspiration: textsOf(members.get('inspiration')),
      suggestion: textsOf(members.get('suggestion')),
      fullMarkShare: isShare(share) ? share : null,
    },
  };
};
