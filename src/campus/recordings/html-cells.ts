import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { decodeEntities } from '../parsing/text.ts';
import type { CellKind, DocCell, DocDraft, DocPart } from './cells.ts';
import { scriptCells } from './script-cells.ts';

interface Element {
  readonly name: string;
  readonly path: string;
  readonly from: number;
  /** Of its children, by tag and class. */
  readonly counts: Map<string, number>;
  readonly lists: Map<string, DocPart[]>;
  readonly key: string;
}

const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const raw = new Set(['script', 'style', 'textarea']);
/** Elements that stand in rows; a cell of a row is none. */
const rows = new Set(['tr', 'option', 'li', 'div', 'dl', 'button', 'row', 'item', 'record']);
/** Elements whose end may be left out. */
const unended = new Set(['tr', 'td', 'th', 'li', 'option', 'p']);

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};
const asHtml = (value: string): string => value.replace(/[&<>"\u00a0]/g, (sign) => htmlEscapes[sign] ?? sign);
const same = (value: string): string => value;

const attribute = /([^\s"'<>/=]+)(?:\s{0,8}=\s{0,8}("[^"]*"|'[^']*'|[^\s"'>]+))?/g;
/** How a page begins, which says nothing of anybody. */
const prologue = /^(?:<!doctype html>|<\?xml version="1\.0"(?: encoding="[\w-]{1,20}")?\s?\?>)/i;
/** As much of the classes of an element as tells it from others. */
const longestKey = 80;

const elementOf = (name: string, path: string, from: number, key: string): Element => ({
  ...{ name, path, from, key },
  counts: new Map(),
  lists: new Map(),
});

/** How often it was met before. */
const nthOf = (counts: Map<string, number>, name: string): number => {
  const nth = counts.get(name) ?? 0;
  counts.set(name, nth + 1);
  return nth;
};

/** Elements under way. */
class Elements {
  readonly #top: Element;
  readonly #stack: Element[];
  /** How many of each name are open: a page may close thousands that never were. */
  readonly #open = new Map<string, number>();
  readonly #lists: DocPart[][];

  constructor(path: string, lists: DocPart[][]) {
    this.#top = elementOf('', path, 0, '');
    this.#stack = [this.#top];
    this.#lists = lists;
  }

  get last(): Element {
    return this.#stack.at(-1) ?? this.#top;
  }

  open(element: Element): void {
    this.#stack.push(element);
    nthOf(this.#open, element.name);
  }

  close(name: string, at: number): void {
    if (!this.#open.get(name)) return;
    for (let closed = ''; closed !== name; ) closed = this.#pop(at);
  }

  /** At the end of the page. */
  closeAll(at: number): void {
    while (this.#stack.length > 1) this.#pop(at);
    this.#list(this.#top);
  }

  #pop(at: number): string {
    const closed = this.#stack.pop() ?? this.#top;
    const { name, key, from } = closed;
    this.#open.set(name, (this.#open.get(name) ?? 0) - 1);
    this.#list(closed);
    if (rows.has(name)) {
      const list = this.last.lists.get(key);
      if (list === undefined) this.last.lists.set(key, [{ from, to: at }]);
      else list.push({ from, to: at });
    }
    return name;
  }

  #list({ lists }: Element): void {
    for (const list of lists.values()) if (list.length > 1) this.#lists.push(list);
  }
}

/** Reads pages and XML: texts, names and values of attributes, each with its way through the elements. */
export const htmlCells = (draft: DocDraft, base: string): void => {
  const { text, cells, lists, isKept } = draft;
  const elements = new Elements(base, lists);
  let label = '';
  const add = (kind: CellKind, from: number, to: number, group: string, encode: DocCell['encode'] = asHtml): void => {
    const value = decodeEntities(text.slice(from, to));
    const inner = kind === 'value' ? draft.innerOf(value, group) : null;
    cells.push({ kind, from, to, value, group, inner, encode });
  };
  const addText = (from: number, to: number): void => {
    const source = text.slice(from, to);
    if (source.trim() === '') return;
    const { path, counts } = elements.last;
    add('value', from, to, `${path}#${nthOf(counts, '#')}${label}`);
    const said = decodeEntities(source).replace(/[\s:：]/g, '');
    label = isKept(said) ? said : '';
  };
  /** Comments and the like, and a tag that is cut off. */
  const addHidden = (from: number, to: number): void => {
    const known = prologue.exec(text.slice(from, Math.min(to, from + 80)))?.[0].length ?? 0;
    if (from + known < to) add('hidden', from + known, to, 'comment', () => '<!---->');
  };
  const addAttributes = (attributes: string, offset: number, own: string): void => {
    for (const { 0: whole, 1: title = '', 2: value, index } of attributes.matchAll(attribute)) {
      const from = offset + index;
      add('name', from, from + title.length, 'attribute', same);
      if (value === undefined) continue;
      const quoted = /^["']/.test(value) ? 1 : 0;
      const [first, last] = [from + whole.length - value.length + quoted, from + whole.length - quoted];
      add(title.toLowerCase() === 'class' ? 'name' : 'value', first, last, `${own}@${title}`);
    }
  };
  let at = 0;
  let own = '';
  for (const token of htmlTokens(text)) {
    const { from, to } = token;
    addHidden(at, from);
    at = to;
    if (token.kind === 'text') addText(from, to);
    else if (token.kind === 'raw') {
      if (token.name === 'script') scriptCells(draft, token, `${own}!`);
      else if (token.name === 'style') add('hidden', from, to, 'style', () => '');
      else addText(from, to);
    } else if (token.kind === 'close') {
      add('name', from + 2, to - 1, 'tag', same);
      elements.close(token.name, to);
    } else {
      const { name, attributes } = token;
      const begins = from + (text[from + 1] === '/' ? 2 : 1);
      const offset = to - 1 - attributes.length;
      add('name', begins, offset, 'tag', same);
      if (elements.last.name === name && unended.has(name)) elements.close(name, from);
      const { path, counts } = elements.last;
      const key = `${name}.${(attributeOf(attributes, 'class') ?? '').slice(0, longestKey)}`;
      const nth = nthOf(counts, name);
      own = `${path.split('>').slice(-3).join('>')}>${rows.has(name) ? key : `${key}${nth}`}`;
      addAttributes(attributes, offset, own);
      if (!raw.has(name) && !empty.has(name) && !attributes.endsWith('/'))
        elements.open(elementOf(name, own, from, key));
    }
  }
  addHidden(at, text.length);
  elements.closeAll(text.length);
};
