import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addCallContext } from '../../../src/http/call/call-context.ts';
import { RequestLimits } from '../../../src/http/limits/limits.ts';

let app: FastifyInstance;
let request: FastifyRequest;
beforeEach(async () => {
  app = Fastify();
  addCallContext(app, 10_000);
  const ended = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<FastifyRequest>();
  app.get('/', async (asked) => {
    seen.resolve(asked);
    await ended.promise;
    return '';
  });
  app.addHook('onClose', async () => ended.resolve());
  void app.inject('/').catch(() => {});
  request = await seen.promise;
});
afterEach(() => app.close());

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('an address over its limit has eight look-ups at once, also after further bad calls', async () => {
  const limits = new RequestLimits({ anonymousPerMinute: 1, knownPerMinute: 1 });
  const badCall = () => limits.anonymous(request);
  badCall();
  expect(badCall).toThrow('rate-limited: address-limit');
  const over = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const lookUp = () =>
    limits.lookUp(request, async () => {
      running += 1;
      most = Math.max(most, running);
      await over.promise;
      running -= 1;
    });
  const first = Array.from({ length: 20 }, lookUp);
  await settled();
  expect(most).toBe(8);
  expect(badCall).toThrow('rate-limited');
  const later = Array.from({ length: 20 }, lookUp);
  await settled();
  expect(most).toBe(8);
  over.resolve();
  await Promise.all([...first, ...later]);
  expect(most).toBe(8);
});
