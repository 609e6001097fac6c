import { readFileSync } from 'node:fs';

/**
 * The words that may stay in a recording, by product: at most 300 each, all of them literals of its driver or of the
 * templates of its simulator, never of records, which a test checks.
 */
const lists: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('words.json', import.meta.url), 'utf8'),
);

const stem = /^([A-Za-z_-]{2,})\d{1,2}$/;

export const keptWordsOf = (products: readonly string[]): readonly string[] =>
  ['everywhere', 'markup', ...products].flatMap((product) => lists[product] ?? []);

/** A single character is never kept by itself; of a numbered word the list has the first one. */
export const isKeptIn = (products: readonly string[]) => {
  const words = new Set(keptWordsOf(products));
  for (const word of [...words]) words.add(stem.exec(word)?.[1] ?? word);
  return (word: string): boolean => word.length > 1 && (words.has(word) || words.has(stem.exec(word)?.[1] ?? ''));
};

/** A step of a path, or the name of a field, of kept words alone: `login.html`. */
export const isKeptName = (name: string, isKept: (word: string) => boolean): boolean =>
  isKept(name) || name.split(/[.-]/).every(isKept);

const markup = new Set(lists.markup);

/** Tags and attributes that every page may have. */
export const isMarkup = (name: string): boolean => markup.has(name.toLowerCase());
