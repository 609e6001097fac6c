import { DatabaseError } from './storage-failure.ts';

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
];

/** Why a database could not be opened, and what to do about it. Holds nothing but codes and fixed texts. */
export const openingAdvice = (error: unknown): { readonly code: string; readonly hint: string } => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof DatabaseError ? cause.code : 'no code';
  const [, hint] = advice.find(([pattern]) => pattern.test(code)) ?? [];
  return { code, hint: hint ?? 'check that it exists and can be reached' };
};
