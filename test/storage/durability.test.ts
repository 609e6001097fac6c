import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { keyA, onBothDatabases } from './databases.ts';

onBothDatabases('durability', (database) => {
  it('a registration that was answered is there after its process was killed', async () => {
    const child = spawn(process.execPath, ['test/storage/write-and-hang.ts', database.url()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toBe('created\n');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const reopened = await database.open([keyA]);
    expect((await reopened.accounts.readPair('survivor'))?.pair).toEqual({
      password: 'unified',
      vpnPassword: 'portal',
    });
    expect(await reopened.tokens.find('token', 1)).not.toBeNull();
    expect(await reopened.invites.findCode('crash')).toMatchObject({ used: 1 });
  });
});
