import { Failure } from '../../domain/errors.ts';

/** Codes of Node, SQLite and PostgreSQL: SQLSTATEs, result codes and names such as `ECONNREFUSED`. */
const codeOf = (error: object): string => {
  const parts = [];
  if ('code' in error && typeof error.code === 'string') parts.push(error.code);
  if ('errcode' in error && typeof error.errcode === 'number') parts.push(String(error.errcode));
  // SQLite's fixed text of the result code, never of the statement.
  if ('errstr' in error && typeof error.errstr === 'string') parts.push(error.errstr);
  if ('constraint' in error && typeof error.constraint === 'string') parts.push(error.constraint);
  return parts.join(' ');
};

/**
 * What may be logged of a database error: where it happened and its codes. The message and members of the original
 * can hold the statement's values, addresses and credentials, so it is not kept.
 */
export class DatabaseError extends Error {
  readonly code: string;

  constructor(operation: string, original: unknown) {
    const code = (typeof original === 'object' && original !== null && codeOf(original)) || 'no code';
    const name = original instanceof Error ? original.name : typeof original;
    super(`${operation}: ${name} (${code})`);
    this.name = 'DatabaseError';
    this.code = code;
  }
}

export const storageFailure = (operation: string, error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('storage-failed', { reason: operation, cause: new DatabaseError(operation, error) });

const advice: ReadonlyArray<readonly [code: RegExp, hint: string]> = [
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/,
    'check that the database server runs, and its host and port',
  ],
  [/^28/, 'check its user and password'],
  [/^3D000\b/, 'create that database on the server, or name another one'],
  [/^57P03\b/, 'wait until the database server has started'],
  [
    /^(EACCES|EPERM|EROFS)\b|readonly|unable to open/,
    'make its folder and file writable for this user, or name another one',
  ],
  [/^(EISDIR|ENOTDIR)\b/, 'name a file in a folder'],
  [/not a database/, 'name another file; this one is left as it is'],
  [/^UNKNOWN_SCHEMA\b/, 'it was last used by a newer version of this service; start that version'],
  [/^OLDER_SCHEMA\b/, 'start the service or run `campus migrate`, which bring it to the schema of this version'],
  [/^NO_DATABASE\b/, 'start the service, which makes it'],
  [
    /^NO_ROOM_TO_COPY\b/,
    'make room beside it for a copy, or have one of your own elsewhere and start once with --no-copy',
  ],
];

/** Why a database could not be opened, and what to do about it. Holds nothing but codes and fixed texts. */
export const openingAdvice = (error: unknown): { readonly code: string; readonly hint: string } => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof DatabaseError ? cause.code : 'no code';
  const [, hint] = advice.find(([pattern]) => pattern.test(code)) ?? [];
  return { code, hint: hint ?? 'check that it exists and can be reached' };
};
