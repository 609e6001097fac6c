import type { CodeName } from '../../../domain/electricity/reads.ts';
import { scriptsIn } from '../../parsing/elements.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import {
  isList,
  isMembers,
  type Literal,
  readLiteral,
  readLiteralAt,
  withoutComments,
} from '../../parsing/script-values.ts';
import { collapse } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

/** The pickers show this before anything is chosen. */
const placeholder = '请选择';

/** Codes go into paths: nothing that could lead elsewhere. A binding holds twenty characters. */
const isCode = (code: string): boolean => /^[^\s/\\?#%]{1,20}$/.test(code) && !/^\.+$/.test(code);
const longestName = 200;

const textOf = (value: Literal | undefined): string => (typeof value === 'string' ? collapse(value) : '');

/**
 * Pairs codes with names by position, up to the end of the shorter list, and only then drops what is not an entry:
 * dropping first would shift the names. A repeated code keeps its first position.
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

const pickerMark = 'pickerBuilding';

const pickerScripts = (page: string): string[] => scriptsIn(page).filter((script) => script.includes(pickerMark));

/** The page of a live session carries the picker. */
export const buildingsPageAlive = reader(
  'buildingsPageAlive',
  (page: string): boolean => page.includes(pickerMark) && pickerScripts(page).length > 0,
);

/** The first list of that name in a script; null when there is none. `values` is not found inside `displayValues`. */
const literalListOf = (script: string, name: string): readonly Literal[] | null => {
  const found = new RegExp(`(?<![\\w$])${name}["']?\\s{0,20}:\\s{0,20}(?=\\[)`).exec(script);
  if (found === null) return null;
  const list = readLiteralAt(script, found.index + found[0].length);
  return isList(list) ? list : null;
};

/**
 * The buildings of the picker, in page order. Empty when the picker offers none.
 * @throws Failure `upstream-unreadable` when no script has both lists
 */
export const parseBuildings = reader('parseBuildings', (page: string): CodeName[] => {
  for (const script of pickerScripts(page)) {
    // A list that was commented out is old.
    const code = withoutComments(script);
    const codes = literalListOf(code, 'values');
    const names = literalListOf(code, 'displayValues');
    if (codes !== null && names !== null) return codeNames(codes, names);
  }
  throw unreadable('electricity', 'building picker missing');
});

export interface Picker {
  /** In the order of the answer. */
  readonly entries: readonly CodeName[];
  /**
   * The answer was a bare `[]`: no entries, or a session that no longer knows what was asked. A picker that offers
   * nothing but its placeholder leaves no such doubt.
   */
  readonly doubtful: boolean;
}

/**
 * `[{<codes>:["", …],<names>:["请选择", …]}]`; the first item of both lists is the placeholder, with any text.
 * @throws Failure `upstream-unreadable`, also for codes of which none can be used
 */
const parsePicker = (text: string, codes: string, names: string): Picker => {
  const literal = readLiteral(text);
  if (!isList(literal)) throw unreadable('electricity', 'picker is no list');
  const [first, ...others] = literal;
  if (first === undefined && others.length === 0) return { entries: [], doubtful: true };
  const codeList = isMembers(first) ? first.get(codes) : undefined;
  const nameList = isMembers(first) ? first.get(names) : undefined;
  if (!isList(codeList) || !isList(nameList)) throw unreadable('electricity', 'picker without its lists');
  const offered = codeList.slice(1);
  const entries = codeNames(offered, nameList.slice(1));
  // A floor or building would silently vanish from the tree.
  const isLost = entries.length === 0 && offered.some((code) => typeof code === 'string' && code.trim() !== '');
  if (isLost) throw unreadable('electricity', 'picker without an entry that can be read');
  return { entries, doubtful: false };
};

export const parseFloors = reader('parseFloors', (text: string): Picker => parsePicker(text, 'floordm', 'floorname'));

export const parseRooms = reader('parseRooms', (text: string): Picker => parsePicker(text, 'roomdm', 'roomname'));

/** The site repeats the text of the room that it bound, and nothing for an unknown one. Null: no live session. */
export const parseBound = reader('parseBound', (text: string): boolean | null => {
  const literal = readLiteral(text);
  const first = isList(literal) ? literal[0] : literal;
  const info = isMembers(first) ? first.get('bindinginfo') : undefined;
  if (info === undefined) return null;
  return typeof info === 'string' && info.trim() !== '';
});
