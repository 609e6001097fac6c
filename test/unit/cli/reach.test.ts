import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { reach } from '../../../src/cli/reach.ts';

const serving = async <T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

const ask = (url: string) => reach({ name: 'portal', url, insecureTls: false });

describe('reaching an upstream', () => {
  it('takes any answer, does not follow it and does not wait for its body', async () => {
    const asked: string[] = [];
    const answer: RequestListener = (request, response) => {
      asked.push(
        `${request.method} ${request.url} ${request.headers.cookie ?? ''}${request.headers.authorization ?? ''}`,
      );
      response.writeHead(302, { location: '/elsewhere', date: 'Wed, 18 Mar 2026 02:00:00 GMT' });
      response.write('a body that never ends');
    };
    const seen = await serving(answer, (url) => ask(`${url}/cas`));
    expect(seen).toMatchObject({ name: 'portal', status: 302, serverTime: Date.UTC(2026, 2, 18, 2, 0, 0) });
    expect(asked).toEqual(['GET /cas ']);
  });

  it('tells no time when the other side does not', async () => {
    const seen = await serving(
      (_, response) => {
        response.sendDate = false;
        response.end();
      },
      (url) => ask(url),
    );
    expect(seen.serverTime).toBeNull();
  });

  it('says why there is no answer', async () => {
    const gone = await serving(
      () => {},
      async (url) => url,
    );
    expect(await ask(gone)).toMatchObject({ status: null, detail: expect.stringContaining('ECONNREFUSED') });
    const broken = await serving((request) => request.socket.destroy(), ask);
    expect(broken).toMatchObject({ status: null, detail: expect.stringMatching(/hang up|ECONNRESET/) });
  });
});
