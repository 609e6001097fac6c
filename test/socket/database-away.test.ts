import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../support/gateway-rig.ts';
import { freshPostgresUrl } from '../support/postgres.ts';

/** A relay in front of the database server, which a test can stop without stopping the server for all other tests. */
const relayTo = async (url: URL) => {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relayed = new URL(url);
  relayed.port = String((server.address() as AddressInfo).port);
  return {
    url: relayed.href,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

it('a database that is away is answered with 503 and a time to come back on both surfaces, as /ready has it', async () => {
  const relay = await relayTo(new URL(await freshPostgresUrl()));
  const gateway = await startGateway({ env: { DATABASE_URL: relay.url } });
  onTestFinished(() => gateway.close());
  const token = await gateway.register();
  expect((await gateway.b('GET', '/jwc/term/all', { token })).status).toBe(200);
  await relay.stop();
  const b = await gateway.b('GET', '/jwc/term/all', { token });
  expect([b.status, b.headers.get('retry-after')]).toEqual([503, '5']);
  expect(b.body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  const a = await gateway.a('/user/authme', { token });
  expect([a.status, a.body.code, a.headers.get('retry-after')]).toEqual([503, 503, '5']);
  expect((await gateway.b('GET', '/ready')).status).toBe(503);
});
