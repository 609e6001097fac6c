import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { REPLICA_LIFE_MS } from '../../src/domain/replicas.ts';
import { campusCommand, typeCampus } from '../support/campus-command.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { startService, workingDirectory } from '../support/service-process.ts';
import { createStorage } from '../support/storage.ts';

const key = Buffer.alloc(32, 1);
const demo = { CAMPUS: 'demo', SECRET_KEY: key.toString('base64') };

/** A database of this campus with something in it. */
const fill = async (path: string, owner: Readonly<Record<string, string>> = { CAMPUS: 'demo' }): Promise<void> => {
  const storage = await createStorage({ url: `sqlite:${path}`, keys: [key], log: silentLog });
  await storage.campusIdentity.claim(owner, 'DEMO-2026');
  // Some pages of rows: a copy hears a signal between two of them.
  for (let at = 0; at < 200; at += 1) {
    await storage.invites.createCode({ code: `CODE-${at}`, maxUses: 1, expiresAt: null, now: Date.now() });
  }
  await storage.close();
};

/** The service over that database, with a backup of it, and what an operator types beside it. */
const serveAt = async (url: string) => {
  const cwd = workingDirectory();
  const env = { ...demo, DATABASE_URL: url };
  const service = await startService(cwd, env);
  const run = (...args: string[]) => campusCommand(args, env);
  const backup = join(cwd, 'backup.db');
  expect(await run('backup', backup)).toMatchObject({ code: 0 });
  expect((await run('invite', 'list')).out).toContain('DEMO-2026');
  const restore = () => run('restore', backup);
  const refused = await restore();
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(
    /the service runs on the database \(.+:\d+\); end it first\. .* 30 s more\nnothing was changed/,
  );
  return { service, run, restore };
};

it('nothing is restored into a database on which a service runs (postgres)', async () => {
  const { service, restore } = await serveAt(await freshPostgresUrl());
  service.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
  // Once it has ended, the rows that are already there are in the way.
  expect((await restore()).err).toContain('holds data already');
});

it('nothing is restored into a file under a service that runs, nor is it moved; one that was killed is forgotten', async () => {
  const path = join(workingDirectory(), 'campus.db');
  const target = await freshPostgresUrl();
  const { service, run, restore } = await serveAt(`sqlite:${path}`);
  const move = () => run('move', '--to', target);
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('the service runs on the database') });
  service.kill('SIGKILL');
  await service.ended;
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('30 s more') });
  const database = new DatabaseSync(path);
  database.prepare('update replicas set expires_at = expires_at - ?').run(REPLICA_LIFE_MS);
  database.close();
  expect((await restore()).err).toContain('holds data already');
  expect(await move()).toMatchObject({ code: 0 });
});

it('a restore that is refused or ended by a signal leaves nothing behind', async () => {
  const cwd = workingDirectory();
  const temporary = join(cwd, 'tmp');
  mkdirSync(temporary);
  const env = { ...demo, TMPDIR: temporary };
  const left = () => readdirSync(temporary);

  await fill(join(cwd, 'foreign.db'), { CAMPUS_VPN_URL: 'https://vpn.example.edu' });
  const fresh = { ...env, DATABASE_URL: `sqlite:${join(cwd, 'new.db')}` };
  const refused = await typeCampus(cwd, ['restore', 'foreign.db'], fresh).ended;
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('vpn.example.edu') });
  expect([left(), existsSync(join(cwd, 'new.db'))]).toEqual([[], false]);

  await fill(join(cwd, 'backup.db'));
  const target = join(cwd, 'target.db');
  await (await createStorage({ url: `sqlite:${target}`, keys: [key], log: silentLog })).close();
  // Another process writes there, so that the copying cannot begin before the signal has come.
  const other = new DatabaseSync(target);
  other.exec('begin immediate');
  const restore = typeCampus(cwd, ['restore', 'backup.db'], { ...env, DATABASE_URL: `sqlite:${target}` });
  await vi.waitFor(() => expect(left()).toHaveLength(1), { timeout: 20_000, interval: 10 });
  restore.child.kill('SIGTERM');
  other.exec('rollback');
  other.close();
  const ended = await restore.ended;
  expect(ended).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('ended by SIGTERM; nothing was changed'),
  });
  expect(left()).toEqual([]);
  const after = await createStorage({ url: `sqlite:${target}`, keys: [key], log: silentLog });
  expect(await after.campusIdentity.owner('DEMO-2026')).toBeNull();
  await after.close();
});
