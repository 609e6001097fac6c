import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Why a skipped test could not run here; undefined where it is not about this machine. */
const lackOf = (test: TestCase): string | undefined => {
  const result = test.result();
  const said = (result.state === 'skipped' && result.note) || test.fullName;
  return /\bneeds [^:)]*/.exec(said)?.[0];
};

const tell = (title: string, rows: readonly string[]): void => {
  process.stdout.write(`\n${title}\n${rows.map((row) => `  ${row}\n`).join('')}`);
};

/**
 * The last words of a run: how many tests were skipped because this machine lacks a tool, and which tool; and the tests
 * that passed only at their second try.
 */
// biome-ignore lint/style/noDefaultExport: what vitest loads a reporter by
export default class ClosingReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
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
