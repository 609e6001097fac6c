import { describe, expect, it } from 'vitest';
import { type FileResult, type Run, toRunAlone, verdictOf } from '../../../tools/test-verdict.ts';

const good = (file: string, passed = 2): FileResult => ({ file, passed, failed: 0, isGood: true });
const bad = (file: string, failed = 1, passed = 1): FileResult => ({ file, passed, failed, isGood: false });
const run = (exitCode: number | null, files: readonly FileResult[] | null, strayErrors = 0): Run => ({
  exitCode,
  result: files && { files, strayErrors },
});
const last = (all: Run, alone: Run | null = null) => {
  const { lines, isGood } = verdictOf(all, alone);
  return [isGood, lines.at(-1)];
};

describe('the verdict of a test run', () => {
  it('counts the tests of all files', () => {
    expect(verdictOf(run(0, [good('a'), good('b', 3)]), null)).toEqual({
      isGood: true,
      lines: ['tests: 5 passed, 0 failed'],
    });
  });

  it('of a file that failed beside others and passed alone is the second, and names it', () => {
    const all = run(1, [good('a'), bad('b')]);
    expect(toRunAlone(all)).toEqual(['b']);
    expect(verdictOf(all, run(0, [good('b')]))).toEqual({
      isGood: true,
      lines: ['failed beside others and passed alone:', '  b', 'tests: 4 passed, 0 failed'],
    });
  });

  it('of a file that fails alone as well is a failure', () => {
    expect(verdictOf(run(1, [good('a'), bad('b'), bad('c')]), run(1, [bad('b', 1, 1), good('c')]))).toEqual({
      isGood: false,
      lines: [
        'failed beside others and passed alone:',
        '  c',
        'failed again alone:',
        '  b',
        'tests: 5 passed, 1 failed',
      ],
    });
  });

  it('of a file that does not load is a failure, though no test of it failed', () => {
    const unloaded = bad('b', 0, 0);
    expect(last(run(1, [good('a'), unloaded]), run(1, [unloaded]))).toEqual([false, 'tests: 2 passed, 1 failed']);
  });

  it.each<[string, Run]>([
    ['says nothing', run(null, null)],
    ['says nothing and exits well', run(0, null)],
    ['ran no file', run(0, [])],
    ['exits badly though all passed', run(1, [good('a')])],
    ['met an error outside of tests', run(1, [good('a'), bad('b')], 1)],
    ['was killed', run(137, [good('a'), bad('b')])],
    [
      'failed in too many files for timing',
      run(
        1,
        Array.from({ length: 13 }, (_, at) => bad(`${at}`)),
      ),
    ],
  ])('of a run that %s is a failure without a second run', (_, all) => {
    expect(toRunAlone(all)).toEqual([]);
    const { lines, isGood } = verdictOf(all, null);
    expect(isGood).toBe(false);
    expect(lines.at(-1)).not.toMatch(/ 0 failed$/);
  });

  it.each<[string, Run]>([
    ['broke off', run(null, null)],
    ['left the file out', run(0, [good('other')])],
    ['met an error outside of tests', run(1, [good('b')], 1)],
    ['exits badly', run(1, [good('b')])],
  ])('of a second run that %s is a failure', (_, alone) => {
    expect(last(run(1, [good('a'), bad('b')]), alone)).toEqual([false, expect.stringMatching(/ 1 failed$/)]);
  });
});
