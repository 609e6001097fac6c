/**
 * A number that differs after every change that the memory has to know of, of any process; null where
 * that cannot be told.
 */
export interface ChangeNumber {
  /** As far as is known without asking: changes of other connections may be missing. */
  known(): number | null;
  /** Whether it has not changed: the database is asked where that is not known to be wrong. */
  isStill(changes: number | null): boolean;
}

/** Beyond this everything is forgotten: the next look-up asks the database, which costs little. */
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

  /** What is not remembered costs no question whether anything has changed. */
  get(key: string): V | undefined {
    const value = this.#values.get(key);
    return value !== undefined && this.#changes.isStill(this.#at) ? value : undefined;
  }

  /**
   * Reads and remembers, and forgets what was read before a change; what changed here while it was being read is not
   * remembered. A change elsewhere that was not asked about is found by the next `get`.
   */
  async read(key: string, read: () => Promise<V | null>): Promise<V | null> {
    const before = this.#changes.known();
    const value = await read();
    if (value === null || before === null || this.#changes.known() !== before) return value;
    if (before !== this.#at || this.#values.size >= MOST) this.#values.clear();
    this.#at = before;
    this.#values.set(key, value);
    return value;
  }
}

/** The tables that say whose token it is and how copies may be used; see `createTokenStore` and `markColumns`. */
const watchedTables: ReadonlySet<string> = new Set(['tokens', 'users', 'credentials', 'room_bindings']);

/** Changes of users that do not matter here: counters of sessions, and the touch that only takes the row's lock. */
const unwatchedColumns: ReadonlySet<string> = new Set(['session_revision', 'created_at', 'last_login_at', 'event_seq']);

const reading = /^\s*(?:select|pragma|begin|commit|savepoint|release)\b/i;
const writing = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/i;
const assignments = /^\s*update\s+"users"\s+set\s+(.*?)\s+where\s/is;
const assigned = /"(\w+)"\s*=/g;

/**
 * Whether a statement may change what a token look-up gives. Tables that hang on users change by their own
 * statements or go with their user; what is not understood counts, and so does a rollback.
 */
export const changesTokens = (sql: string): boolean => {
  if (reading.test(sql)) return false;
  const table = writing.exec(sql)?.[1];
  if (table === undefined) return true;
  if (!watchedTables.has(table.toLowerCase())) return false;
  const columns = [...(assignments.exec(sql)?.[1] ?? '').matchAll(assigned)].map(([, column = '']) => column);
  return columns.length === 0 || !columns.every((column) => unwatchedColumns.has(column));
};
