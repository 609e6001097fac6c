import { leavesOf } from '../../src/campus/recordings/cells.ts';
import { docOf } from '../../src/campus/recordings/doc.ts';
import type { Recorded } from '../../src/campus/recordings/recording.ts';
import { spelledBy, spellingOf } from './spelled-words.ts';

const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];

/** Of an id that a page generator puts together, of which a driver knows the end. */
const idParts = (value: string): readonly string[] => (/^\w+_\w+$/.test(value) ? value.split('_') : []);

/** Words of the pages of each product: names of whatever kind, words of texts, and sentences that its driver adds. */
export const wordsSeen = (all: ReadonlyArray<Pick<Recorded, 'exchanges' | 'readings'>>) => {
  const seen = new Map<string, Set<string>>();
  const see = (product: string, words: readonly string[]): void => {
    const own = seen.get(product) ?? new Set();
    seen.set(product, own);
    for (const word of words) own.add(word);
  };
  for (const { exchanges, readings } of all) {
    for (const { product, path, query, form, text, contentType } of exchanges) {
      const names = [path, ...[...query, ...form].map(([name]) => name)].flatMap((name) => name.split(/[/.-]/));
      const cells = contentType.startsWith('image/') ? [] : leavesOf(docOf(text, () => false));
      const said = cells.flatMap(({ kind, value }) =>
        kind === 'name'
          ? value.split(/\s+/)
          : [value.trim(), ...idParts(value), ...(value.match(/\p{Script=Han}+|[A-Z]{2,}/gu) ?? [])],
      );
      see(product, [...names, ...[...query, ...form].map(([, value]) => value), ...said]);
    }
    for (const { page, record } of readings)
      see(
        exchanges.find((exchange) => exchange.page === page)?.product ?? '',
        textsOf(record).flatMap((text) => (text.includes('，') ? text : (text.match(/\p{Script=Han}+/gu) ?? []))),
      );
  }
  return seen;
};

const isTelling = (word: string): boolean => /^[\p{L}_][\p{L}\p{N}_，-]+$/u.test(word);

/**
 * The list of a product: the words of its pages that its driver spells, and those of the list before that it spells as well
 * (a real campus has forms that no simulator shows), or that a template spells: a driver may put a word together.
 */
export const listOf = (
  product: string,
  before: readonly string[],
  seen: ReadonlySet<string>,
  shared: ReadonlySet<string>,
): readonly string[] => {
  const [isRead, isSpelled] = [spelledBy(product, 'driver'), spellingOf(product)];
  const kept = before.filter((word) => isRead(word) || (seen.has(word) && isSpelled(word)));
  const found = [...seen].filter((word) => isTelling(word) && !shared.has(word) && isRead(word));
  return [...new Set([...kept, ...found])].toSorted();
};
