import type { Finding } from './config.ts';
import { settings } from './schema.ts';
import { type ConfigFiles, reasonOf } from './secret-key.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Every secret may be given as a file, which neither a process list nor a container's description shows. */
export const secretFileKeys: ReadonlyMap<string, string> = new Map(
  Object.entries(settings.properties)
    .filter(([, { secret }]) => secret === true)
    .map(([key]) => [`${key}_FILE`, key]),
);

const mend = 'give the path of a file that this user may read and that holds the value';

const contentOf = (path: string, files: ConfigFiles): { text: string } | { shape: string } => {
  try {
    const content = files.read(path);
    if (content === null) return { shape: `${path} does not exist` };
    // One item per line serves as well as commas.
    const text = content.trim().replaceAll(/\s*\n\s*/g, ',');
    return text === '' ? { shape: `${path} is empty` } : { text };
  } catch (error) {
    return { shape: `${path} cannot be read (${reasonOf(error)})` };
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
      problems.push({ key: fileKey, shape: `set beside ${key}`, mend: 'give one of the two' });
      continue;
    }
    const content = contentOf(path, files);
    if ('text' in content) read[key] = content.text;
    else {
      unread.push(key);
      problems.push({ key: fileKey, shape: content.shape, mend });
    }
  }
  return { env: read, unread, problems };
};
