import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node';
import type { FileResult, RunResult } from '../../tools/test-verdict.ts';

/** Why a skipped test could not run here; undefined where it is not about this machine. */
const lackOf = (test: TestCase): string | undefined => {
  const result = test.result();
  const said = (result.state === 'skipped' && result.note) || test.fullName;
  return /\bneeds [^:)]*/.exec(said)?.[0];
};

const tell = (title: string, rows: readonly string[]): void => {
  process.stdout.write(`\n${title}\n${rows.map((row) => `  ${row}\n`).join('')}`);
};

const resultOf = (module: TestModule): FileResult => {
  const count = (state: 'passed' | 'failed' | 'pending') => [...module.children.allTests(state)].length;
  const isOver = module.state() === 'passed' || module.state() === 'skipped';
  return {
    file: module.relativeModuleId,
    passed: count('passed'),
    failed: count('failed') + count('pending'),
    isGood: isOver && module.ok() && module.errors().length === 0,
  };
};

/**
 * The last words of a run: how many tests were skipped because this machine lacks a tool, and which tool; and the tests
 * that passed only at their second try. Where `TEST_RESULTS` names a file, what became of each test file stands there.
 */
// biome-ignore lint/style/noDefaultExport: what vitest loads a reporter by
export default class ClosingReport implements Reporter {
  #wanted: readonly string[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#wanted = specifications.map(({ moduleId, project }) => relative(project.config.root, moduleId));
  }

  #write(path: string, modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const files = modules.map(resultOf);
    const seen = new Set(files.map(({ file }) => file));
    // Files of a process that died have no module.
    const lost = this.#wanted.filter((file) => !seen.has(file));
    const result: RunResult = {
      files: [...files, ...lost.map((file) => ({ file, passed: 0, failed: 0, isGood: false }))],
      strayErrors: errors.length,
    };
    writeFileSync(path, JSON.stringify(result));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const path = process.env.TEST_RESULTS;
    if (path !== undefined) this.#write(path, modules, errors);
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const lacks = tests.filter((test) => test.result().state === 'skipped').map(lackOf);
    const counted = Map.groupBy(
      lacks.filter((lack) => lack !== undefined),
      (lack) => lack,
    );
    const unchecked = [...counted.values()].reduce((sum, { length }) => sum + length, 0);
    if (unchecked > 0) {
      tell(
        `${unchecked} promises not checked on this machine`,
        [...counted].map(([lack, { length }]) => `${lack}: ${length}`),
      );
    }
    const flaky = tests.filter((test) => test.diagnostic()?.flaky);
    if (flaky.length > 0) {
      tell(
        `${flaky.length} tests passed only at their second try`,
        flaky.map(({ module, fullName }) => `${module.relativeModuleId}: ${fullName}`),
      );
    }
  }
}
