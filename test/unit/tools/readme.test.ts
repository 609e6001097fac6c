import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countCharacters, countWords, findReadmeProblems } from '../../../tools/readme.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

describe('the READMEs', () => {
  it('are short, and have the same headings and tables', () => {
    expect(findReadmeProblems(read('README.md'), read('docs/zh/README.md'))).toEqual([]);
  });

  it('call nothing proven', () => {
    expect(read('README.md')).not.toMatch(/\bproven\b/i);
    expect(read('docs/zh/README.md')).not.toContain('已验证');
  });
});

describe('counting', () => {
  it('counts what a reader sees, tables and code included', () => {
    const text =
      '# One\n\n| two | – |\n|---|---|\n| `three four` | [five](six/seven.md) |\n\n```sh\nnpm ci && eight\n```\n';
    expect(countWords(text)).toBe(9);
    expect(countCharacters('一二，[三](four.md) | 五 |\n|---|\n')).toBe(7);
  });

  it('names what is too long or differs', () => {
    const words = `${'word '.repeat(901)}\n`;
    expect(findReadmeProblems(words, '字'.repeat(1_601))).toEqual([
      'README.md has 901 words, at most 900',
      'docs/zh/README.md has 1601 characters, at most 1600',
    ]);
    expect(findReadmeProblems('# A\n\n## B\n', '# 甲\n')).toEqual([
      'README.md and docs/zh/README.md differ in heading or row 2',
    ]);
    expect(findReadmeProblems('| a | b |\n', '| 甲 |\n')).toHaveLength(1);
  });
});
