import { existsSync, readFileSync } from 'node:fs';
import { type Finding, finding, InvalidConfig } from './finding.ts';

const assignment = /^\s*(?:export\s+)?[\w.-]+\s*=/;

/** What is neither blank, a comment nor `NAME=value`. Node skips such a line silently, and with it the setting it meant. */
export const envFileProblems = (text: string): Finding[] => {
  const problems: Finding[] = [];
  let quote: string | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (quote !== null) {
      if (line.includes(quote)) quote = null;
      continue;
    }
    if (/^\s*(#|$)/.test(line)) continue;
    if (!assignment.test(line)) {
      problems.push(finding('.env', `line ${index + 1} is no assignment`, 'write NAME=value, or # before a comment'));
      continue;
    }
    // A value in quotes may go on over several lines.
    const value = line.slice(line.indexOf('=') + 1).trimStart();
    const opened = /^["'`]/.exec(value)?.[0];
    if (opened !== undefined && !value.slice(1).includes(opened)) quote = opened;
  }
  return problems;
};

/**
 * The file of settings in the working directory, or null when there is none.
 * @throws InvalidConfig when a line of it would be skipped
 */
export const envFile = (): string | null => {
  const path = '.env';
  if (!existsSync(path)) return null;
  const problems = envFileProblems(readFileSync(path, 'utf8'));
  if (problems.length > 0) throw new InvalidConfig(problems, []);
  return path;
};
