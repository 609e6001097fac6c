import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

const source = new URL('../../src/', import.meta.url);

interface Spelled {
  /** Of members. */
  readonly names: Set<string>;
  readonly texts: string[];
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const collect = (node: Node, { names, texts }: Spelled): void => {
  const { type, value, regex, computed, key, property } = node;
  if (type === 'ImportDeclaration') return;
  if (type === 'Literal' && typeof value === 'string') texts.push(value);
  if (isNode(regex)) texts.push(String(regex.pattern));
  if (type === 'TemplateElement' && isNode(value)) texts.push(String(value.cooked));
  const name = type === 'Property' ? key : type === 'MemberExpression' ? property : null;
  if (isNode(name) && computed !== true) names.add(String(name.name ?? name.value));
  for (const each of Object.values(node)) if (isNode(each)) collect(each, { names, texts });
};

/** What simulators know of persons, clubs and courses, as against the templates that show it. */
const holdsRecords = (file: string): boolean => /^(?:records|clubs|rows|world)\.ts$/.test(file);

const spelledIn = (places: readonly string[]): Spelled => {
  const spelled = { names: new Set<string>(), texts: [] };
  const files = places.flatMap((place) => {
    if (place.endsWith('.ts')) return [place];
    const found = existsSync(new URL(place, source)) ? readdirSync(new URL(place, source)) : [];
    return found.filter((file) => file.endsWith('.ts') && !holdsRecords(file)).map((file) => `${place}${file}`);
  });
  for (const file of files) {
    const tree: unknown = parseAst(readFileSync(new URL(file, source), 'utf8'), { lang: 'ts' });
    if (isNode(tree)) collect(tree, spelled);
  }
  return spelled;
};

const shared = ['campus/contract/', 'campus/parsing/', 'demo/exchange.ts', 'demo/requests.ts'];
const folders: Readonly<Record<string, string>> = { jwc: 'urp' };

/** Products whose answers are handed on as they are: the members of these records are those of the campus. */
const handedOn: Readonly<Record<string, string>> = {
  aac: 'domain/activity-score/records.ts',
  ldjlb: 'domain/labor-club/records.ts',
};

/** Tells whether the driver of a product, or a template of its simulator, spells a word; of a shared list any of them. */
export const spellingOf = (list: string): ((word: string) => boolean) => spelledBy(list, 'any');

export const spelledBy = (list: string, who: 'driver' | 'any'): ((word: string) => boolean) => {
  const products = readdirSync(new URL('campus/products/', source));
  const own = products.includes(folders[list] ?? list) ? [folders[list] ?? list] : products;
  const { names, texts } = spelledIn([
    ...(who === 'any' ? shared : shared.filter((place) => place.startsWith('campus/'))),
    ...own.flatMap((product) => [`campus/products/${product}/`, ...(who === 'any' ? [`demo/${product}/`] : [])]),
  ]);
  const given = handedOn[list];
  for (const name of given === undefined ? [] : spelledIn([given]).names) names.add(name);
  const text = texts.join('\n');
  return (word) => {
    if (names.has(word)) return true;
    const isSign = (sign: string | undefined): boolean => sign !== undefined && /[A-Za-z\d]/.test(sign);
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (!isSign(text[at - 1]) && !isSign(text[at + word.length])) return true;
    return false;
  };
};
