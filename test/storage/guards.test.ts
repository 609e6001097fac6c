import { beforeAll, expect, it } from 'vitest';
import type { GuardState } from '../../src/domain/accounts/ports.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, onBothDatabases, someStudent, start } from './databases.ts';

const none: GuardState = {
  loginCoolDownUntil: null,
  registrationCoolDownUntil: null,
  pauseUntil: null,
  pauseSeconds: 0,
};

onBothDatabases('guards', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });

  it('a student id without a guard reads as free', async () => {
    expect(await storage.guards.read(someStudent())).toEqual(none);
  });

  it('a guard is kept for a student id that is not registered, and replaced whole', async () => {
    const userid = someStudent();
    const first = { ...none, registrationCoolDownUntil: start + 300_000 };
    const second = { ...none, pauseUntil: start + 60_000, pauseSeconds: 60 };
    await storage.guards.write(userid, first);
    expect(await storage.guards.read(userid)).toEqual(first);
    await storage.guards.write(userid, second);
    expect(await storage.guards.read(userid)).toEqual(second);
    await storage.guards.write(userid, none);
    expect(await storage.guards.read(userid)).toEqual(none);
  });

  it('parallel first writes of one guard do not fail', async () => {
    const userid = someStudent();
    const replica = await database.open();
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        (n % 2 ? storage : replica).guards.write(userid, { ...none, loginCoolDownUntil: start + n }),
      ),
    );
    expect((await storage.guards.read(userid)).loginCoolDownUntil).toBeGreaterThan(start);
  });

  it('a sweep removes what is over and remembers the length of a pause for a day', async () => {
    const cooled = someStudent();
    const running = someStudent();
    const paused = someStudent();
    await storage.guards.write(cooled, { ...none, loginCoolDownUntil: start, registrationCoolDownUntil: start - 1 });
    await storage.guards.write(running, { ...none, loginCoolDownUntil: start, registrationCoolDownUntil: start + 1 });
    await storage.guards.write(paused, { ...none, pauseUntil: start, pauseSeconds: 120 });

    await storage.sweep(start);
    expect(await storage.guards.read(cooled)).toEqual(none);
    expect(await storage.guards.read(running)).toMatchObject({ registrationCoolDownUntil: start + 1 });
    expect(await storage.guards.read(paused)).toMatchObject({ pauseSeconds: 120 });

    await storage.sweep(start + day);
    expect(await storage.guards.read(paused)).toEqual(none);
  });
});
