import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { publicUrlOf } from '../../../src/http/server/connections.ts';

describe('where the service is reached', () => {
  it('is what is configured, listening or not', () => {
    expect(publicUrlOf(fastify(), 'https://campus.example')()).toBe('https://campus.example');
  });

  it.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ])('is else the address that it listens on: %s', async (host, url) => {
    const app = fastify();
    const publicUrl = publicUrlOf(app, null);
    expect(publicUrl()).toBeNull();
    await app.listen({ host, port: 0 });
    expect(publicUrl()).toMatch(url);
    await app.close();
  });
});
