import { dirname, join } from 'node:path';
import { errorCodeOf } from '../lib/text.ts';
import { type ConfigFinding, finding } from './finding.ts';
import { readSecretKeys } from './kinds.ts';
import { type ReadSettings, settingsByKey } from './schema.ts';

/** The file access that the configuration needs, passed in so that loading stays a pure function. */
export interface ConfigFiles {
  read(path: string): string | null;
  exists(path: string): boolean;
  /** Creates the file for its owner alone (mode 0600) unless it exists; returns what it holds afterwards. */
  createOnce(path: string, text: string): string;
  freshKey(): string;
}

const fileFaultOf = (error: unknown): string => errorCodeOf(error) ?? 'unexpected error';

/** Reads the same files, and only pretends to create one. */
export const withoutCreating = (files: ConfigFiles): ConfigFiles => ({ ...files, createOnce: (_path, text) => text });

type SecretKeyResult = { keys: readonly Buffer[] } | { problem: ConfigFinding };

const secretKeyProblem = (problem: string, hint: string): SecretKeyResult => ({
  problem: { key: 'SECRET_KEY', problem, hint },
});

/** Reads the key beside the database, which the first start creates. A database in memory has a key in memory. */
const keysBeside = (databasePath: string, { given }: ReadSettings, files: ConfigFiles): SecretKeyResult => {
  const path = join(dirname(databasePath), 'secret.key');
  let text: string;
  try {
    text =
      databasePath === ':memory:' ? files.freshKey() : (files.read(path) ?? files.createOnce(path, files.freshKey()));
  } catch (error) {
    const reason = fileFaultOf(error);
    // The database lies in the same folder, and could not be opened there either.
    if (!files.exists(path)) {
      const found = `${given.has('DATABASE_URL') ? '' : 'not set, and '}${dirname(path)} cannot be written to (${reason})`;
      return {
        problem: finding('DATABASE_URL', found, 'make it writable for this user, or name a file elsewhere'),
      };
    }
    return secretKeyProblem(
      `not set, and ${path} cannot be read (${reason})`,
      'make it readable for this user, or set SECRET_KEY',
    );
  }
  const read = readSecretKeys(text.trim());
  if ('keys' in read) return read;
  return secretKeyProblem(
    `not set, and ${path} is unusable: ${read.problem}`,
    'restore that file from a backup; delete it only if the stored passwords may be lost',
  );
};

/** Takes the keys of `SECRET_KEY`, else those beside the database where that is allowed; none where a rule already failed. */
export const secretKeys = (read: ReadSettings, files: ConfigFiles): SecretKeyResult => {
  const { values, failed } = read;
  if (failed.has('SECRET_KEY') || failed.has('DATABASE_URL') || failed.has('NODE_ENV')) return { keys: [] };
  if (values.secretKeys !== null) return { keys: values.secretKeys };
  const { storage, environment } = values;
  return storage.kind === 'sqlite' && environment !== 'production'
    ? keysBeside(storage.path, read, files)
    : { keys: [] };
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every secret may be given as a file, which neither a process list nor a container's description shows. */
export const secretFileKeys: ReadonlyMap<string, string> = new Map(
  [...settingsByKey.values()].filter(({ meta }) => meta.secret).map(({ key }) => [`${key}_FILE`, key]),
);

const hint = 'give the path of a file that this user may read and that holds the value';

const contentOf = (path: string, files: ConfigFiles): { text: string } | { problem: string } => {
  try {
    const content = files.read(path);
    if (content === null) return { problem: `${path} does not exist` };
    // A list may have one item per line.
    const text = content.trim().replaceAll(/\s*\n\s*/g, ',');
    return text === '' ? { problem: `${path} is empty` } : { text };
  } catch (error) {
    return { problem: `${path} cannot be read (${fileFaultOf(error)})` };
  }
};

/** Puts the content of every `*_FILE` in the place of its setting; `unread` names those whose file could not be read. */
export const withSecretFiles = (
  env: Environment,
  files: ConfigFiles,
): { readonly env: Environment; readonly unread: readonly string[]; readonly problems: readonly ConfigFinding[] } => {
  const read: Record<string, string | undefined> = { ...env };
  const unread: string[] = [];
  const problems: ConfigFinding[] = [];
  for (const [fileKey, key] of secretFileKeys) {
    const path = env[fileKey]?.trim() ?? '';
    if (path === '') continue;
    if (env[key]?.trim()) {
      problems.push({ key: fileKey, problem: `set beside ${key}`, hint: 'give one of the two' });
      continue;
    }
    const content = contentOf(path, files);
    if ('text' in content) read[key] = content.text;
    else {
      unread.push(key);
      problems.push({ key: fileKey, problem: content.problem, hint });
    }
  }
  return { env: read, unread, problems };
};
