/**
 * What a page has that we did not expect. A reader notes it where it meets it and goes on; who called the reader collects it.
 * The list is not handed through, because every conversion of a cell would take it.
 */

/** `left-out` kinds are what a rule leaves out; they say nothing against the page. */
export type OddityKind =
  /** A cell that says something we cannot read has become its default. */
  | 'default'
  /** A cell holds bytes of no charset, and has become its default. */
  | 'garbled'
  /** The campus itself could not write these characters: U+FFFD. */
  | 'replacement'
  /** A row, place or node that should have been read and could not. */
  | 'dropped'
  | 'unknown-member'
  | 'unknown-text'
  /** The rest is left out by a rule. */
  | 'unpublished'
  | 'weeks-beyond'
  | 'null-element'
  | 'untitled'
  | 'notice'
  | 'payment-in-kwh';

export interface Oddity {
  readonly kind: OddityKind;
  /** Of a member or label; `""` for none. Never a value. */
  readonly name: string;
  readonly count: number;
}

/** A page with more different ones is not the page we know. */
const mostNames = 100;
const longestName = 60;

interface Collection {
  readonly found: Map<string, { kind: OddityKind; name: string; count: number }>;
  /** Rows that are being read, by which a cell finds its name. */
  row: unknown;
}

/** Set only while a reader runs, which never waits. */
let open: Collection | null = null;

export const noteOddity = (kind: OddityKind, name = '', count = 1): void => {
  if (open === null || count <= 0) return;
  const key = `${kind} ${name}`;
  const known = open.found.get(key);
  if (known) known.count += count;
  else if (open.found.size < mostNames) open.found.set(key, { kind, name: name.slice(0, longestName), count });
};

/** Calls `read` and returns what it has noted, too. Throws what `read` throws. */
export const collectOddities = <T>(read: () => T): { readonly value: T; readonly oddities: readonly Oddity[] } => {
  const outer = open;
  const own: Collection = { found: new Map(), row: null };
  open = own;
  try {
    const value = read();
    return { value, oddities: [...own.found.values()] };
  } finally {
    open = outer;
  }
};

/** Names the row that is read from now on. */
export const beginRow = (row: unknown): void => {
  if (open !== null) open.row = row;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The member of the row that holds this very value, or of an object in it; looked for only once something is odd. */
const nameOf = (cell: unknown): string => {
  const row = open?.row;
  if (!isObject(row)) return '';
  const names = Object.keys(row);
  const direct = names.find((name) => row[name] === cell);
  if (direct !== undefined) return Array.isArray(row) ? `column ${direct}` : direct;
  for (const name of names) {
    const value = row[name];
    if (!isObject(value) || Array.isArray(value)) continue;
    const inner = Object.keys(value).find((each) => value[each] === cell);
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return '';
};

/** A cell has become its default. One that says nothing is not odd. */
export const noteCell = (kind: 'default' | 'garbled' | 'unpublished' | 'unknown-text', cell: unknown): void => {
  if (open !== null) noteOddity(kind, nameOf(cell));
};
