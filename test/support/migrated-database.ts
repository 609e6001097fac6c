import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/domain/context.ts';
import { createStorage } from '../../src/storage/storage.ts';

let migrated: Promise<Buffer> | null = null;

const migrate = async (): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-migrated-'));
  const path = join(folder, 'campus.db');
  const storage = await createStorage({ url: `sqlite:${path}`, keys: [Buffer.alloc(32, 1)], log: silentLog });
  await storage.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
};

/** Puts a SQLite file there that has all tables and no rows. Making them anew takes longer than most tests. */
export const writeMigratedDatabase = async (path: string): Promise<void> => {
  migrated ??= migrate();
  writeFileSync(path, await migrated, { mode: 0o600 });
};
