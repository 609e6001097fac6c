import type { DocCell, DocDraft, DocPart } from './cells.ts';

// The cells of JSON and of scripts, with the lists of rows among them.

const scriptEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const unescapeText = (source: string): string =>
  source.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g, (_, long, short, sign) =>
    sign === undefined ? String.fromCharCode(Number.parseInt(long ?? short, 16)) : (scriptEscapes[sign] ?? sign),
  );

/** With the escapes that `source` has. */
const escapeText = (value: string, source: string, quote: string): string => {
  const wide = /\\u[\da-fA-F]{4}/.test(source);
  const always = new Set(['\\', quote, ...['"', '/'].filter((sign) => source.includes(`\\${sign}`))]);
  return value.replace(/[\s\S]/g, (sign) => {
    if (always.has(sign)) return `\\${sign}`;
    const short = Object.keys(scriptEscapes).find((each) => scriptEscapes[each] === sign);
    if (short !== undefined) return `\\${short}`;
    const isSent = sign >= ' ' && !(wide && sign > '~');
    return isSent ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
};

interface Open {
  readonly sign: string;
  readonly path: string;
  key: string | null;
  index: number;
  /** Where the element under way began. */
  from: number;
  readonly parts: DocPart[];
  /** Its elements are lists or objects. */
  isRows: boolean;
}

/** Of a text or comment only how it begins: where it ends is looked for once, and not again if it never does. */
const scriptToken =
  /["'`]|\/\/[^\n]*|\/\*|-?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|[\p{L}\p{M}\p{N}_$]+|[[\](){},;:=]/giu;

/** Behind the end of what begins at `at`; -1: it has none. */
const endOf = (source: string, sign: string, at: number): number => {
  if (sign === '/*') {
    const end = source.indexOf('*/', at + 2);
    return end < 0 ? -1 : end + 2;
  }
  const mark = sign === '"' ? /["\\]/g : sign === "'" ? /['\\]/g : /[`\\]/g;
  mark.lastIndex = at + 1;
  for (let found = mark.exec(source); found !== null; found = mark.exec(source)) {
    if (found[0] === sign) return mark.lastIndex;
    mark.lastIndex += 1;
  }
  return -1;
};

function* tokensOf(source: string): Generator<{ readonly text: string; readonly at: number }> {
  const token = new RegExp(scriptToken);
  const endless = new Set<string>();
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    const { 0: text, index: at } = found;
    if (!/^(?:["'`]|\/\*)$/.test(text)) yield { text, at };
    else if (!endless.has(text)) {
      const end = endOf(source, text, at);
      if (end < 0) endless.add(text);
      else yield { text: source.slice(at, end), at };
      if (end >= 0) token.lastIndex = end;
    }
  }
}

/** As much of the way to a cell as tells it from others, however deep it stands. */
const longestPath = 400;
const same = (value: string): string => value;

/** Reads JSON and scripts alike: texts, numbers and words, each with its way through brackets. */
export const scriptCells = (draft: DocDraft, { from, to }: DocPart, base: string): void => {
  const { cells, lists, isKept } = draft;
  const source = draft.text.slice(from, to);
  const stack: Open[] = [{ sign: '', path: base, key: null, index: 0, from, parts: [], isRows: false }];
  let word = '';
  const close = (open: Open, at: number): void => {
    if (open.isRows && at > open.from) open.parts.push({ from: open.from, to: at });
    open.isRows = false;
  };
  const groupOf = ({ path, key, sign, index }: Open): string => {
    if (key !== null) return `${path}.${isKept(key) ? key : '*'}`;
    return sign === '[' || sign === '(' ? `${path}[${index}]` : path;
  };
  for (const token of tokensOf(source)) {
    const open = stack.at(-1);
    if (open === undefined) break;
    const { text } = token;
    const at = from + token.at;
    const end = at + text.length;
    const group = groupOf(open);
    const isKey =
      (open.sign === '{' || open.sign === '') && /^\s*:/.test(draft.text.slice(end, Math.min(end + 20, to)));
    const add = (
      kind: DocCell['kind'],
      value: string,
      encode: DocCell['encode'],
      inner: DocCell['inner'] = null,
    ): void => {
      const place = kind === 'hidden' ? 'comment' : kind === 'name' && value !== text ? `${open.path}{}` : group;
      cells.push({ kind, from: at, to: end, value, group: place, inner, encode });
    };
    if ('[({'.includes(text)) {
      if (open.sign === '[' || (open.sign === '{' && open.key !== null)) {
        if (!open.isRows) open.from = open.sign === '[' ? at : open.from;
        open.isRows = true;
      }
      const path = open.sign === '[' ? `${open.path}[]` : `${group}${text === '(' ? word : ''}`;
      const deep = path.length > longestPath ? open.path : path;
      stack.push({ sign: text, path: deep, key: null, index: 0, from: end, parts: [], isRows: false });
    } else if ('])}'.includes(text)) {
      if (stack.length === 1) continue;
      close(open, at);
      stack.pop();
      if (open.parts.length > 1 && open.sign !== '(') lists.push(open.parts);
    } else if (text === ',' || text === ';') {
      close(open, at);
      open.key = null;
      open.index += 1;
      open.from = end;
    } else if (text === ':' || text === '=') {
      if (open.sign === '' && text === '=') open.key = word;
    } else if (/^["'`]/.test(text)) {
      const [quote = ''] = text;
      const inside = text.slice(1, -1);
      const value = unescapeText(inside);
      const encode = (next: string): string => `${quote}${escapeText(next, inside, quote)}${quote}`;
      if (isKey) Object.assign(open, { from: at, key: value });
      if (isKey) add('name', value, encode);
      else add('value', value, encode, draft.innerOf(value, group));
    } else if (text.startsWith('/')) add('hidden', text, () => '/**/');
    else if (/^[-.\d]/.test(text)) add('number', text, same);
    else {
      if (isKey) Object.assign(open, { from: at, key: text });
      if (text !== 'null') add(/^(?:true|false)$/.test(text) && !isKey ? 'value' : 'name', text, same);
      word = text;
    }
  }
};
