import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { unreadable } from '../parsing/unreadable.ts';

interface Table {
  readonly id: string;
  readonly caption: string;
  /** Source texts of the cells; a table inside a cell is text of that cell as well. */
  readonly rows: ReadonlyArray<readonly string[]>;
}

interface OpenTable extends Table {
  caption: string;
  readonly rows: string[][];
  row: string[] | null;
  inCaption: boolean;
}

const mostRows = 2_000;
const mostCells = 100;
const longestText = 2_000;
/** Pages are laid out with tables; deeper ones hold nothing we look for. */
const deepest = 16;

/** Nothing is copied once a text is full: a page may send it millions of pieces more. */
const add = (known: string, text: string): string => known + text.slice(0, longestText - known.length);

const addText = (table: OpenTable, text: string): void => {
  if (table.inCaption) table.caption = add(table.caption, text);
  else if (table.row !== null && table.row.length > 0) table.row.push(add(table.row.pop() ?? '', text));
};

const addPart = (table: OpenTable, name: string, opens: boolean): void => {
  if (name === 'caption') table.inCaption = opens;
  else if (name === 'tr') {
    table.row = opens ? [] : null;
    if (table.row === null) return;
    if (table.rows.length >= mostRows) throw unreadable('competitions', 'too many award rows');
    table.rows.push(table.row);
  } else if ((name === 'td' || name === 'th') && opens && table.row !== null) {
    if (table.row.length >= mostCells) throw unreadable('competitions', 'too many award cells');
    table.row.push('');
  }
};

/**
 * Texts of the spans by id, the tables at any depth in the order in which they begin, and whether the page has the end
 * of its form.
 * @throws Failure `upstream-unreadable`
 */
export const partsOf = (page: string) => {
  const spans = new Map<string, string>();
  const tables: Table[] = [];
  const open: OpenTable[] = [];
  let depth = 0;
  let span: string | null = null;
  let whole = false;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'raw') continue;
    if (token.kind === 'text') {
      const text = token.text.slice(0, longestText);
      if (span !== null) spans.set(span, add(spans.get(span) ?? '', text));
      for (const table of open) addText(table, text);
      continue;
    }
    const { name } = token;
    const opens = token.kind === 'open';
    if (name === 'form') whole = !opens;
    else if (name === 'span') {
      span = opens ? attributeOf(token.attributes, 'id') : null;
      if (span !== null && !spans.has(span)) spans.set(span, '');
    } else if (name !== 'table') {
      const innermost = depth <= deepest ? open.at(-1) : undefined;
      if (innermost) addPart(innermost, name, opens);
    } else if (opens) {
      depth += 1;
      if (depth > deepest) continue;
      const id = attributeOf(token.attributes, 'id') ?? '';
      const table: OpenTable = { id, caption: '', rows: [], row: null, inCaption: false };
      tables.push(table);
      open.push(table);
    } else if (depth > 0) {
      if (depth <= deepest) open.pop();
      depth -= 1;
    }
  }
  return { spans, tables, whole };
};
