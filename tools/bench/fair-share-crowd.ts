import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

/**
 * One student's calls, in a separate process: five tokens read as fast as they are answered over a hundred connections,
 * a made-up term is read twice a second, and ten feeds are polled without a pause.
 */
const [origin = '', tokenList = '', feedList = ''] = process.argv.slice(2);
const tokens = tokenList.split(',');
const feeds = feedList.split(',').filter((path) => path !== '');
const perToken = 20;
const pool = new Pool(origin, { connections: 128 });
const statuses: Record<string, number> = {};
let isOver = false;

const ask = async (path: string, token?: string): Promise<void> => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}`, 'cache-control': 'no-cache' };
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  await body.dump();
  statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
};
const again = async (path: string, token?: string, everyMs = 0): Promise<void> => {
  while (!isOver) {
    await ask(path, token);
    if (everyMs > 0) await pause(everyMs);
  }
};

const working = [
  ...tokens.flatMap((token) => Array.from({ length: perToken }, () => again('/jwc/academic/info', token))),
  ...feeds.map((path) => again(path)),
  again('/jwc/score/1999-2000-1-1/list', tokens[0], 500),
];
process.once('message', async () => {
  isOver = true;
  await Promise.allSettled(working);
  await pool.close();
  process.send?.(statuses);
  process.disconnect();
});
process.send?.('ready');
