import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { benchToken } from './load.ts';

const SECONDS = 4;

const cases = [
  { name: 'GET /alive', method: 'GET', path: '/alive', headers: {} },
  {
    name: 'POST /api/v1/user/authme',
    method: 'POST',
    path: '/api/v1/user/authme',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: benchToken }),
  },
  {
    name: 'GET a kept total',
    method: 'GET',
    path: '/aac/credit/info',
    headers: { authorization: `Bearer ${benchToken}` },
  },
  {
    name: 'GET score page of 500 rows',
    method: 'GET',
    path: '/jwc/score/2025-2026-1-1/list',
    headers: { authorization: `Bearer ${benchToken}` },
  },
] as const;

const start = async (file: string) => {
  const child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [url] = await once(child, 'message');
  return { url: String(url), stop: () => child.disconnect() };
};

/** Requests per second of each case, side by side; both servers run for the whole measurement. */
export const measureHttp = async (): Promise<string[]> => {
  const bare = await start('server-bare.ts');
  const ours = await start('server-ours.ts');
  try {
    const lines: string[] = [];
    for (const one of cases) {
      const run = (url: string) =>
        autocannon({
          url: url + one.path,
          connections: 20,
          duration: SECONDS,
          method: one.method,
          headers: one.headers,
          ...('body' in one ? { body: one.body } : {}),
        });
      // One short round each warms the code up before anything counts.
      await Promise.all([run(bare.url), run(ours.url)]);
      const plain = await run(bare.url);
      const full = await run(ours.url);
      if (plain.non2xx + full.non2xx + plain.errors + full.errors > 0)
        throw new Error(`${one.name}: not every answer was good`);
      const ratio = full.requests.average / plain.requests.average;
      lines.push(
        `${one.name.padEnd(30)} bare ${Math.round(plain.requests.average)} req/s, ours ${Math.round(full.requests.average)} req/s, ratio ${ratio.toFixed(2)}`,
      );
    }
    return lines;
  } finally {
    bare.stop();
    ours.stop();
  }
};
