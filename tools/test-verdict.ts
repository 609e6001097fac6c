export interface FileResult {
  /** Below the project's folder. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  /** It was loaded, ran to its end, and nothing in it failed. */
  readonly isGood: boolean;
}

export interface RunResult {
  readonly files: readonly FileResult[];
  /** Errors that belong to no test. */
  readonly strayErrors: number;
}

/** A run as it ended; `result` is null where it broke off before it could say anything. */
export interface Run {
  readonly exitCode: number | null;
  readonly result: RunResult | null;
}

/** More failures than this are no matter of timing, and would take too long to repeat. */
const MOST_AGAIN = 12;

/** The exit code of vitest when tests failed; any other one is a run that broke off. */
const TESTS_FAILED = 1;

/**
 * The files that are to be run once more, alone: those that failed beside others. None where the run broke off, or where
 * an error belongs to no test, which no second run can take back.
 */
export const toRunAlone = ({ exitCode, result }: Run): readonly string[] => {
  if (exitCode !== TESTS_FAILED || result === null || result.strayErrors > 0) return [];
  const failed = result.files.filter(({ isGood }) => !isGood).map(({ file }) => file);
  return failed.length <= MOST_AGAIN ? failed : [];
};

export interface Verdict {
  /** The counts come last. */
  readonly lines: readonly string[];
  readonly isGood: boolean;
}

const listed = (title: string, files: readonly string[]): string[] =>
  files.length === 0 ? [] : [title, ...files.map((file) => `  ${file}`)];

const sum = (files: readonly FileResult[], member: 'passed' | 'failed'): number =>
  files.reduce((total, file) => total + file[member], 0);

/** @param alone the second run, of `toRunAlone(all)`; null where there was none */
export const verdictOf = (all: Run, alone: Run | null): Verdict => {
  const again = new Set(alone === null ? [] : toRunAlone(all));
  const second = alone?.result?.files.filter(({ file }) => again.has(file)) ?? [];
  const first = all.result?.files ?? [];
  const files = [...first.filter(({ file }) => !again.has(file)), ...second];
  const isWhole = alone === null ? all.exitCode === 0 : alone.exitCode === 0 && alone.result?.strayErrors === 0;
  const isComplete = files.length > 0 && files.length === first.length && files.every(({ isGood }) => isGood);
  const isGood = isWhole && isComplete && all.result?.strayErrors === 0;
  const passedAlone = second.filter((file) => file.isGood).map(({ file }) => file);
  const failedAgain = [...again].filter((file) => !passedAlone.includes(file));
  const failed = sum(files, 'failed');
  return {
    isGood,
    lines: [
      ...listed('failed beside others and passed alone:', passedAlone),
      ...listed('failed again alone:', failedAgain),
      `tests: ${sum(files, 'passed')} passed, ${isGood ? failed : Math.max(1, failed)} failed`,
    ],
  };
};
