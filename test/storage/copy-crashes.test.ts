import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import { migratedPostgresUrl } from '../support/migrated-database.ts';
import { createStorage } from '../support/storage.ts';
import { keyA, registered } from './databases.ts';

/** Processes at once. */
const WIDTH = 4;
const reads = ['summary', 'terms'] as const;

describe.each(['sqlite', 'postgres'] as const)('a process that is killed while it writes copies (%s)', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-crash-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const using = async <T>(url: string, work: (storage: Storage) => Promise<T>): Promise<T> => {
    const storage = await createStorage({ url, keys: [keyA], log: silentLog });
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };

  /** A student with two old copies, where `keep-and-die.ts` writes new ones. What is found after its end. */
  const keepUntil = async (url: string, moment: number) => {
    const { userid } = await using(url, async (storage) => {
      const student = await registered(storage);
      const generation = (await storage.sessions.generation(student.userid)) ?? 0;
      const old = { params: '[]', shape: 1, text: '"old"', writes: 0, readAt: 1 };
      const copies = reads.map((read) => ({ ...old, read }));
      await keptIn(storage).copies.keep(student.userid, generation, copies);
      return student;
    });
    const child = spawn(process.execPath, ['test/storage/keep-and-die.ts', url, userid, String(moment)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [, signal] = await once(child, 'close');
    return using(url, async (storage) => {
      const find = (read: string) => storage.copies.find({ userid, read, params: '[]', shape: 1 });
      const found = await Promise.all(reads.map(find));
      // The dead process does not hold up the next one.
      const generation = (await storage.sessions.generation(userid)) ?? 0;
      const later = { params: '[]', shape: 1, text: '"later"', writes: 2, readAt: 3, read: 'summary' };
      await keptIn(storage).copies.keep(userid, generation, [later]);
      expect((await find('summary'))?.text).toBe('"later"');
      return { moments: Number(said), signal, found };
    });
  };
  let databases = 0;
  const freshUrl = async () => {
    databases += 1;
    return kind === 'postgres' ? migratedPostgresUrl() : `sqlite:${join(folder, `${databases}.db`)}`;
  };
  const both = (copy: { text: string; writes: number; readAt: number }) => reads.map(() => ({ ...copy, shape: 1 }));
  const old = both({ text: '"old"', writes: 0, readAt: 1 });
  const fresh = both({ text: '"new"', writes: 1, readAt: 2 });

  it('leaves the old copies or the new ones at every moment, never half of them', async () => {
    const whole = await keepUntil(await freshUrl(), 0);
    expect(whole).toMatchObject({ signal: null, found: fresh });
    // Begin, lock, two looks, two writes, the look for too many, commit, and after it.
    expect(whole.moments).toBeGreaterThanOrEqual(9);

    const left: Array<'old' | 'new'> = [];
    // Every other one, and all around the commit.
    const moments = Array.from({ length: whole.moments }, (_, at) => at + 1).filter(
      (moment) => moment % 2 === 1 || moment > whole.moments - 3,
    );
    const workers = Array.from({ length: WIDTH }, async () => {
      const url = await freshUrl();
      for (let moment = moments.shift(); moment !== undefined; moment = moments.shift()) {
        const { signal, found } = await keepUntil(url, moment);
        expect(signal, `moment ${moment}`).toBe('SIGKILL');
        expect([old, fresh], `moment ${moment}`).toContainEqual(found);
        left[moment] = found[0]?.text === '"old"' ? 'old' : 'new';
      }
    });
    await Promise.all(workers);
    // Until the commit the old ones, from then on the new ones.
    const last = left.lastIndexOf('old');
    expect(left.slice(0, last + 1)).not.toContain('new');
    expect([left[1], left.at(-1)]).toEqual(['old', 'new']);
  }, 120_000);
});
