/** Reading values out of script text without running it. Each reads the text once, forward. */

/** After the string or comment that begins at `at`; `at` itself where none does. A broken string ends with its line. */
const behindQuoted = (text: string, at: number): number => {
  const sign = text[at];
  if (sign === '"' || sign === "'" || sign === '`') {
    for (let i = at + 1; i < text.length; i += 1) {
      if (text[i] === '\\') i += text.startsWith('\r\n', i + 1) ? 2 : 1;
      else if (text[i] === sign) return i + 1;
      else if (text[i] === '\n' && sign !== '`') return i;
    }
    return text.length;
  }
  if (sign !== '/') return at;
  const next = text[at + 1];
  if (next !== '/' && next !== '*') return at;
  const end = next === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
  if (end < 0) return text.length;
  return next === '/' ? end : end + 2;
};

/**
 * Index at which the expression begun at `from` ends: the first comma or closing bracket outside strings, comments and
 * nested brackets; -1 if the text ends first.
 */
export const expressionEnd = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const behind = behindQuoted(text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) {
      if (depth === 0) return at;
      depth -= 1;
    } else if ((sign === ',' || sign === ';') && depth === 0) return at;
    at += 1;
  }
  return -1;
};

/** Makes JSON of a script literal: removes comments, and commas before a closing bracket, outside of strings. */
export const asJson = (literal: string): string => {
  const parts: string[] = [];
  /** Position of the latest comma, while only blanks and comments have followed it. */
  let comma = -1;
  for (let at = 0; at < literal.length; ) {
    const piece = literal.slice(at, Math.max(behindQuoted(literal, at), at + 1));
    at += piece.length;
    const isComment = piece.length > 1 && piece.startsWith('/');
    if (isComment) continue;
    if ((piece === ']' || piece === '}') && comma >= 0) parts[comma] = '';
    if (piece.trim() !== '') comma = piece === ',' ? parts.length : -1;
    parts.push(piece);
  }
  return parts.join('');
};

/** A script with a blank for every comment. Strings stay as they are. */
export const withoutComments = (script: string): string => {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < script.length; ) {
    const behind = behindQuoted(script, at);
    if (behind > at && script[at] === '/') {
      parts.push(script.slice(from, at), ' ');
      from = behind;
    }
    at = Math.max(behind, at + 1);
  }
  return parts.join('') + script.slice(from);
};

/**
 * A value as a script writes it. Scalars stay text: a code written as a bare `0101` keeps its zero.
 * `null` and `undefined` are null.
 */
export type Literal = string | null | readonly Literal[] | ReadonlyMap<string, Literal>;

class LiteralError extends Error {}

/** The lists of the campus are three deep. */
const deepest = 16;

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '0': '\0' };

/** Reads what scripts accept and JSON does not, too: bare and single-quoted keys, single quotes, trailing commas. */
class LiteralReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  value(depth: number): Literal {
    if (depth > deepest) throw new LiteralError();
    const sign = this.#peek();
    if (sign === '[') return this.#list(depth);
    if (sign === '{') return this.#object(depth);
    if (sign === '"' || sign === "'") return this.#readQuoted(sign);
    const word = this.#bare(/[\w$.+-]+/y);
    return word === 'null' || word === 'undefined' ? null : word;
  }

  /** True when nothing but blanks and a semicolon is left. */
  atEnd(): boolean {
    if (this.#peek() === ';') this.#at += 1;
    return this.#peek() === '';
  }

  #list(depth: number): Literal[] {
    const items: Literal[] = [];
    this.#at += 1;
    while (this.#peek() !== ']') {
      items.push(this.value(depth + 1));
      if (!this.#comma(']')) break;
    }
    this.#at += 1;
    return items;
  }

  #object(depth: number): Map<string, Literal> {
    const members = new Map<string, Literal>();
    this.#at += 1;
    for (let sign = this.#peek(); sign !== '}'; sign = this.#peek()) {
      const key = sign === '"' || sign === "'" ? this.#readQuoted(sign) : this.#bare(/[\w$]+/y);
      if (this.#peek() !== ':') throw new LiteralError();
      this.#at += 1;
      members.set(key, this.value(depth + 1));
      if (!this.#comma('}')) break;
    }
    this.#at += 1;
    return members;
  }

  /** Steps over a comma; false at the closing bracket. */
  #comma(closing: string): boolean {
    const sign = this.#peek();
    if (sign === closing) return false;
    if (sign !== ',') throw new LiteralError();
    this.#at += 1;
    return true;
  }

  #readQuoted(quote: string): string {
    let read = '';
    const plain = /[^"'\\]*/y;
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      plain.lastIndex = at;
      read += plain.exec(this.#text)?.[0] ?? '';
      at = plain.lastIndex;
      const sign = this.#text.charAt(at);
      if (sign === quote) {
        this.#at = at + 1;
        return read;
      }
      if (sign !== '\\') {
        read += sign;
        continue;
      }
      at += 1;
      const escaped = this.#text.charAt(at);
      const hex = escaped === 'u' || escaped === 'x' ? this.#text.slice(at + 1, at + (escaped === 'u' ? 5 : 3)) : '';
      if (hex !== '' && /^(?:[\da-f]{4}|[\da-f]{2})$/i.test(hex)) {
        read += String.fromCharCode(Number.parseInt(hex, 16));
        at += hex.length;
      } else {
        read += escapes[escaped] ?? escaped;
      }
    }
    throw new LiteralError();
  }

  #bare(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#text)?.[0];
    if (word === undefined) throw new LiteralError();
    this.#at += word.length;
    return word;
  }

  /** The next character that is not blank; `""` at the end. */
  #peek(): string {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.charAt(this.#at);
  }
}

/** Returns undefined if the text is not a literal. */
const literalIn = (text: string, at: number, isWhole: boolean): Literal | undefined => {
  try {
    const reader = new LiteralReader(text, at);
    const value = reader.value(0);
    return isWhole && !reader.atEnd() ? undefined : value;
  } catch (error) {
    if (error instanceof LiteralError) return undefined;
    throw error;
  }
};

/** Reads the whole text as one literal; undefined if it is not one. */
export const readLiteral = (text: string): Literal | undefined =>
  literalIn(text, text.startsWith('\uFEFF') ? 1 : 0, true);

/** Reads the literal that begins at `at` and ignores what follows; undefined if none begins there. */
export const readLiteralAt = (text: string, at: number): Literal | undefined => literalIn(text, at, false);

export const isList = (value: Literal | undefined): value is readonly Literal[] => Array.isArray(value);
export const isMembers = (value: Literal | undefined): value is ReadonlyMap<string, Literal> => value instanceof Map;
