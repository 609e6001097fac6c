/** `problem` describes the given value and never repeats a secret. */
export interface Finding {
  readonly key: string;
  readonly problem: string;
  readonly hint: string;
}

export const finding = (key: string, problem: string, hint: string): Finding => ({ key, problem, hint });

export const findingLine = ({ key, problem, hint }: Finding): string => `${key}: ${problem}; ${hint}`;

export class InvalidConfig extends Error {
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];

  constructor(problems: readonly Finding[], warnings: readonly Finding[]) {
    super(`the configuration has ${problems.length} problem(s): ${problems.map(({ key }) => key).join(', ')}`);
    this.name = 'InvalidConfig';
    this.problems = problems;
    this.warnings = warnings;
  }
}
