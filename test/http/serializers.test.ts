import { expect, it, vi } from 'vitest';
import { appUnderTest } from '../support/app.ts';

const made = vi.hoisted(() => ({ count: 0 }));

/** As the framework does it by itself: at the start. */
vi.mock('../../src/http/server/connections.ts', async () => {
  const { SerializerSelector } = await import('@fastify/fast-json-stringify-compiler');
  const { lateSerializers: _late, ...rest } = await vi.importActual<object & { lateSerializers: unknown }>(
    '../../src/http/server/connections.ts',
  );
  const atOnce: ReturnType<typeof SerializerSelector> = (schemas, options) => {
    const compile = SerializerSelector()(schemas, options);
    return (route) => {
      made.count += 1;
      return compile(route);
    };
  };
  return { ...rest, lateSerializers: atOnce };
});

it('every answer of every operation has a schema of which a serializer can be made', async () => {
  const { app } = await appUnderTest({});
  expect(made.count).toBeGreaterThan(300);
  await app.close();
});
