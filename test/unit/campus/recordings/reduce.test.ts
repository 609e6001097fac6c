import { describe, expect, it } from 'vitest';
import { atomsOf } from '../../../../src/campus/recordings/atoms.ts';
import type { Doc, DocCell } from '../../../../src/campus/recordings/cells.ts';
import { docOf } from '../../../../src/campus/recordings/doc.ts';
import { reduceText } from '../../../../src/campus/recordings/reduce.ts';

const isKept = (): boolean => false;

/** A page whose cells count how often they are looked at. */
const counting = (text: string) => {
  const count = { steps: 0 };
  const looked = (cell: DocCell): DocCell =>
    new Proxy(cell, {
      get(target, name) {
        count.steps += 1;
        return Reflect.get(target, name);
      },
    });
  const { cells, ...doc } = docOf(text, isKept);
  return { count, doc: { ...doc, cells: cells.map(looked) } satisfies Doc };
};

const reduced = (doc: Doc) =>
  reduceText(
    { doc, place: 'a GET /' },
    { atoms: atomsOf([]), learned: () => new Set(), isKept, leftOut: new Set(), shapes: new Set() },
  );

const stepsOf = (text: string): number => {
  const { count, doc } = counting(text);
  reduced(doc);
  return count.steps;
};

const hostile: Readonly<Record<string, (size: number) => string>> = {
  'rows of one shape': (size) => `<table>${'<tr><td>甲</td><td>1</td></tr>'.repeat(size)}</table>`,
  'rows that are all different': (size) =>
    `<table>${Array.from({ length: size }, (_, at) => `<tr>${'<td>甲</td>'.repeat(at % 7)}</tr>`).join('')}</table>`,
  'lists in rows': (size) => `<table>${`<tr><td>${'<li>1</li>'.repeat(5)}</td></tr>`.repeat(size)}</table>`,
  'rows in rows': (size) => `${'<div><div>甲</div>'.repeat(size)}${'</div>'.repeat(size)}`,
  'a row of many texts': (size) =>
    `<table>${`<tr>${Array.from({ length: size }, (_, at) => `<td>甲${at}</td>`).join('')}</tr>`.repeat(2)}</table>`,
  'members of JSON': (size) =>
    JSON.stringify({ rows: Array.from({ length: size }, (_, at) => ({ a: at, b: [1, 2, 3, 4, 5] })) }),
  'lists of lists': (size) => `${'[[1],'.repeat(size)}1${']'.repeat(size)}`,
};

describe('leaving out rows', () => {
  it.each(Object.entries(hostile))('looks at each cell a few times at most, however large the page: %s', (_, page) => {
    const [small, large] = [stepsOf(page(100)), stepsOf(page(800))];
    // Eight times as many cells, and a place is looked for by halves.
    expect(large / small).toBeLessThan(8 * 2);
  });

  it('keeps three rows of a shape, in lists inside lists as well', () => {
    const row = '<tr><td>甲</td><td><ul><li>1</li><li>1</li><li>1</li><li>1</li></ul></td></tr>';
    const text = reduced(docOf(`<table>${row.repeat(5)}</table>`, isKept))?.text ?? '';
    expect([text.match(/<tr>/g)?.length, text.match(/<li>/g)?.length]).toEqual([3, 9]);
  });

  it.each([
    ['[1,[2],[2],[2],[2]]', '[1,[2],[2],[2]]'],
    ['[[2],[2],[2],[2],1]', '[[2],[2],[2],1]'],
    ['{"a":[2],"b":[2]}', '{"a":[2],"b":[2]}'],
  ])('takes a comma with each of a script: %s', (text, next) => {
    expect(reduced(docOf(text, isKept))?.text).toBe(next);
  });
});
