import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../src/cli/run.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { keyFiles } from '../../../src/config/process-files.ts';
import { silentLog } from '../../../src/domain/context.ts';
import { REPLICA_LIFE_MS } from '../../../src/domain/replicas.ts';
import { campusCommand } from '../../support/campus-command.ts';
import { type AtEnd, afterAllTests, workingDirectory } from '../../support/service-process.ts';
import { createStorage } from '../../support/storage.ts';

/**
 * By command: lines that are refused where there is no database, and where a service runs on one that holds nothing of
 * what they name. FOLDER is the place.
 */
const refused: Readonly<Record<string, { readonly alone: readonly string[]; readonly beside: readonly string[] }>> = {
  'invite create': {
    alone: ['invite create a,b', 'invite create --expires yesterday', 'invite create --expires 2020-01-01'],
    beside: ['invite create KNOWN-CODE', 'invite create --uses 0'],
  },
  'invite list': { alone: ['invite list'], beside: ['invite list x'] },
  'invite revoke': { alone: ['invite revoke A'], beside: ['invite revoke A'] },
  'user list': { alone: ['user list'], beside: ['user list x'] },
  'user show': { alone: ['user show 1'], beside: ['user show 1'] },
  'user revoke': { alone: ['user revoke 1'], beside: ['user revoke 1'] },
  'user delete': { alone: ['user delete --yes 1'], beside: ['user delete --yes 1', 'user delete 1'] },
  feeds: { alone: ['feeds 1', 'feeds 1 --revoke-all'], beside: ['feeds 1', 'feeds 1 --revoke-all'] },
  unlock: { alone: ['unlock 1'], beside: ['unlock no-id'] },
  'guard reset': { alone: ['guard reset gateway'], beside: ['guard reset gateway'] },
  tag: { alone: ['tag 1'], beside: ['tag'] },
  backup: {
    alone: ['backup FOLDER/b.db', 'backup --done'],
    beside: ['backup FOLDER/kept.txt', 'backup FOLDER/none/b.db', 'backup'],
  },
  restore: {
    alone: ['restore FOLDER/none.db', 'restore FOLDER/kept.txt'],
    beside: ['restore FOLDER/none.db', 'restore FOLDER/kept.txt', 'restore FOLDER/backup.db'],
  },
  move: {
    alone: ['move --to postgres://u:p@127.0.0.1:1/x', 'move --to sqlite:x'],
    beside: ['move --to postgres://u:p@127.0.0.1:1/x'],
  },
  'rotate-keys': { alone: ['rotate-keys'], beside: ['rotate-keys now'] },
  init: { alone: ['init --profile many FOLDER'], beside: ['init --domain a=b FOLDER'] },
  doctor: { alone: ['doctor now'], beside: ['doctor now'] },
  record: {
    alone: ['record', 'record FOLDER/new', 'record --check FOLDER/none', 'record --compare FOLDER/none'],
    beside: ['record FOLDER', 'record FOLDER/new --check FOLDER', 'record --check FOLDER'],
  },
  status: { alone: ['status'], beside: ['status now'] },
};

/** Every file with its content; of a database its rows, which SQLite may write in another order of pages. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/-(wal|shm)$/.test(name))
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => {
        if (!name.endsWith('.db')) return [name, readFileSync(join(folder, name), 'base64')];
        const database = new DatabaseSync(join(folder, name), { readOnly: true });
        const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
        const rows = tables.map(({ name: table }) => database.prepare(`select * from "${table}"`).all());
        database.close();
        return [name, createHash('sha256').update(JSON.stringify(rows)).digest('hex')];
      }),
  );

const restoresLeft = (): string[] => readdirSync(tmpdir()).filter((name) => name.includes(`restore-${process.pid}-`));

/** A folder, and how to run a command line there. */
const place = (atEnd: AtEnd) => {
  const folder = workingDirectory(atEnd);
  writeFileSync(join(folder, 'kept.txt'), 'no database at all, but long enough to be looked at');
  const env = { PORT: '1', DATABASE_URL: `sqlite:${folder}/data/campus.db` };
  const run = async (line: string) => {
    const before = [contentOf(folder), restoresLeft()];
    const { code, err } = await campusCommand(line.replaceAll('FOLDER', folder).split(' '), env);
    return { code, said: err.trimEnd().split('\n'), before, after: [contentOf(folder), restoresLeft()] };
  };
  return { folder, env, run };
};

it('knows a refusal of every command', () => {
  expect(Object.keys(refused).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

describe('a refused command', () => {
  // None of the lines changes anything, so all of them share two places.
  const atEnd = afterAllTests();
  const [empty, served] = [place(atEnd), place(atEnd)];

  /** Runs lines, each of which is refused and leaves the place as it was. Gives what they said. */
  const refuse = async ({ run }: typeof empty, lines: readonly string[]) => {
    const told: Array<readonly [line: string, said: readonly string[]]> = [];
    for (const line of lines) {
      const { code, said, before, after } = await run(line);
      expect([line, code]).not.toEqual([line, 0]);
      expect([line, after]).toEqual([line, before]);
      told.push([line, said]);
    }
    return told;
  };

  it.each(Object.keys(refused))('%s leaves nothing behind without a database, and says why in a line', async (name) => {
    for (const [, said] of await refuse(empty, refused[name]?.alone ?? [])) expect([1, 2]).toContain(said.length);
  });

  describe('beside a running service', () => {
    beforeAll(async () => {
      const { folder, env } = served;
      const { secretKeys } = loadConfig(env, keyFiles);
      const storage = await createStorage({ url: env.DATABASE_URL, keys: secretKeys, log: silentLog });
      await storage.campusIdentity.claim({ CAMPUS: 'demo' }, 'DEMO-2026');
      await storage.invites.createCode({ code: 'KNOWN-CODE', maxUses: 1, expiresAt: null, now: Date.now() });
      await storage.copyTo(`sqlite:${folder}/backup.db`);
      await storage.close();
    });

    // It lives as long as it says so.
    beforeEach(() => {
      const database = new DatabaseSync(join(served.folder, 'data/campus.db'));
      const row = "('r', 'running:1', ?)";
      database
        .prepare(`insert or replace into replicas (id, name, expires_at) values ${row}`)
        .run(Date.now() + REPLICA_LIFE_MS);
      database.close();
    });

    it.each(Object.keys(refused))('%s leaves its database as it is', async (name) => {
      for (const [line, said] of await refuse(served, refused[name]?.beside ?? []))
        if (line.includes('backup.db') || line.startsWith('move'))
          expect(said[0]).toMatch(/the service runs on the database \(running:1\)|cannot be opened/);
    });
  });
});
