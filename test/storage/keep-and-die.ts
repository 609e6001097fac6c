import { silentLog } from '../../src/domain/context.ts';
import { keptIn } from '../support/kept.ts';
import { createStorage } from '../support/storage.ts';
import { dieAt } from './dying.ts';

/**
 * Started by a test as a separate process: stores two copies of a student and is killed at the moment of that number.
 * The moments are those right before each statement, and the one after the last: between two statements the database stays
 * as it is. Survives when there is no such moment.
 */
const [url = '', userid = '', moment = '0'] = process.argv.slice(2);
const storage = await createStorage({ url, keys: [Buffer.alloc(32, 1)], log: silentLog });
const generation = (await storage.sessions.generation(userid)) ?? 0;

const pass = dieAt(Number(moment));

const copy = { params: '[]', shape: 1, text: '"new"', writes: 1, readAt: 2 };
await keptIn(storage).copies.keep(userid, generation, [
  { ...copy, read: 'summary' },
  { ...copy, read: 'terms' },
]);
process.stdout.write(`${pass()}\n`);
await storage.close();
