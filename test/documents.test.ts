import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const documents = globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md'], { cwd: root }).toSorted();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const layers = globSync('src/*/', { cwd: root }).map((path) => basename(path));
const sources = ['src/**/*', 'test/**/*', 'tools/*', 'tools/*/*.ts', 'docs/**/*', '*'];
const fileNames = new Set(globSync(sources, { cwd: root }).map((path) => basename(path)));

/** Every mention of a file or folder: whole paths, paths below `src/`, and names of sources alone. */
const mentionsIn = (text: string): string[] => {
  const path = new RegExp(`(?<![\\w./:-])(?:src|test|tools|docs|${layers.join('|')})/[\\w./*{},<>-]*[\\w/*>]`, 'g');
  const name = /(?<![\w./*>-])[\w-]+\.ts\b/g;
  const words = text.replaceAll('<br>', ' ');
  return [...(words.match(path) ?? []), ...(words.match(name) ?? [])];
};

const exists = (mention: string): boolean => {
  // `<page>` stands for any name.
  const pattern = mention.replace(/<\w+>/g, '*');
  if (!pattern.includes('/')) return fileNames.has(pattern);
  return globSync([pattern, `src/${pattern}`], { cwd: root }).length > 0;
};

const diagramsIn = (text: string): string[] =>
  [...text.matchAll(/```mermaid\n(.*?)```/gs)].map(([, code = '']) => code);

describe('the documents', () => {
  it('are found', () => {
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'docs/build/architecture.md', 'docs/CONTRIBUTING.md']),
    );
    expect(mentionsIn(read('docs/build/architecture.md')).length).toBeGreaterThan(50);
  });

  it.each(documents)('name only files and folders that exist: %s', (path) => {
    expect(mentionsIn(read(path)).filter((mention) => !exists(mention))).toEqual([]);
  });

  it.each(documents)('link only to what exists: %s', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });

  // The diagram library itself would bring 170 packages.
  it.each(documents)('show no diagram that a word of the diagram language breaks: %s', (path) => {
    const keyword =
      /^ *(?:call|click|end|style|class|default|graph)(?:[[({]| *-[-.])|[->] *(?:call|click|end|style|class)\s*$/m;
    expect(diagramsIn(read(path)).filter((code) => code.startsWith('flowchart') && keyword.test(code))).toEqual([]);
  });
});
