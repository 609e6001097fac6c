import { expect, it } from 'vitest';
import { keyA, keyB, login, onBothDatabases, registered } from './databases.ts';

onBothDatabases('the key check', (database) => {
  it('counts the students whose passwords none of the keys opens, until they log in anew', async () => {
    const storage = await database.open([keyA]);
    const { userid } = await registered(storage);
    await registered(storage);
    expect(await storage.foreignSeals()).toBe(0);

    const elsewhere = await database.open([keyB]);
    expect(await elsewhere.foreignSeals()).toBe(2);
    expect(await (await database.open([keyB, keyA])).foreignSeals()).toBe(0);

    await login(elsewhere, userid, { newPair: { password: 'new-unified', vpnPassword: 'new-portal' } });
    expect(await elsewhere.foreignSeals()).toBe(1);
  });
});
