import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a first reader meets is short, and the same in both languages. */
const most = { words: 900, characters: 1_600 } as const;

/** What a reader sees of a text in Markdown: no targets of links and no rules of tables. */
const shown = (text: string): string => text.replaceAll(/(?<=\])\([^)]*\)/g, '').replaceAll(/^\|[-|]+\|$/gm, '');

/** With tables and code. What has no letter and no digit, as the line between two cells, is no word. */
export const countWords = (text: string): number => shown(text).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

/** With tables, code and marks, but for spaces and the lines between cells. */
export const countCharacters = (text: string): number => shown(text).replaceAll(/[\s|]/g, '').length;

/** Headings by their level, and tables by their columns, in the order of the text. */
const shapeOf = (text: string): string[] => {
  const lines = text.replaceAll(/^```.*?^```$/gms, '').split('\n');
  return lines.flatMap((line) => {
    if (line.startsWith('|')) return [`table row of ${line.split('|').length - 2}`];
    return /^#+(?= )/.exec(line) ?? [];
  });
};

/** What is wrong with the two READMEs, one line each. */
export const findReadmeProblems = (english: string, chinese: string): string[] => {
  const [words, characters] = [countWords(english), countCharacters(chinese)];
  const [ours, theirs] = [shapeOf(english), shapeOf(chinese)];
  const at = ours.findIndex((part, index) => part !== theirs[index]);
  return [
    ...(words > most.words ? [`README.md has ${words} words, at most ${most.words}`] : []),
    ...(characters > most.characters
      ? [`docs/zh/README.md has ${characters} characters, at most ${most.characters}`]
      : []),
    ...(at >= 0 || ours.length !== theirs.length
      ? [`README.md and docs/zh/README.md differ in heading or row ${at < 0 ? ours.length + 1 : at + 1}`]
      : []),
  ];
};

export const checkReadmes = (root: string): void => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  for (const problem of findReadmeProblems(read('README.md'), read('docs/zh/README.md'))) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  }
};
