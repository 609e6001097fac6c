import { parseSecretKeys } from '../lib/secret-keys.ts';

export type DatabaseAddress =
  | { readonly kind: 'sqlite' /** File path, or `:memory:`. */; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface InviteSeed {
  readonly code: string;
  /** Null: no limit. */
  readonly maxUses: number | null;
}

/** `sqlite:<path>` or `postgres://…`; null when it is neither. */
export const parseDatabaseUrl = (text: string): DatabaseAddress | null => {
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', path: file };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  return hostname !== '' && pathname.length > 1 ? { kind: 'postgres', url: text } : null;
};

/** The database as people may read of it: a URL may hold a password, its host and name say enough. */
export const storageName = (storage: DatabaseAddress): string => {
  if (storage.kind === 'sqlite') return `SQLite ${storage.path}`;
  const url = URL.parse(storage.url);
  return url ? `PostgreSQL ${url.host}${url.pathname}` : 'PostgreSQL';
};

/** The problem repeats nothing of the keys, only positions and lengths. */
export const readSecretKeys = (text: string): { keys: Buffer[] } | { problem: string } => {
  try {
    return { keys: parseSecretKeys(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'not readable' };
  }
};

/** The most uses that an invite code with a limit may have, whoever makes it. */
export const MOST_INVITE_USES = 1_000_000;

const inviteForm = /^([^\s:,]{1,100})(?::([1-9]\d{0,6}))?$/;

/** `code` for one use or `code:uses`; null when it is neither. */
export const parseInviteSeed = (text: string): InviteSeed | null => {
  const [, code, uses = '1'] = inviteForm.exec(text) ?? [];
  return code === undefined || Number(uses) > MOST_INVITE_USES ? null : { code, maxUses: Number(uses) };
};
