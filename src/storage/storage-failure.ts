import { Failure } from '../domain/errors.ts';

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
