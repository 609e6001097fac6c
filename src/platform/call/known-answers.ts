/** Beyond so many characters an answer is made each time. */
const LONGEST = 1_048_576;

/** An answer that is made of one value, of what was asked, and of nothing else but the time of day at its end. */
export class KnownAnswer {
  /** Whose answer to what it is. */
  readonly name: string;
  readonly tag: string;
  /** All before its end. */
  #text: string | null = null;

  constructor(name: string, tag: string) {
    this.name = name;
    this.tag = tag;
  }

  /** The whole text, which `write` gives once; what is too long, or ends otherwise, each time. Null: it is no text. */
  text(end: string, write: () => unknown): string | null {
    if (this.#text !== null) return this.#text + end;
    const text = write();
    if (typeof text !== 'string') return null;
    if (text.length <= LONGEST && text.endsWith(end)) this.#text = text.slice(0, -end.length);
    return text;
  }
}

/**
 * The last answer to each value of a read in memory. It goes when the value does, so that what bounds the values bounds the
 * answers: a text is about as long as the value that it was made of.
 */
export class KnownAnswers {
  readonly #last = new WeakMap<object, KnownAnswer>();

  /** `makeTag` is called once for a value while the name stays the same; without a value every time. */
  of(value: object | null, name: string, makeTag: () => string): KnownAnswer {
    const last = value && this.#last.get(value);
    if (last?.name === name) return last;
    const made = new KnownAnswer(name, makeTag());
    if (value) this.#last.set(value, made);
    return made;
  }
}
