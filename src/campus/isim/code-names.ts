import type { CodeName } from '../../domain/electricity/types.ts';
import { collapse } from '../parsing/text.ts';
import type { Literal } from './script-literal.ts';

/** What the pickers show before anything is chosen. */
const placeholder = '请选择';

/** Codes travel in paths: nothing that could lead elsewhere. Twenty characters is what a binding can hold. */
const isCode = (code: string): boolean => /^[^\s/\\?#%]{1,20}$/.test(code) && !/^\.+$/.test(code);
const longestName = 200;

const textOf = (value: Literal | undefined): string => (typeof value === 'string' ? collapse(value) : '');

/**
 * Pairs codes with names by position, up to the end of the shorter list, and only then drops what is no entry:
 * dropping first would shift the names. A repeated code keeps its first place.
 */
export const codeNames = (codes: readonly Literal[], names: readonly Literal[]): CodeName[] => {
  const pairs = new Map<string, string>();
  for (let at = 0; at < Math.min(codes.length, names.length); at += 1) {
    const code = textOf(codes[at]);
    const name = textOf(names[at]);
    if (!isCode(code) || name === '' || name === placeholder || name.length > longestName || pairs.has(code)) continue;
    pairs.set(code, name);
  }
  return [...pairs].map(([code, name]) => ({ code, name }));
};
