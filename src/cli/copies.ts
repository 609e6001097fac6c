import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { demoTraces } from '../config/demo.ts';
import type { Log } from '../domain/context.ts';
import { copyStorage, openStorage } from '../open-storage.ts';
import type { Operator } from './operator.ts';

const total = (report: ReadonlyMap<string, number>) => ({
  tables: report.size,
  rows: [...report.values()].reduce((sum, rows) => sum + rows, 0),
});

const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** A backup is a SQLite database with the tables of the service, whatever it came from. */
export const copiesOf = (
  config: Config,
  storage: Awaited<ReturnType<typeof openStorage>>,
  log: Log,
): Pick<Operator, 'backup' | 'restore' | 'move'> => ({
  async backup(file) {
    const path = resolve(file);
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      if (isThere(error)) return null;
      throw error;
    }
    try {
      const report = await copyStorage(storage, { kind: 'sqlite', path });
      if (report === null) throw new Error(`${file} was written to by somebody else`);
      return total(report);
    } catch (error) {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
      throw error;
    }
  },

  async restore(file, check) {
    // Opening brings a backup of an earlier version to the present schema: the file itself stays as it is.
    const folder = mkdtempSync(join(tmpdir(), 'campus-restore-'));
    try {
      const path = join(folder, 'backup.db');
      copyFileSync(resolve(file), path);
      const backup = await openStorage({ ...config, storage: { kind: 'sqlite', path } }, log);
      try {
        const refusal = check(await backup.campusIdentity.owner(demoTraces.code), await backup.foreignSeals());
        if (refusal !== null) return { refusal };
        const report = await copyStorage(backup, config.storage);
        return report === null ? { refusal: 'not empty' } : total(report);
      } finally {
        await backup.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  async move(url) {
    const report = await copyStorage(storage, { kind: 'postgres', url });
    return report === null ? null : total(report);
  },
});
