import { expect, it } from 'vitest';
import { onBothDatabases, registered, start } from './databases.ts';

const TASKS = 20;
const REPLICAS = 6;
const ROUNDS = 20;
const LEASE_MS = 600_000;

onBothDatabases('evaluation tasks that nobody is at work on', (database) => {
  it('are claimed by one replica each, however many look at once', async () => {
    const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => database.open()));
    const [storage] = replicas;
    if (storage === undefined) throw new Error('no replica');
    const students: string[] = [];
    for (let at = 0; at < TASKS; at += 1) {
      const { userid } = await registered(storage);
      students.push(userid);
      const task = { userid, revision: null, snapshot: '{}', active: true, lease: null, expiresAt: null };
      await storage.evaluation.write(task);
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      const claims = await Promise.all(
        replicas.map(({ evaluation }, at) =>
          evaluation.claim({ owner: `replica ${at}`, now: start, lifeMs: LEASE_MS }, TASKS),
        ),
      );
      await Promise.all(replicas.map(({ evaluation }, at) => evaluation.release(`replica ${at}`)));
      const claimed = claims.flat();
      expect(claimed.map(({ userid }) => userid).toSorted()).toEqual(students.toSorted());
      expect(new Set(claimed.map(({ revision }) => revision))).toEqual(new Set([round + 1]));
    }
  });
});
