import type { CampusSystem } from '../../domain/errors.ts';
import { unreadable } from './reading.ts';
import { trim } from './text.ts';

// Rows whose cells have no names are read by position. Where something on the page says that the order is another one, it is
// not the page we know: each cell would be told as something else.

/**
 * Holds the heading of a table against the columns that are read; a heading that names none of them says nothing.
 * @param labels by column, null for one that is not read
 * @throws Failure `upstream-unreadable` where one of them stands in another column
 */
export const refuseOtherOrder = (
  system: CampusSystem,
  what: string,
  heading: readonly string[],
  labels: ReadonlyArray<RegExp | null>,
): void => {
  for (const [column, label] of labels.entries()) {
    const found = label === null ? -1 : heading.findIndex((cell) => label.test(cell.replace(/\s/g, '')));
    if (found >= 0 && found !== column) throw unreadable(system, `${what} in another order of columns`);
  }
};

/** What a cell shows that cannot stand in its column. */
export interface OutOfPlace<R> {
  readonly shows: (row: R) => boolean;
  /** `proof`: more than half of the rows suffice. `hint`: all of at least three rows. */
  readonly weight: 'proof' | 'hint';
}

const fewestForHint = 3;

/** Half of the rows suffice to say no. */
const mostShow = <R>(rows: readonly R[], signs: ReadonlyArray<OutOfPlace<R>>): boolean => {
  let [showing, others] = [0, 0];
  for (const row of rows) {
    if (signs.some(({ shows }) => shows(row))) showing += 1;
    else others += 1;
    if (others * 2 >= rows.length) return false;
  }
  return showing * 2 > rows.length;
};

/** @throws Failure `upstream-unreadable` where the cells show that they belong to other columns */
export const refuseCellsOutOfPlace = <R>(
  system: CampusSystem,
  what: string,
  rows: readonly R[],
  signs: ReadonlyArray<OutOfPlace<R>>,
): void => {
  const of = (wanted: OutOfPlace<R>['weight']) => signs.filter(({ weight }) => weight === wanted);
  const [proofs, hints] = [of('proof'), of('hint')];
  const isHinted = rows.length >= fewestForHint && hints.some(({ shows }) => rows.every(shows));
  if (isHinted || mostShow(rows, proofs)) throw unreadable(system, `${what} with cells of other columns`);
};

/** For these signs. */
export const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
export const isPlainNumber = (text: string): boolean => text !== '' && /^[-+]?\d+(?:\.\d+)?$/.test(trim(text));
