import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { silentLog } from '../../src/domain/context.ts';
import { createStorage } from '../../src/storage/storage.ts';

/**
 * Started by a test as a separate process: stores two copies of a student and is killed at the moment of that number.
 * The moments are those right before each statement, and the one after the last: between two statements the database stays
 * as it is. Survives when there is no such moment.
 */
const [url = '', userid = '', moment = '0'] = process.argv.slice(2);
const storage = await createStorage({ url, keys: [Buffer.alloc(32, 1)], log: silentLog });
const generation = (await storage.sessions.generation(userid)) ?? 0;

let moments = 0;
const pass = (): void => {
  moments += 1;
  if (moments === Number(moment)) process.kill(process.pid, 'SIGKILL');
};
for (const name of ['all', 'run'] as const) {
  const original = StatementSync.prototype[name];
  Reflect.set(StatementSync.prototype, name, function (this: StatementSync, ...parameters: never[]) {
    pass();
    return Reflect.apply(original, this, parameters);
  });
}
const query = pg.Client.prototype.query;
Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...parameters: unknown[]) {
  pass();
  return Reflect.apply(query, this, parameters);
});

const copy = { params: '[]', shape: 1, text: '"new"', writes: 1, readAt: 2 };
await storage.copies.keep(userid, generation, [
  { ...copy, read: 'summary' },
  { ...copy, read: 'terms' },
]);
pass();
process.stdout.write(`${moments}\n`);
await storage.close();
