import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import { REPLICA_LIFE_MS } from '../../src/domain/replicas.ts';
import { createStorage } from '../../src/storage/storage.ts';
import { campusCommand, typeCampus } from '../support/campus-command.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { startService, workingDirectory } from '../support/service-process.ts';

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

it.each(['sqlite', 'postgres'] as const)(
  'nothing is restored into a database on which a service runs (%s)',
  async (kind) => {
    const cwd = workingDirectory();
    const url = kind === 'sqlite' ? `sqlite:${join(cwd, 'campus.db')}` : await freshPostgresUrl();
    const env = { ...demo, DATABASE_URL: url };
    const service = await startService(cwd, env);
    const backup = join(cwd, 'backup.db');
    const run = (...args: string[]) => campusCommand(args, env);
    expect(await run('backup', backup)).toMatchObject({ code: 0 });
    expect((await run('invite', 'list')).out).toContain('DEMO-2026');
    const refused = await run('restore', backup);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(
      /the service runs on the database \(.+:\d+\); end it first\. .* 30 s more\nnothing was changed/,
    );
    // Once it has ended, the file that is already there is in the way.
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
    expect((await run('restore', backup)).err).toContain('holds data already');
  },
);

it('a database is not moved from under a service that runs, and one that was killed is forgotten', async () => {
  const cwd = workingDirectory();
  const path = join(cwd, 'campus.db');
  const env = { ...demo, DATABASE_URL: `sqlite:${path}` };
  const target = await freshPostgresUrl();
  const service = await startService(cwd, env);
  const move = () => campusCommand(['move', '--to', target], env);
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('the service runs on the database') });
  service.kill('SIGKILL');
  await service.ended;
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('30 s more') });
  const database = new DatabaseSync(path);
  database.prepare('update replicas set expires_at = expires_at - ?').run(REPLICA_LIFE_MS);
  database.close();
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
