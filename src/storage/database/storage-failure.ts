import { type Failure, failures, isFailure } from '../../domain/errors.ts';

/** Joins SQLSTATEs, result codes of SQLite and names such as `ECONNREFUSED`. */
const databaseCodeOf = (error: object): string => {
  const parts = [];
  if ('code' in error && typeof error.code === 'string') parts.push(error.code);
  if ('errcode' in error && typeof error.errcode === 'number') parts.push(String(error.errcode));
  // SQLite's fixed text for the code says nothing of the statement.
  if ('errstr' in error && typeof error.errstr === 'string') parts.push(error.errstr);
  if ('constraint' in error && typeof error.constraint === 'string') parts.push(error.constraint);
  return parts.join(' ');
};

/** The place and codes of a database error. The original may hold values, addresses and credentials, so it is dropped. */
export class DatabaseError extends Error {
  readonly code: string;

  constructor(operation: string, original: unknown) {
    const code = (typeof original === 'object' && original !== null && databaseCodeOf(original)) || 'no code';
    const name = original instanceof Error ? original.name : typeof original;
    super(`${operation}: ${name} (${code})`);
    this.name = 'DatabaseError';
    this.code = code;
  }
}

/**
 * The server is away, starting, full of connections or read-only since another one took over; the file is locked or
 * read-only; the disk is full or fails.
 */
const passing =
  /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|08|25006|53|57P0|58)|database is locked|disk is full|disk I\/O error|readonly database|unable to open database file/;
const full = /disk is full|^(ENOSPC|EDQUOT|53100)\b/;

/** The PostgreSQL driver throws these without a code. */
const lostConnection = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/;
const RETRY_AFTER_SECONDS = 5;

const isPassing = (original: unknown, code: string): boolean => {
  if (original instanceof AggregateError)
    return original.errors.some((each) => isPassing(each, new DatabaseError('', each).code));
  return passing.test(code) || (original instanceof Error && lostConnection.test(original.message));
};

/** Makes a failure, with a retry time if the cause may pass. */
export const storageFailure = (operation: string, error: unknown): Failure => {
  if (isFailure(error)) return error;
  const cause = new DatabaseError(operation, error);
  const retryAfterSeconds = isPassing(error, cause.code) ? RETRY_AFTER_SECONDS : undefined;
  return failures.storageFailed(operation, { cause, retryAfterSeconds });
};

const advice: ReadonlyArray<readonly [code: RegExp, hint: string]> = [
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/,
    'check that the database server runs, and its host and port',
  ],
  [/^28/, 'check its user and password'],
  [/^3D000\b/, 'create that database on the server, or name another one'],
  [/^25006\b/, 'that server takes no writes: name the one that does'],
  [/disk I\/O error|^58/, 'its disk fails: look at the log of the machine'],
  [/^57P03\b/, 'wait until the database server has started'],
  [
    /^(EACCES|EPERM|EROFS)\b|readonly|unable to open/,
    'make its folder and file writable for this user, or name another one',
  ],
  [/^(EISDIR|ENOTDIR)\b/, 'name a file in a folder'],
  [full, 'the disk is full: make room on it; nothing is lost'],
  [/not a database/, 'name another file; this one is left as it is'],
  [/^UNKNOWN_SCHEMA\b/, 'it was last used by a newer version of this service; start that version'],
  [/^OLDER_SCHEMA\b/, 'start the service, which brings it to the schema of this version'],
  [/^NO_DATABASE\b/, 'start the service, which makes it'],
  [
    /^NO_ROOM_TO_COPY\b/,
    'make room beside it for a copy, or have one of your own elsewhere and start once with --no-copy',
  ],
];

/** Says in codes and fixed texts why a database could not be opened and what to do about it. */
export const openingAdvice = (error: unknown): { readonly code: string; readonly hint: string } => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof DatabaseError ? cause.code : 'no code';
  const [, hint] = advice.find(([pattern]) => pattern.test(code)) ?? [];
  return { code, hint: hint ?? 'check that it exists and can be reached' };
};
