import type { Config } from './config.ts';

/** The database as people may read of it: a URL may hold a password, its host and name say enough. */
export const storageName = (storage: Config['storage']): string => {
  if (storage.kind === 'sqlite') return `SQLite ${storage.path}`;
  const url = URL.parse(storage.url);
  return url ? `PostgreSQL ${url.host}${url.pathname}` : 'PostgreSQL';
};
