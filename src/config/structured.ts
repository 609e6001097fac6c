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

const keyPattern = /^[A-Za-z0-9+/]{43}=$/;

/** How a bad key looks, without showing any of it. */
const shapeOf = (text: string): string => {
  if (text === '') return 'empty';
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return `base64 of ${Buffer.from(text, 'base64').length} bytes`;
  return `${text.length} characters that are not all standard base64`;
};

/**
 * The comma list of secret keys, each 32 bytes in standard base64 (44 characters). The problem names the position and the
 * shape of a bad key, never its content.
 */
export const readSecretKeys = (text: string): { keys: Buffer[] } | { problem: string } => {
  const entries = text.split(',').map((entry) => entry.trim());
  const keys: Buffer[] = [];
  for (const [at, entry] of entries.entries()) {
    const name = `secret key ${at + 1} of ${entries.length}`;
    const key = Buffer.from(entry, 'base64');
    // Comparing with the re-encoded bytes also refuses stray bits behind the last byte.
    if (!keyPattern.test(entry) || key.toString('base64') !== entry)
      return { problem: `${name} must be 32 bytes in base64 (44 characters), got ${shapeOf(entry)}` };
    if (entries.indexOf(entry) < at) return { problem: `${name} is given twice` };
    keys.push(key);
  }
  return { keys };
};

/** The most uses that an invite code with a limit may have, whoever makes it. */
export const MOST_INVITE_USES = 1_000_000;

const inviteForm = /^([^\s:,]{1,100})(?::([1-9]\d{0,6}))?$/;

/** `code` for one use or `code:uses`; null when it is neither. */
export const parseInviteSeed = (text: string): InviteSeed | null => {
  const [, code, uses = '1'] = inviteForm.exec(text) ?? [];
  return code === undefined || Number(uses) > MOST_INVITE_USES ? null : { code, maxUses: Number(uses) };
};
