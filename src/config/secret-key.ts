import { dirname, join } from 'node:path';
import type { Finding } from './config.ts';
import type { ReadSettings } from './rules.ts';
import { parseDatabaseUrl, readSecretKeys } from './structured.ts';

/** The little of a file system that the configuration needs; passed in so that loading stays a pure function. */
export interface ConfigFiles {
  /** Text of the file, or null when it does not exist. */
  read(path: string): string | null;
  exists(path: string): boolean;
  /** Creates the file for its owner alone (mode 0600) unless it exists; returns what it holds afterwards. */
  createOnce(path: string, text: string): string;
  /** 32 random bytes as base64. */
  freshKey(): string;
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected error';

/** The same files, with what would be created made up and forgotten. */
export const withoutCreating = (files: ConfigFiles): ConfigFiles => ({ ...files, createOnce: (_path, text) => text });

type Found = { keys: Buffer[] } | { problem: Finding };

const fail = (problem: string, hint: string): Found => ({ problem: { key: 'SECRET_KEY', problem, hint } });

/**
 * The keys kept beside the database, created on the first start. A database without a file has nothing to keep, so
 * its key is not kept either.
 */
const keysBeside = (databasePath: string, files: ConfigFiles): Found => {
  const path = join(dirname(databasePath), 'secret.key');
  let text: string;
  try {
    text =
      databasePath === ':memory:' ? files.freshKey() : (files.read(path) ?? files.createOnce(path, files.freshKey()));
  } catch (error) {
    const problem = `not set, and ${path} cannot be read or created (${reasonOf(error)})`;
    return fail(problem, 'make the directory writable for this user, or set SECRET_KEY');
  }
  const read = readSecretKeys(text.trim());
  if ('keys' in read) return read;
  return fail(
    `not set, and ${path} is unusable: ${read.problem}`,
    'restore that file from a backup; delete it only if the stored passwords may be lost',
  );
};

/** The keys of `SECRET_KEY`, else those beside the database where that is allowed; no keys where a rule already failed. */
export const secretKeys = ({ values, failed }: ReadSettings, files: ConfigFiles): Found => {
  if (failed.has('SECRET_KEY') || failed.has('DATABASE_URL') || failed.has('NODE_ENV')) return { keys: [] };
  if (values.SECRET_KEY !== undefined) {
    const read = readSecretKeys(values.SECRET_KEY);
    return 'keys' in read ? read : fail(read.problem, 'give 32 random bytes as base64');
  }
  const storage = parseDatabaseUrl(values.DATABASE_URL);
  return storage?.kind === 'sqlite' && values.NODE_ENV !== 'production'
    ? keysBeside(storage.path, files)
    : { keys: [] };
};
