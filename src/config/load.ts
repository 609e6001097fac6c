import { Value } from '@sinclair/typebox/value';
import { readAdjustmentsFile } from './adjustments-file.ts';
import { readAnswersFile } from './answers-file.ts';
import { assemble } from './assemble.ts';
import { movedDemoFile } from './campus-identity.ts';
import type { Config, Finding } from './config.ts';
import { expectation, readSetting } from './read.ts';
import { crossProblems, crossWarnings, type ReadSettings } from './rules.ts';
import { settings } from './schema.ts';
import { secretFileKeys, withSecretFiles } from './secret-files.ts';
import { type ConfigFiles, secretKeys, withoutCreating } from './secret-key.ts';
import { unknownKeys } from './unknown-keys.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Every problem of a configuration at once. */
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

/** One line for people. */
export const findingLine = ({ key, problem, hint }: Finding): string => `${key}: ${problem}; ${hint}`;

const readAll = (from: Environment, files: ConfigFiles): { read: ReadSettings; problems: Finding[] } => {
  const { env, unread, problems: unreadable } = withSecretFiles(from, files);
  const values: Record<string, unknown> = {};
  const given = new Set<string>(unread);
  const failed = new Set<string>(unread);
  const problems: Finding[] = [...unreadable];
  for (const [key, setting] of Object.entries(settings.properties)) {
    if (setting.default !== undefined) values[key] = setting.default;
    const text = env[key]?.trim() ?? '';
    if (text === '') continue;
    given.add(key);
    const reading = readSetting(text, setting);
    if ('value' in reading) {
      values[key] = reading.value;
    } else {
      failed.add(key);
      problems.push({ key, problem: reading.problem, hint: `give ${expectation(setting)}` });
    }
  }
  if (!Value.Check(settings, values)) throw new Error('a default of the configuration schema breaks its own bounds');
  return { read: { values, given, failed }, problems };
};

const frozen = <T>(value: T): T => {
  // Bytes cannot be frozen, and nobody has a reason to write to a key.
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
};

/**
 * Reads and checks the whole configuration. Depends on nothing but its arguments; an empty value counts as not set.
 * A key file is created (through `files`) only when everything else is right.
 * @throws InvalidConfig with every problem at once
 */
export const loadConfig = (env: Environment, files: ConfigFiles): Config => {
  const { read, problems } = readAll(env, files);
  problems.push(...crossProblems(read));
  const set = Object.keys(env).filter((key) => env[key]?.trim());
  const warnings = [
    ...crossWarnings(read),
    ...movedDemoFile(read, files),
    ...unknownKeys(set, [...Object.keys(settings.properties), ...secretFileKeys.keys()]),
  ];

  const answersPath = read.values.EVALUATION_ANSWERS;
  const answers = answersPath === undefined ? { answers: null } : readAnswersFile(answersPath, files);
  if ('problems' in answers) problems.push(...answers.problems);

  const adjustmentsPath = read.values.CALENDAR_ADJUSTMENTS;
  const found = adjustmentsPath === undefined ? null : readAdjustmentsFile(adjustmentsPath, files);
  if (found && 'problems' in found) problems.push(...found.problems);
  const adjustments = found && 'adjustments' in found ? found.adjustments : { daysOff: [], moved: [] };

  // Other problems first: nothing is created for a start that will not happen.
  const secrets = secretKeys(read, problems.length === 0 ? files : withoutCreating(files));
  if ('problem' in secrets) problems.push(secrets.problem);
  if (problems.length > 0 || 'problem' in secrets || 'problems' in answers) throw new InvalidConfig(problems, warnings);
  return frozen(assemble(read, secrets.keys, { answers: answers.answers, adjustments }, warnings));
};
