import { readFileSync } from 'node:fs';

/**
 * The words that may stay in a recording, by product: at most 300 each, all of them literals of its driver or of the
 * templates of its simulator, never of records. Written by `npm run golden`'s neighbour for words, and reviewed.
 */
const lists: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('words.json', import.meta.url), 'utf8'),
);

const sets = new Map(Object.entries(lists).map(([product, words]) => [product, new Set(words)]));

/** A single character is never kept by itself. */
export const keptIn =
  (products: readonly string[]) =>
  (word: string): boolean =>
    word.length > 1 && ['everywhere', ...products].some((product) => sets.get(product)?.has(word));

/** Tags and attributes that every page may have. */
export const isMarkup = (name: string): boolean => sets.get('markup')?.has(name.toLowerCase()) ?? false;
