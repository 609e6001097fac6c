// A recording keeps the shape of a page and replaces what it says of a person, cell by cell. Here a body becomes a list of
// cells, whatever it is: HTML, XML, JSON and scripts, each inside the other. Everything between them
// is punctuation. Nothing here knows a page.

/** `value`: data, or text for people. `name`: of a member, tag, attribute or class. `hidden`: a comment or the like. */
export type CellKind = 'value' | 'number' | 'name' | 'hidden';

export interface DocCell {
  readonly kind: CellKind;
  readonly from: number;
  readonly to: number;
  /** Decoded. */
  readonly value: string;
  /** Where it stands, the same for the cells of one column. */
  readonly group: string;
  /** What stands in it, where that is a document too. */
  readonly inner: Doc | null;
  encode(value: string): string;
}

/** A part of a document that may be left out, such as a row. */
export interface DocPart {
  readonly from: number;
  readonly to: number;
}

export interface Doc {
  readonly text: string;
  readonly cells: readonly DocCell[];
  /** Alike parts side by side, inner lists before outer ones. */
  readonly lists: readonly (readonly DocPart[])[];
}

export type IsKept = (word: string) => boolean;

/** A document that is being read. */
export interface DocDraft {
  readonly text: string;
  readonly cells: DocCell[];
  readonly lists: DocPart[][];
  readonly isKept: IsKept;
  /** What stands in a value, where that is a document too. */
  innerOf(value: string, group: string): Doc | null;
}

/** The text with other values; null: the cell stays as it is. */
export const rebuild = (doc: Doc, next: (cell: DocCell) => string | null): string => {
  const parts: string[] = [];
  let at = 0;
  for (const cell of doc.cells) {
    const value = cell.inner === null ? next(cell) : rebuild(cell.inner, next);
    if (value === null || value === cell.value) continue;
    parts.push(doc.text.slice(at, cell.from), cell.encode(value));
    at = cell.to;
  }
  return parts.join('') + doc.text.slice(at);
};

/** All cells, those inside others in place of these. */
export const leavesOf = ({ cells }: Doc): readonly DocCell[] =>
  cells.flatMap((cell) => (cell.inner === null ? [cell] : leavesOf(cell.inner)));
