import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerSchemas } from '../support/answer-schemas.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

describe('an overloaded service', () => {
  let gateway: Gateway;
  let overloaded = false;

  beforeAll(async () => {
    // Far below the limit of any other application in this process.
    const limit = 10;
    const memory = process.memoryUsage;
    vi.spyOn(process, 'memoryUsage').mockImplementation(
      Object.assign(() => ({ ...memory(), heapUsed: overloaded ? limit + 1 : limit }), { rss: memory.rss }),
    );
    gateway = await startGateway({ app: { pressure: { maxEventLoopDelay: 0, maxHeapUsedBytes: limit, graceMs: 0 } } });
  });
  afterAll(async () => {
    await gateway.close();
    vi.restoreAllMocks();
  });

  const isTurnedAway = async (): Promise<boolean> => (await gateway.b('GET', '/auth/authme/token')).status === 503;
  const until = (wanted: boolean) => expect.poll(isTurnedAway, { timeout: 20_000, interval: 100 }).toBe(wanted);

  it('whose heap is over its limit turns every call away in the shape of its surface with a time to wait, still says that it lives, and recovers', async () => {
    overloaded = true;
    await until(true);
    const { operations, findings } = answerSchemas(gateway.app);
    const answered: string[] = [];
    for (const operation of operations) {
      const { method, surface } = operation;
      const path = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
      const body = method === 'GET' ? {} : { body: {} };
      const answer =
        surface === 'a' ? await gateway.a(path.slice('/api/v1'.length), {}) : await gateway.b(method, path, body);
      // One operation promises never to answer 503.
      const turnedAway = operation.answers.has('503') || operation.path === '/' ? 503 : 500;
      if (answer.status !== turnedAway) {
        answered.push(`${method} ${operation.path} ${answer.status}`);
        continue;
      }
      expect(Number(answer.headers.get('retry-after')), operation.path).toBeGreaterThan(0);
      if (operation.path === '/') continue;
      expect(findings(operation, turnedAway, answer.body), `${operation.path} ${answer.text}`).toBe('');
    }
    expect(answered).toEqual(['GET /alive 200', 'GET /ready 200']);
    expect(gateway.demo.requests({})).toEqual([]);
    overloaded = false;
    await until(false);
  });
});
