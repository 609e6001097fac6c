import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from '../lib/text.ts';
import { type Config, loadConfig } from './config.ts';
import { type ConfigFinding, finding, InvalidConfig } from './finding.ts';
import type { ConfigFiles } from './secrets.ts';

const assignment = /^\s*(?:export\s+)?[\w.-]+\s*=/;

/** Finds lines that are neither blank, a comment nor `NAME=value`: Node skips them, and with them the settings they meant. */
export const envFileProblems = (text: string): ConfigFinding[] => {
  const problems: ConfigFinding[] = [];
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

/** Null: there is none in the working directory. @throws InvalidConfig when a line of it would be skipped */
const envFile = (): string | null => {
  const path = '.env';
  if (!existsSync(path)) return null;
  const problems = envFileProblems(readFileSync(path, 'utf8'));
  if (problems.length > 0) throw new InvalidConfig(problems, []);
  return path;
};

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const freshKey = (): string => randomBytes(32).toString('base64');

/** Writes the file as a whole or not at all. The first of two starting processes wins, because link() never replaces. */
const createOnce = (path: string, text: string): string => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
    try {
      linkSync(draft, path);
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
};

export const keyFiles: ConfigFiles = { read, exists: existsSync, createOnce, freshKey };

/**
 * The service and every command read it in the same way: with other settings a command would work on another database.
 * @throws InvalidConfig
 */
export const configOf = (
  host: Pick<NodeJS.Process, 'env' | 'loadEnvFile'>,
  files: ConfigFiles,
  faultsOf?: Parameters<typeof loadConfig>[2],
  ownLoginOf?: Parameters<typeof loadConfig>[3],
): Config => {
  const settings = envFile();
  if (settings !== null) host.loadEnvFile(settings);
  return loadConfig(host.env, files, faultsOf, ownLoginOf);
};
