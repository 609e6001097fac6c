import type { CodeName } from '../../domain/electricity/types.ts';
import { htmlTokens } from '../parsing/html-tokens.ts';
import { withoutComments } from '../parsing/script-values.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { codeNames } from './code-names.ts';
import { isList, type Literal, LiteralError, readLiteralAt } from './script-literal.ts';

const mark = 'pickerBuilding';

function* pickerScripts(page: string): Generator<string> {
  for (const token of htmlTokens(page)) {
    if (token.kind === 'raw' && token.name === 'script' && token.text.includes(mark)) yield token.text;
  }
}

/** The page of a live session carries the picker. */
export const buildingsPageAlive = (page: string): boolean => page.includes(mark) && !pickerScripts(page).next().done;

/** The first list of that name in a script; null when there is none. `values` is not found inside `displayValues`. */
const listOf = (script: string, name: string): readonly Literal[] | null => {
  const found = new RegExp(`(?<![\\w$])${name}["']?\\s{0,20}:\\s{0,20}(?=\\[)`).exec(script);
  if (found === null) return null;
  try {
    const list = readLiteralAt(script, found.index + found[0].length);
    return isList(list) ? list : null;
  } catch (error) {
    if (error instanceof LiteralError) return null;
    throw error;
  }
};

/**
 * The buildings of the picker, in page order. Empty when the picker offers none.
 * @throws Failure `upstream-unreadable` when no script has both lists
 */
export const parseBuildings = (page: string): CodeName[] => {
  for (const script of pickerScripts(page)) {
    const code = withoutComments(script);
    const codes = listOf(code, 'values');
    const names = listOf(code, 'displayValues');
    if (codes !== null && names !== null) return codeNames(codes, names);
  }
  throw unreadable('electricity', 'building picker missing');
};
