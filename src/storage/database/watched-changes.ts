/** The tables that say whose token it is and how copies may be used; see `createTokenStore` and `markColumns`. */
const watchedTables: ReadonlySet<string> = new Set(['tokens', 'users', 'credentials', 'room_bindings']);

/** Changes of users that nobody has to know of: counters of sessions, and the touch that only takes the row's lock. */
const unwatchedColumns: ReadonlySet<string> = new Set(['session_revision', 'created_at', 'last_login_at', 'event_seq']);

const reading = /^\s*(?:select|pragma|begin|commit|savepoint|release)\b/i;
const writing = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/i;
const assignments = /^\s*update\s+"users"\s+set\s+(.*?)\s+where\s/is;
const assigned = /"(\w+)"\s*=/g;

/**
 * Whether a statement may change what a look for a token gives. Tables that hang on users change by their own
 * statements or go with their user; what is not understood counts, and so does taking back.
 */
export const changesTokens = (sql: string): boolean => {
  if (reading.test(sql)) return false;
  const table = writing.exec(sql)?.[1];
  if (table === undefined) return true;
  if (!watchedTables.has(table.toLowerCase())) return false;
  const columns = [...(assignments.exec(sql)?.[1] ?? '').matchAll(assigned)].map(([, column = '']) => column);
  return columns.length === 0 || !columns.every((column) => unwatchedColumns.has(column));
};
