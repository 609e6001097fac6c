import { decodeEntities } from '../parsing/text.ts';

// A body as a list of cells, whatever it is: HTML, XML, JSON and scripts, each inside the other. Everything between them
// is punctuation. Nothing here knows a page.

/** `value`: data, or text for people. `name`: of a member, tag, attribute or class. `hidden`: a comment or the like. */
type Kind = 'value' | 'number' | 'name' | 'hidden';

export interface Cell {
  readonly kind: Kind;
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
interface Part {
  readonly from: number;
  readonly to: number;
}

export interface Doc {
  readonly text: string;
  readonly cells: readonly Cell[];
  /** Alike parts side by side, inner lists before outer ones. */
  readonly lists: readonly (readonly Part[])[];
}

const same = (value: string): string => value;

export type IsKept = (word: string) => boolean;

interface Draft {
  readonly text: string;
  readonly cells: Cell[];
  readonly lists: Part[][];
  readonly isKept: IsKept;
}

/** Deeper than any page: a text in a text in a script. */
const deepest = 4;

const markup =
  /<\/?(?:a|b|i|p|br|div|span|font|t[dhr]|table|ul|li|label|strong|em|h\d|img|input|button|option)(?:[\s/][^<>]*)?>/i;
const looksNested = (value: string): boolean => /^\s*[[{][\s\S]*[\]}]\s*$/.test(value) || markup.test(value);

const scriptEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const unescaped = (source: string): string =>
  source.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g, (_, long, short, sign) =>
    sign === undefined ? String.fromCharCode(Number.parseInt(long ?? short, 16)) : (scriptEscapes[sign] ?? sign),
  );

const escaped = (value: string, source: string, quote: string): string => {
  const wide = /\\u[\da-fA-F]{4}/.test(source);
  return [...value.matchAll(/[\s\S]/g)]
    .map(([sign]) => {
      if (sign === '\\' || sign === quote) return `\\${sign}`;
      const short = Object.keys(scriptEscapes).find((each) => scriptEscapes[each] === sign);
      if (short !== undefined) return `\\${short}`;
      if (sign === '"' && source.includes('\\"')) return '\\"';
      return sign === '/' && source.includes('\\/')
        ? '\\/'
        : sign < ' ' || (wide && sign > '~')
          ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
          : sign;
    })
    .join('');
};

interface Open {
  readonly sign: string;
  readonly path: string;
  key: string | null;
  index: number;
  /** Where the element under way began. */
  from: number;
  readonly parts: Part[];
  /** Its elements are lists or objects. */
  isRows: boolean;
}

const scriptToken =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|-?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|[\p{L}_$][\p{L}\d_$]*|[[\](){},;:=]/giu;

const keywords = new Set(['true', 'false']);

