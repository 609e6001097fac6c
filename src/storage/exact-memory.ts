/**
 * A number that is another one after every change that the memory has to know of, by whomever it was made; null where
 * nobody can tell.
 */
export type ChangeNumber = () => number | null;

/** Beyond this everything is forgotten: the next look asks the database, which costs little. */
const MOST = 20_000;

/**
 * What was read from the database, for as long as the database says that nothing has changed. It never answers anything
 * but what the database would answer at that moment.
 */
export class ExactMemory<V extends object> {
  readonly #changes: ChangeNumber;
  readonly #values = new Map<string, V>();
  #at: number | null = null;

  constructor(changes: ChangeNumber) {
    this.#changes = changes;
  }

  get(key: string): V | undefined {
    this.#forgetIfChanged();
    return this.#values.get(key);
  }

  /** Reads and remembers; what changed while it was being read is not remembered. */
  async read(key: string, read: () => Promise<V | null>): Promise<V | null> {
    this.#forgetIfChanged();
    const before = this.#at;
    const value = await read();
    this.#forgetIfChanged();
    if (value === null || before === null || this.#at !== before) return value;
    if (this.#values.size >= MOST) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }

  #forgetIfChanged(): void {
    const now = this.#changes();
    if (now !== null && now === this.#at) return;
    this.#values.clear();
    this.#at = now;
  }
}
