import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { randomToken, sha256 } from '../../src/lib/hash.ts';
import { codeFor, inviteToken, keyA, login, onBothDatabases, start } from './databases.ts';

const everythingStored = async (url: string): Promise<string> => {
  if (url.startsWith('sqlite:')) {
    const folder = dirname(url.slice('sqlite:'.length));
    const files = readdirSync(folder);
    expect(files).toContain('campus.db-wal');
    return files.map((file) => readFileSync(`${folder}/${file}`, 'latin1')).join('\n');
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
    const texts = [];
    for (const { tablename } of tables.rows)
      texts.push(JSON.stringify(await client.query(`select * from ${tablename}`)));
    return texts.join('\n');
  } finally {
    await client.end();
  }
};

onBothDatabases('durability', (database) => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  it('what was answered as done is there after the process was killed', async () => {
    const child = spawn(process.execPath, ['test/storage/write-and-hang.ts', database.url()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toBe('created\n');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const reopened = await database.open([keyA]);
    expect(await reopened.accounts.findUser('survivor')).not.toBeNull();
    expect((await reopened.accounts.readPair('survivor'))?.pair).toEqual({
      password: 'unified',
      vpnPassword: 'portal',
    });
    expect(await reopened.tokens.find('token', 1)).not.toBeNull();
    expect(await reopened.invites.findCode('crash')).toMatchObject({ used: 1 });
  });

  it('no password, token or session state is stored in clear', async () => {
    const storage = await database.open();
    const token = randomToken();
    const invite = randomToken();
    await storage.invites.createCode({ code: 'clear', maxUses: null, expiresAt: null, now: start });
    await storage.accounts.register({
      userid: 'MARKER-STUDENT',
      pair: { password: 'MARKER-UNIFIED-1', vpnPassword: 'MARKER-PORTAL-1' },
      invite: { hash: sha256(invite), code: 'clear', expiresAt: start + 9 },
      tokenHash: sha256(token),
      tokenExpiresAt: start + 9,
      tokenEndsAt: start + 9,
      tokenNetwork: '192.0.2.0/24',
      now: start,
    });
    await login(storage, 'MARKER-STUDENT', {
      newPair: { password: 'MARKER-UNIFIED-2', vpnPassword: 'MARKER-PORTAL-2' },
    });
    const generation = await storage.sessions.generation('MARKER-STUDENT');
    await storage.sessions.save(
      'MARKER-STUDENT',
      generation ?? 0,
      [{ system: 'jwc', state: 'JSESSIONID=MARKER-COOKIE' }],
      start,
    );

    const stored = await everythingStored(database.url());
    expect(stored).toContain('MARKER-STUDENT');
    expect(stored).toContain(sha256(token));
    for (const secret of ['MARKER-UNIFIED', 'MARKER-PORTAL', 'MARKER-COOKIE', token, invite])
      expect(stored).not.toContain(secret);
  });

  it('a storage that is opened again finds its schema done and its data in place', async () => {
    const first = await database.open();
    const invite = await inviteToken(first);
    await first.close();
    const again = await database.open();
    await again.ping();
    expect(await codeFor(again, invite)).toBe(invite.code);
  });
});
