import type { CodeName } from '../../domain/electricity/types.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { codeNames } from './code-names.ts';
import { isList, isMembers, type Literal, LiteralError, readLiteral } from './script-literal.ts';

export interface Picker {
  /** In delivered order. */
  readonly entries: readonly CodeName[];
  /**
   * The answer was a bare `[]`: no entries, or a session that no longer knows what was asked. A picker that offers
   * nothing but its placeholder leaves no such doubt.
   */
  readonly doubtful: boolean;
}

const literalOf = (text: string): Literal => {
  try {
    return readLiteral(text);
  } catch (error) {
    if (error instanceof LiteralError) throw unreadable('electricity', `picker: ${error.message}`);
    throw error;
  }
};

/**
 * `[{<codes>:["", …],<names>:["请选择", …]}]`; the first item of both lists is the placeholder, whatever it says.
 * @throws Failure `upstream-unreadable`, also for codes of which none can be used
 */
const parsePicker = (text: string, codes: string, names: string): Picker => {
  const [first, ...others] = elementsOf(text);
  if (first === undefined && others.length === 0) return { entries: [], doubtful: true };
  const codeList = isMembers(first) ? first.get(codes) : undefined;
  const nameList = isMembers(first) ? first.get(names) : undefined;
  if (!isList(codeList) || !isList(nameList)) throw unreadable('electricity', 'picker without its lists');
  const offered = codeList.slice(1);
  const entries = codeNames(offered, nameList.slice(1));
  // A floor or building would vanish from the tree without a sign.
  const isLost = entries.length === 0 && offered.some((code) => typeof code === 'string' && code.trim() !== '');
  if (isLost) throw unreadable('electricity', 'picker without an entry that can be read');
  return { entries, doubtful: false };
};

const elementsOf = (text: string): readonly Literal[] => {
  const literal = literalOf(text);
  if (!isList(literal)) throw unreadable('electricity', 'picker is no list');
  return literal;
};

/** Floors of a building. @throws Failure `upstream-unreadable` */
export const parseFloors = (text: string): Picker => parsePicker(text, 'floordm', 'floorname');

/** Rooms of a floor. @throws Failure `upstream-unreadable` */
export const parseRooms = (text: string): Picker => parsePicker(text, 'roomdm', 'roomname');

/**
 * Whether the site bound the room: it repeats the text of the bound room, or nothing when it knows no such room.
 * Null when the answer is not the one that a live session gives.
 */
export const parseBound = (text: string): boolean | null => {
  try {
    const literal = readLiteral(text);
    const first = isList(literal) ? literal[0] : literal;
    const info = isMembers(first) ? first.get('bindinginfo') : undefined;
    if (info === undefined) return null;
    return typeof info === 'string' && info.trim() !== '';
  } catch (error) {
    if (error instanceof LiteralError) return null;
    throw error;
  }
};
