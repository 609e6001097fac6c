import { expect, it } from 'vitest';
import { onBothDatabases, registered, start } from './databases.ts';

onBothDatabases('copies of one read', (database) => {
  it('an unchanged reading of one term does not make the copy of another term look read now', async () => {
    const storage = await database.open();
    const { userid } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? -1;
    const [autumn, spring] = ['["2025-2026-1-1"]', '["2025-2026-2-1"]'];
    const keep = (params: string, readAt: number) =>
      storage.copies.keep(userid, generation, [
        { read: 'schedule', params, shape: 1, text: '{"courses":[]}', writes: 0, readAt },
      ]);
    const readAt = async (params: string) =>
      (await storage.copies.find({ userid, read: 'schedule', params, shape: 1 }))?.readAt;
    await keep(autumn, start);
    await keep(spring, start);
    await keep(spring, start + 3_600_000);
    expect([await readAt(autumn), await readAt(spring)]).toEqual([start, start + 3_600_000]);
  });
});
