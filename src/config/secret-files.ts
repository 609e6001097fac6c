import type { Finding } from './finding.ts';
import { settingsByKey } from './schema.ts';
import { type ConfigFiles, reasonOf } from './secret-key.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Every secret may be given as a file, which neither a process list nor a container's description shows. */
export const secretFileKeys: ReadonlyMap<string, string> = new Map(
  [...settingsByKey.values()].filter(({ meta }) => meta.secret).map(({ key }) => [`${key}_FILE`, key]),
);

const hint = 'give the path of a file that this user may read and that holds the value';

const contentOf = (path: string, files: ConfigFiles): { text: string } | { problem: string } => {
  try {
    const content = files.read(path);
    if (content === null) return { problem: `${path} does not exist` };
    // One item per line serves as well as commas.
    const text = content.trim().replaceAll(/\s*\n\s*/g, ',');
    return text === '' ? { problem: `${path} is empty` } : { text };
  } catch (error) {
    return { problem: `${path} cannot be read (${reasonOf(error)})` };
  }
};

/** The environment with the content of every `*_FILE` in the place of its setting; `unread`: settings without it. */
export const withSecretFiles = (
  env: Environment,
  files: ConfigFiles,
): { readonly env: Environment; readonly unread: readonly string[]; readonly problems: readonly Finding[] } => {
  const read: Record<string, string | undefined> = { ...env };
  const unread: string[] = [];
  const problems: Finding[] = [];
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
