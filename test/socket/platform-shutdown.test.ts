import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { AppOptions } from '../../src/composition/app.ts';
import { appUnderTest, portOf } from '../support/app.ts';
import { exampleTerms, exampleToken } from '../support/fake-services.ts';
import { RawConnection } from '../support/raw-connection.ts';

const headers = { authorization: `Bearer ${exampleToken}` };

const listening = async (options: AppOptions) => {
  const made = await appUnderTest(options);
  await made.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...made, port: portOf(made.app) };
};

const ask = (port: number, path: string, agent: Agent): Promise<{ answer: IncomingMessage; body: string }> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
      text(answer).then((body) => resolve({ answer, body }), reject);
    }).on('error', reject);
  });

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('closing', () => {
  it('lets every call in flight finish, over keep-alive connections, and holds nothing open', async () => {
    const { app, services, port } = await listening({});
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    services.academics.terms.does(async () => {
      await gate;
      return exampleTerms;
    });
    // More than one student may have at work.
    services.accounts.authenticate.does(async () => ({ userid: `s${services.accounts.authenticate.calls.length}` }));
    const agent = new Agent({ keepAlive: true, maxSockets: 30 });
    // Connections that are idle when closing begins, and others that only become idle after.
    await Promise.all(Array.from({ length: 5 }, () => ask(port, '/alive', agent)));
    const calls = Array.from({ length: 25 }, () => ask(port, '/jwc/term/all', agent));
    while (services.academics.terms.calls.length < 25) await turn();

    const closed = app.close();
    while (app.server.listening) await turn();
    openGate();
    const answers = await Promise.all(calls);
    expect(answers.map(({ answer }) => answer.statusCode)).toEqual(Array(25).fill(200));
    expect(answers.every(({ body }) => body.includes('2025-2026-2-1'))).toBe(true);
    expect(new Set(answers.map(({ answer }) => answer.headers.connection))).toEqual(new Set(['close']));
    await closed;
    agent.destroy();
  });

  it('is not held by a connection that was opened ahead of a request and brought none', async () => {
    const { app, port } = await listening({});
    const accepted = new Promise((resolve) => app.server.once('connection', resolve));
    const silent = await RawConnection.open(port);
    await accepted;
    await app.close();
    expect(await silent.untilClosed()).toBe('');
  });

  it('refuses late calls on open connections in the shape of their surface', async () => {
    const { app, services, port } = await listening({});
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    services.academics.terms.does(async () => {
      await gate;
      return exampleTerms;
    });
    const own = await RawConnection.open(port);
    own.send('GET /jwc/term/all HTTP/1.1\r\nHost: x\r\n');
    const other = await RawConnection.open(port);
    other.send('POST /api/v1/user/login HTTP/1.1\r\nHost: x\r\n');
    const probe = await RawConnection.open(port);
    probe.send('GET /ready HTTP/1.1\r\nHost: x\r\n');
    // Sent last and seen to have arrived, so the beginnings above have arrived too.
    const busy = await RawConnection.open(port);
    busy.send(`GET /jwc/term/all HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
    while (services.academics.terms.calls.length < 1) await turn();

    const closed = app.close();
    while (app.server.listening) await turn();
    own.send(`Authorization: ${headers.authorization}\r\n\r\n`);
    other.send('Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
    probe.send('\r\n');
    const [ownAnswer, otherAnswer, probeAnswer] = [
      await own.untilClosed(),
      await other.untilClosed(),
      await probe.untilClosed(),
    ];
    for (const answer of [ownAnswer, otherAnswer, probeAnswer]) {
      expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      expect(answer.toLowerCase()).toMatch(/\r\nretry-after: \d+\r\n/);
      expect(answer.toLowerCase()).toMatch(/\r\nx-trace-id: [0-9a-f]{32}\r\n/);
    }
    expect(ownAnswer).toContain('"code":"SERVICE_UNAVAILABLE"');
    expect(otherAnswer).toContain('"code":503');
    expect(services.academics.terms.calls).toHaveLength(1);
    openGate();
    expect(await busy.untilClosed()).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
  });

  it('fails readiness first and continues answering while a balancer turns away', async () => {
    const { app, port } = await listening({ shutdown: { drainMs: 500 } });
    const agent = new Agent({ keepAlive: false });
    expect((await ask(port, '/ready', agent)).answer.statusCode).toBe(200);
    const closed = app.close();
    let ready = await ask(port, '/ready', agent);
    while (ready.answer.statusCode === 200) ready = await ask(port, '/ready', agent);
    expect(ready.answer.statusCode).toBe(503);
    expect(app.server.listening).toBe(true);
    const call = await ask(port, '/jwc/term/all', agent);
    expect([call.answer.statusCode, call.answer.headers.connection]).toEqual([200, 'close']);
    await closed;
  });

  it('serves a call that comes over a connection opened at the last moment of draining', async () => {
    const { app, port } = await listening({ shutdown: { drainMs: 50 } });
    const late = await RawConnection.open(port);
    const closed = app.close();
    while (app.server.listening) await turn();
    late.send(`GET /jwc/term/all HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
    expect(await late.untilClosed()).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
  });

  it('ends after the grace time, even when calls hang', async () => {
    const { app, services, port } = await listening({ shutdown: { graceMs: 20 } });
    services.academics.terms.does(() => new Promise(() => {}));
    const agent = new Agent({ keepAlive: true });
    const hanging = ask(port, '/jwc/term/all', agent).then(
      () => 'answered',
      () => 'cut',
    );
    while (services.academics.terms.calls.length < 1) await turn();
    await app.close();
    expect(await hanging).toBe('cut');
    agent.destroy();
  });
});
