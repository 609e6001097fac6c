import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { otherFunctions, readers } from '../../support/campus-readers.ts';
import { excessOf, growingLists, hostileTexts } from '../../support/hostile-texts.ts';

const folder = new URL('../../../src/campus/', import.meta.url);

/** Ways to search a text. */
const searches =
  /RegExp\(|\.(?:exec|test|match|matchAll|search|split|replace|replaceAll|indexOf|findIndex)\(|htmlTokens\(|JSON\.parse\(/;

/** Parsers and everything else that searches texts, and what reads pages in the session core. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
  if (!file.endsWith('.ts')) return false;
  // A recording is made by a command, for one person: what takes pages apart is measured.
  if (file.startsWith('recordings/')) return file === 'recordings/doc.ts';
  if (/(?:^|\/)(?:parse-[^/]+|judge)\.ts$|^parsing\/|all-pages\.ts$/.test(file)) return true;
  return !file.startsWith('session/') && searches.test(readFileSync(new URL(file, folder), 'utf8'));
});

describe.each(files)('%s', (file) => {
  const known = readers.filter((reader) => reader.file === file);

  it('has each of its functions measured here', async () => {
    const module: Record<string, unknown> = await import(new URL(file, folder).href);
    const functions = Object.keys(module).filter((name) => typeof module[name] === 'function');
    const named = [...known.flatMap(({ exports }) => exports), ...(otherFunctions[file] ?? [])];
    expect(
      [...new Set(named)].sort(),
      'npm run recordings finds a page, or name it in test/support/campus-readers.ts',
    ).toEqual(functions.sort());
  });

  it.each(known)(
    '$exports take eight times the time for eight times the length of any page',
    async ({ sample, read }) => {
      const slow: string[] = [];
      for (const shape of hostileTexts(sample)) {
        const excess = await excessOf(read, shape);
        if (excess !== null) slow.push(`${shape.name}: ${excess.toFixed(0)} times`);
      }
      expect(slow).toEqual([]);
    },
  );
});

describe('lists that are compared with what was read before', () => {
  // Comparing costs little beside reading, so only long lists show it.
  const lists = readers.filter(({ file }) => /parse-answers|parse-questionnaire/.test(file));

  it.each(lists)('$file takes eight times the time for eight times the entries', async ({ sample, read }) => {
    for (const shape of growingLists(sample)) expect(await excessOf(read, shape, 64 * 1024), shape.name).toBeNull();
  });

  const times = (size: number, piece: (i: number) => string): string => {
    const count = Math.ceil(size / piece(0).length);
    return Array.from({ length: count }, (_, i) => piece(i)).join('');
  };
  /** A few hundred questions are the most that a page may have, so that their labels are looked for at all. */
  const questions = (size: number): string => {
    const count = Math.ceil(size / 280);
    return Array.from({ length: count }, (_, i) => `<textarea name=${i}></textarea>`).join('');
  };
  const page = (content: string): string => `<input name="tokenValue" value="a"><table>${content}</table>`;
  const categoryRow = (id: number): string => `{"ID":"1","TypeName":"","children":[{"ID":"${id}"}]}`;

  it.each([
    [
      'items of one category',
      'products/aac/index.ts',
      16,
      (size: number) => `{"code":0,"data":[${times(size, (i) => `${categoryRow(i)},`)}${categoryRow(0)}]}`,
    ],
    [
      'categories',
      'products/aac/index.ts',
      6,
      (size: number) => `{"code":0,"data":[${times(size, (i) => `{"ID":"${i}"},`)}{"ID":"x"}]}`,
    ],
    [
      'text areas',
      'products/urp/parse-questionnaire.ts',
      16,
      (size: number) => page(times(size, (i) => `<textarea name=${i}></textarea>`)),
    ],
    [
      'empty cells before many questions',
      'products/urp/parse-questionnaire.ts',
      8,
      (size: number) => page(`<tr>${times(size, () => '<td>')}<tr>${questions(size)}`),
    ],
  ])('%s in %s', async (name, file, kilobytes, of) => {
    const reading = readers.filter((reader) => reader.file === file);
    expect(reading).not.toEqual([]);
    for (const { read } of reading) expect(await excessOf(read, { name, of }, kilobytes * 1024)).toBeNull();
  });
});