/** Reads JSON and scripts alike: strings, numbers and words, each with its way through brackets. */
const readScript = (draft: Draft, from: number, to: number, base: string, depth: number): void => {
  const { text, cells, lists } = draft;
  const stack: Open[] = [{ sign: '', path: base, key: null, index: 0, from, parts: [], isRows: false }];
  let word = '';
  const close = (open: Open, at: number): void => {
    if (open.isRows && at > open.from) open.parts.push({ from: open.from, to: at });
    open.isRows = false;
  };
  // A text in this one is read in between.
  const token = new RegExp(scriptToken);
  token.lastIndex = from;
  for (let found = token.exec(text); found !== null && found.index < to; found = token.exec(text)) {
    const [source] = found;
    const at = found.index;
    const end = at + source.length;
    const open = stack.at(-1);
    if (open === undefined || end > to) break;
    const group = `${open.path}${open.key === null ? (open.sign === '[' || open.sign === '(' ? `[${open.index}]` : '') : `.${draft.isKept(open.key) ? open.key : '*'}`}`;
    const isKey = /^\s*:/.test(text.slice(end, end + 20)) && (open.sign === '{' || open.sign === '');
    if ('[({'.includes(source)) {
      if (open.sign === '[' || (open.sign === '{' && open.key !== null)) {
        if (!open.isRows) open.from = open.sign === '[' ? at : open.from;
        open.isRows = true;
      }
      const path = open.sign === '[' ? `${open.path}[]` : `${group}${source === '(' ? word : ''}`;
      stack.push({ sign: source, path, key: null, index: 0, from: end, parts: [], isRows: false });
    } else if ('])}'.includes(source)) {
      if (stack.length > 1) {
        close(open, at);
        stack.pop();
        if (open.parts.length > 1 && open.sign !== '(') lists.push(open.parts);
      }
    } else if (source === ',' || source === ';') {
      close(open, at);
      open.key = null;
      open.index += 1;
      open.from = end;
    } else if (source === ':' || source === '=') {
      if (open.sign === '' && source === '=') open.key = word;
    } else if (/^["'`]/.test(source)) {
      const [quote = ''] = source;
      const inside = source.slice(1, -1);
      const value = unescaped(inside);
      const encode = (next: string): string => `${quote}${escaped(next, inside, quote)}${quote}`;
      if (isKey) {
        open.from = at;
        open.key = value;
        cells.push({ kind: 'name', from: at, to: end, value, group: `${open.path}{}`, inner: null, encode });
      } else {
        const inner = depth < deepest && looksNested(value) ? docOf(value, draft.isKept, group, depth + 1) : null;
        cells.push({ kind: 'value', from: at, to: end, value, group, inner, encode });
      }
    } else if (source.startsWith('/')) {
      cells.push({
        kind: 'hidden',
        from: at,
        to: end,
        value: source,
        group: 'comment',
        inner: null,
        encode: () => '/**/',
      });
    } else if (/^[-.\d]/.test(source)) {
      cells.push({ kind: 'number', from: at, to: end, value: source, group, inner: null, encode: same });
    } else {
      if (isKey) {
        open.from = at;
        open.key = source;
      }
      const kind = keywords.has(source) && !isKey ? 'value' : 'name';
      if (source !== 'null') cells.push({ kind, from: at, to: end, value: source, group, inner: null, encode: same });
      word = source;
    }
  }
};

interface Element {
  readonly name: string;
  readonly path: string;
  readonly from: number;
  /** Of its children, by tag and class. */
  readonly counts: Map<string, number>;
  readonly lists: Map<string, Part[]>;
  readonly key: string;
}

const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const raw = new Set(['script', 'style', 'textarea']);
/** Elements that stand in rows; a cell of a row is none. */
const rows = new Set(['tr', 'option', 'li', 'div', 'dl', 'button', 'row', 'item', 'record']);

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};
const asHtml = (value: string): string => value.replace(/[&<>"\u00a0]/g, (sign) => htmlEscapes[sign] ?? sign);

const htmlTag =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)\]\]>|<[!?][^>]*>|<(\/?)([a-zA-Z][^\s/<>]{0,63})((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g;
const attribute = /([^\s"'<>/=]+)(?:\s{0,8}=\s{0,8}("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

const readHtml = (draft: Draft, base: string, depth: number): void => {
  const { text, cells, lists } = draft;
  const stack: Element[] = [{ name: '', path: base, from: 0, counts: new Map(), lists: new Map(), key: '' }];
  let label = '';
  const lower = text.toLowerCase();
  const add = (kind: Kind, from: number, to: number, group: string, encode: Cell['encode'] = asHtml): void => {
    const value = decodeEntities(text.slice(from, to));
    const nested = kind === 'value' && depth < deepest && looksNested(value);
    const inner = nested ? docOf(value, draft.isKept, group, depth + 1) : null;
    cells.push({ kind, from, to, value, group, inner, encode });
  };
  const addText = (from: number, to: number): void => {
    if (text.slice(from, to).trim() === '') return;
    const { path, counts } = stack.at(-1) ?? { path: '', counts: new Map() };
    const nth = counts.get('#') ?? 0;
    counts.set('#', nth + 1);
    add('value', from, to, `${path}#${nth}${label}`);
    const said = decodeEntities(text.slice(from, to)).replace(/[\s:：]/g, '');
    label = draft.isKept(said) ? said : '';
  };
  const closeTo = (depthOf: number, at: number): void => {
    while (stack.length > depthOf) {
      const closed = stack.pop();
      const parent = stack.at(-1);
      if (closed === undefined || parent === undefined) return;
      for (const list of closed.lists.values()) if (list.length > 1) lists.push(list);
      if (rows.has(closed.name))
        parent.lists.set(closed.key, [...(parent.lists.get(closed.key) ?? []), { from: closed.from, to: at }]);
    }
  };
  let at = 0;
  const tag = new RegExp(htmlTag);
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    const [source, data, slash, given, attributes = ''] = found;
    addText(at, found.index);
    const end = found.index + source.length;
    at = end;
    if (given === undefined) {
      if (data !== undefined)
        add('value', found.index + 9, end - 3, `${stack.at(-1)?.path}!`, (value) => value.replaceAll(']]>', ''));
      else if (source.startsWith('<!--')) add('hidden', found.index, end, 'comment', () => '<!---->');
      continue;
    }
    const name = given.toLowerCase();
    const begins = found.index + 1 + (slash?.length ?? 0);
    add('name', begins, begins + given.length, 'tag', same);
    if (slash === '/') {
      const opened = stack.findLastIndex((element) => element.name === name);
      if (opened > 0) closeTo(opened, end);
      continue;
    }
    // Elements whose end may be left out.
    const parent = stack.at(-1);
    if (parent?.name === name && ['tr', 'td', 'th', 'li', 'option', 'p'].includes(name))
      closeTo(stack.length - 1, found.index);
    const { path, counts } = stack.at(-1) ?? { path: '', counts: new Map<string, number>() };
    const classes = /class\s*=\s*["']([^"']*)/.exec(attributes)?.[1] ?? '';
    const key = `${name}.${classes}`;
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    const own = `${path.split('>').slice(-3).join('>')}>${rows.has(name) ? key : `${key}${nth}`}`;
    const offset = begins + given.length;
    for (const pair of attributes.matchAll(attribute)) {
      const [whole, title = '', value] = pair;
      const from = offset + pair.index;
      add('name', from, from + title.length, 'attribute', same);
      if (value === undefined) continue;
      const quoted = /^["']/.test(value) ? 1 : 0;
      const [first, last] = [from + whole.length - value.length + quoted, from + whole.length - quoted];
      add(title.toLowerCase() === 'class' ? 'name' : 'value', first, last, `${own}@${title}`);
    }
    if (raw.has(name)) {
      const stop = lower.indexOf(`</${name}`, end);
      const until = stop < 0 ? text.length : stop;
      if (name === 'script') readScript(draft, end, until, `${own}!`, depth);
      else if (name === 'style') add('hidden', end, until, 'style', () => '');
      else addText(end, until);
      at = until;
      tag.lastIndex = until;
    } else if (!empty.has(name) && !attributes.endsWith('/')) {
      stack.push({ name, path: own, from: found.index, counts: new Map(), lists: new Map(), key });
    }
  }
  addText(at, text.length);
  closeTo(1, text.length);
  for (const list of stack[0]?.lists.values() ?? []) if (list.length > 1) lists.push(list);
};

/** Cells in their order, none inside another one. */
export const docOf = (text: string, isKept: IsKept, base = '', depth = 0): Doc => {
  const draft: Draft = { text, cells: [], lists: [], isKept };
  if (/^\s*(?:\uFEFF\s*)?</.test(text) || (depth > 0 && !/^\s*[[{]/.test(text))) readHtml(draft, base, depth);
  else readScript(draft, 0, text.length, base, depth);
  const { lists } = draft;
  return { text, lists, cells: draft.cells.filter(({ from, to }) => to > from).toSorted((a, b) => a.from - b.from) };
};

/** The text with other values; null: the cell stays as it is. */
export const rebuilt = (doc: Doc, next: (cell: Cell) => string | null): string => {
  const parts: string[] = [];
  let at = 0;
  for (const cell of doc.cells) {
    const value = cell.inner === null ? next(cell) : rebuilt(cell.inner, next);
    if (value === null || value === cell.value) continue;
    parts.push(doc.text.slice(at, cell.from), cell.encode(value));
    at = cell.to;
  }
  return parts.join('') + doc.text.slice(at);
};

/** All cells, those inside others in place of these. */
export const leavesOf = ({ cells }: Doc): readonly Cell[] =>
  cells.flatMap((cell) => (cell.inner === null ? [cell] : leavesOf(cell.inner)));
