import { isRecord } from '../lib/records.ts';
import type { ConfigFiles } from './secret-key.ts';

const LONGEST_FILE = 1_000_000;

/** The text of the file, or what keeps it from being one. */
const contentOf = (path: string, files: ConfigFiles): { text: string } | { fault: string } => {
  try {
    const text = files.read(path);
    if (text === null) return { fault: 'does not exist' };
    return text.length > LONGEST_FILE ? { fault: `has more than ${LONGEST_FILE} characters` } : { text };
  } catch {
    return { fault: 'cannot be read' };
  }
};

const membersOf = (text: string): ReadonlyMap<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? new Map<string, unknown>(Object.entries(value)) : null;
  } catch {
    return null;
  }
};

/** The members of the object in a JSON file that the operator wrote, or what is wrong with it and what to do. */
export const readJsonFile = (
  path: string,
  files: ConfigFiles,
  expected: string,
): { members: ReadonlyMap<string, unknown> } | { fault: string; hint: string } => {
  const content = contentOf(path, files);
  if ('fault' in content) return { ...content, hint: 'give the path of a readable JSON file, or remove the key' };
  const members = membersOf(content.text);
  return members === null ? { fault: 'is no JSON object', hint: `write an object with ${expected}` } : { members };
};
