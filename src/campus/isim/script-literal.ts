/**
 * A value as a script writes it. Scalars stay text: a code written as a bare `0101` keeps its zero.
 * `null` and `undefined` are null.
 */
export type Literal = string | null | readonly Literal[] | ReadonlyMap<string, Literal>;

/** Thrown for a text that is not a literal. Does not quote it. */
export class LiteralError extends Error {}

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
    if (depth > deepest) throw new LiteralError('nested too deeply');
    const sign = this.#peek();
    if (sign === '[') return this.#list(depth);
    if (sign === '{') return this.#object(depth);
    if (sign === '"' || sign === "'") return this.#quoted(sign);
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
      const key = sign === '"' || sign === "'" ? this.#quoted(sign) : this.#bare(/[\w$]+/y);
      if (this.#peek() !== ':') throw new LiteralError('key without a value');
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
    if (sign !== ',') throw new LiteralError('list or object not closed');
    this.#at += 1;
    return true;
  }

  #quoted(quote: string): string {
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
    throw new LiteralError('text not closed');
  }

  #bare(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#text)?.[0];
    if (word === undefined) throw new LiteralError('value missing');
    this.#at += word.length;
    return word;
  }

  /** The next character that is not blank; `""` at the end. */
  #peek(): string {
    const blanks = /\s*/y;
    blanks.lastIndex = this.#at;
    blanks.exec(this.#text);
    this.#at = blanks.lastIndex;
    return this.#text.charAt(this.#at);
  }
}

/**
 * The literal that is the whole text.
 * @throws LiteralError
 */
export const readLiteral = (text: string): Literal => {
  const reader = new LiteralReader(text.startsWith('\uFEFF') ? text.slice(1) : text, 0);
  const value = reader.value(0);
  if (!reader.atEnd()) throw new LiteralError('more behind the literal');
  return value;
};

/**
 * The literal that begins at `at`; what follows it is ignored.
 * @throws LiteralError
 */
export const readLiteralAt = (text: string, at: number): Literal => new LiteralReader(text, at).value(0);

export const isList = (value: Literal | undefined): value is readonly Literal[] => Array.isArray(value);
export const isMembers = (value: Literal | undefined): value is ReadonlyMap<string, Literal> => value instanceof Map;
