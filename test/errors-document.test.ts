import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureReasons } from '../src/surfaces/b/error-codes.ts';
import { codeRows, failureRows } from './support/failure-answers.ts';

const rows = readFileSync(join(import.meta.dirname, '../docs/use/errors.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'));

describe('docs/use/errors.md', () => {
  it('shows the answers of both surfaces to every kind of failure, as the code gives them', () => {
    const shown = rows.flatMap((row) => {
      const [, kind = '', meaning = '', bearer = '', v1 = ''] = row.split('|').map((cell) => cell.trim());
      if (!/^`[a-z-]+`$/.test(kind)) return [];
      expect(meaning.length).toBeGreaterThan(10);
      return [[kind.slice(1, -1), [bearer, v1]] as const];
    });
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(failureRows()));
    expect(shown.map(([kind]) => kind)).toEqual([...failureRows().keys()]);
  });

  it('shows every reason', () => {
    const reasons = rows.flatMap((row) => /^\| `([a-z]+_[a-z_]+)` \|/.exec(row)?.[1] ?? []);
    expect(reasons).toEqual(Object.keys(failureReasons));
  });

  it('shows every error code with its status, its message and what it asks of a client', () => {
    const shown = rows.filter((row) => /^\| `[A-Z_]+` \|/.test(row)).map((row) => row.split(' | '));
    expect(shown.map((cells) => `${cells.slice(0, 3).join(' | ')} |`)).toEqual(codeRows());
    expect(shown.filter(([, , , asked = '']) => asked.length < 20)).toEqual([]);
  });
});
