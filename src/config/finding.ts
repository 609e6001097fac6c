/** `problem` describes the given value and never repeats a secret. */
export interface ConfigFinding {
  readonly key: string;
  readonly problem: string;
  readonly hint: string;
}

export const finding = (key: string, problem: string, hint: string): ConfigFinding => ({ key, problem, hint });

export const findingLine = ({ key, problem, hint }: ConfigFinding): string => `${key}: ${problem}; ${hint}`;

export class InvalidConfig extends Error {
  readonly problems: readonly ConfigFinding[];
  readonly warnings: readonly ConfigFinding[];

  constructor(problems: readonly ConfigFinding[], warnings: readonly ConfigFinding[]) {
    super(`the configuration has ${problems.length} problem(s): ${problems.map(({ key }) => key).join(', ')}`);
    this.name = 'InvalidConfig';
    this.problems = problems;
    this.warnings = warnings;
  }
}
