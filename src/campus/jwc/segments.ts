import { decodeEntities } from '../parsing/text.ts';

/**
 * The first segment that `path` captures. The address stands in a script, but may also be written in an attribute
 * (with entities) or in a script text with escaped slashes.
 */
export const findSegment = (page: string, path: RegExp): string | null => {
  const search = (text: string): string | null => {
    for (const match of text.matchAll(path)) if (match[1] !== undefined) return match[1];
    return null;
  };
  return search(page) ?? search(decodeEntities(page).replaceAll('\\/', '/'));
};
