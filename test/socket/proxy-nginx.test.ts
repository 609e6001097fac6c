import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { askProxy, freePort, type Nginx, needsNginx, type ProxyAnswer, startNginx } from '../support/nginx.ts';

const json = { 'content-type': 'application/json' };
const mebibyte = 1024 * 1024;

/** Everything from the service carries a trace id; what nginx says by itself does not. */
const fromService = ({ headers }: ProxyAnswer): boolean => /^[0-9a-f]{32}$/.test(String(headers['x-trace-id']));

describe('docs/deploy/nginx.conf', () => {
  beforeEach(needsNginx);

  const behindNginx = async (options: GatewayOptions = {}): Promise<{ gateway: Gateway; nginx: Nginx }> => {
    // Only the address from which nginx calls is believed, not those of the callers beside it.
    const env = { TRUSTED_PROXIES: '127.0.0.1', METRICS: 'on', ...options.env };
    const gateway = await startGateway({ ...options, env });
    onTestFinished(() => gateway.close());
    const port = Number(new URL(gateway.url).port);
    const nginx = await startNginx([port, port]);
    return { gateway, nginx };
  };

  it('is accepted by nginx without a warning', async () => {
    const { nginx } = await behindNginx();
    const { status, said } = nginx.checked;
    expect({ status, warnings: said.match(/\[(warn|error|emerg)\].*/g) }).toEqual({ status: 0, warnings: null });
  });

  it('passes calls of both surfaces on', async () => {
    const { gateway, nginx } = await behindNginx();
    const token = await gateway.register();
    const terms = await askProxy(nginx, { path: '/jwc/term/all', headers: { authorization: `Bearer ${token}` } });
    expect([terms.status, JSON.parse(terms.text).success]).toEqual([200, true]);
    const body = JSON.stringify({ token });
    const authme = await askProxy(nginx, { path: '/api/v1/user/authme', headers: json, body });
    expect([authme.status, JSON.parse(authme.text).code]).toEqual([200, 200]);
  });

  it('tells the service the true address of the caller, not the one that the caller claims', async () => {
    const { nginx } = await behindNginx();
    const guess = (from: string, claimed: string) =>
      askProxy(nginx, {
        path: '/auth/register/invite',
        headers: { ...json, 'x-forwarded-for': claimed },
        body: JSON.stringify({ invite_code: 'NO-SUCH-CODE' }),
        from,
      });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await guess('127.0.0.21', `203.0.113.${attempt}`)).status);
    }
    // Ten wrong codes per address: a claimed address neither frees the guesser nor harms whom it belongs to.
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
    expect((await guess('127.0.0.22', '127.0.0.21')).status).toBe(403);
  });

  it.each(['/metrics', '/metrics?a=1', '//metrics', '/%6Detrics', '/./metrics', '/jwc/../metrics'])(
    'keeps the metrics from the public: %s',
    async (path) => {
      const { gateway, nginx } = await behindNginx();
      expect((await gateway.b('GET', '/metrics')).status).toBe(200);
      const { status, text } = await askProxy(nginx, { path });
      expect(status).toBe(404);
      expect(text).not.toContain('campus_');
    },
  );

  it('lets large bodies through only where images are sent', async () => {
    const { nginx } = await behindNginx();
    const send = (path: string, size: number, method = 'POST') =>
      askProxy(nginx, { method, path, headers: json, body: JSON.stringify({ filler: 'x'.repeat(size) }) });
    const refusedByNginx = async (answer: Promise<ProxyAnswer>) => {
      const got = await answer;
      expect([got.status, fromService(got)]).toEqual([413, false]);
    };
    const left = async (answer: Promise<ProxyAnswer>) => expect(fromService(await answer)).toBe(true);

    const slightlyOver = await send('/auth/login/next', 96 * 1024);
    expect([slightlyOver.status, JSON.parse(slightlyOver.text).error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    await refusedByNginx(send('/auth/login/next', 160 * 1024));
    await left(send('/api/v1/jwc/evaluation/start', 0.9 * mebibyte));
    await refusedByNginx(send('/api/v1/jwc/evaluation/start', 1.1 * mebibyte));
    await left(send('/api/v1/user/profile/update', 15 * mebibyte));
    await refusedByNginx(send('/api/v1/user/profile/update', 17 * mebibyte));
    for (const path of [
      '/profile/user/avatar/upload',
      '/profile/client/image/upload',
      '/profile/flutter/image/upload',
    ]) {
      await left(send(path, 5.5 * mebibyte, 'PUT'));
      await refusedByNginx(send(path, 7 * mebibyte, 'PUT'));
    }
  });

  /** A body of which only the beginning is sent; resolves with the answer to that. */
  const beginUpload = (nginx: Nginx, method: string, path: string, from: string) => {
    const asked = secure({
      host: '127.0.0.1',
      port: nginx.https,
      ca: nginx.certificate,
      agent: false,
      localAddress: from,
      method,
      path,
      headers: { ...json, 'content-length': String(4 * mebibyte) },
    });
    const answered = new Promise<{ status: number; ours: boolean; retryAfter: string | undefined }>(
      (resolve, reject) => {
        asked.once('error', reject);
        asked.once('response', ({ statusCode = 0, headers }) => {
          const retryAfter = headers['retry-after'];
          resolve({ status: statusCode, ours: headers['x-trace-id'] !== undefined, retryAfter });
        });
      },
    );
    // Those without an answer end with the test.
    answered.catch(() => {});
    onTestFinished(() => void asked.destroy());
    asked.write(`{"filler":"${'x'.repeat(64 * 1024)}`);
    return answered;
  };

  it('passes large bodies on as they come, so that the service refuses a stranger before the body is whole', async () => {
    const { nginx } = await behindNginx();
    const answer = await beginUpload(nginx, 'PUT', '/profile/user/avatar/upload', '127.0.0.31');
    expect([answer.status, answer.ours]).toEqual([401, true]);
  });

  it('lets one address send eight large bodies at a time, and the others theirs', async () => {
    const { gateway, nginx } = await behindNginx();
    const path = '/api/v1/user/profile/update';
    const open = () =>
      new Promise<number>((resolve) => gateway.app.server.getConnections((_, count) => resolve(count)));
    for (let each = 1; each <= 8; each += 1) beginUpload(nginx, 'POST', path, '127.0.0.32');
    await vi.waitFor(async () => expect(await open()).toBe(8));
    const ninth = await beginUpload(nginx, 'POST', path, '127.0.0.32');
    expect(ninth).toEqual({ status: 429, ours: false, retryAfter: '1' });
    beginUpload(nginx, 'POST', path, '127.0.0.33');
    await vi.waitFor(async () => expect(await open()).toBe(9));
  });

  it('slows a machine down that fires logins, and no other', async () => {
    const { nginx } = await behindNginx();
    const knock = (path: string, from: string) => askProxy(nginx, { method: 'DELETE', path, from });
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, at) => knock(at % 2 ? '/auth/login/next' : '/api/v1/user/login', '127.0.0.34')),
    );
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.every((answer) => !fromService(answer) && answer.headers['retry-after'] === '1')).toBe(true);
    expect(answers.length - refused.length).toBeGreaterThan(50);
    expect(fromService(await knock('/auth/login/next', '127.0.0.35'))).toBe(true);
    expect(fromService(await askProxy(nginx, { path: '/alive', from: '127.0.0.34' }))).toBe(true);
  });

  it.each(['/calendar/MARK-SECRET.ics', '/files/avatar/MARK-SECRET.png?signature=MARK-SECRET'])(
    'writes no address that can be used into its log, not even when no replica answers: %s',
    async (path) => {
      const nginx = await startNginx([await freePort(), await freePort()]);
      expect((await askProxy(nginx, { path })).status).toBe(502);
      expect((await askProxy(nginx, { path: '/alive?MARK-OPEN' })).status).toBe(502);
      await vi.waitFor(() => expect(nginx.errors()).toContain('MARK-OPEN'));
      expect(nginx.errors()).not.toContain('MARK-SECRET');
    },
  );

  it('compresses what is worth it', async () => {
    const { nginx } = await behindNginx();
    const headers = { 'accept-encoding': 'gzip' };
    const large = await askProxy(nginx, { path: '/openapi.json', headers });
    const whole = await askProxy(nginx, { path: '/openapi.json' });
    expect(large.headers['content-encoding']).toBe('gzip');
    expect(large.length * 3).toBeLessThan(whole.length);
    expect((await askProxy(nginx, { path: '/alive', headers })).headers['content-encoding']).toBeUndefined();
  });

  it('passes the page for students on, compressed, to many behind one address', async () => {
    const { nginx } = await behindNginx();
    const ask = (path: string) =>
      askProxy(nginx, { path, from: '127.0.0.36', headers: { 'accept-encoding': 'gzip, br' } });
    const { text } = await askProxy(nginx, { path: '/app/', from: '127.0.0.36' });
    const named = [...text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, place = '']) => `/app/${place}`);
    const visits = await Promise.all(Array.from({ length: 10 }, () => named.map(ask)).flat());
    expect(visits.map(({ status }) => status)).toEqual(visits.map(() => 200));
    const style = visits[named.findIndex((path) => path.endsWith('.css'))];
    expect(style?.headers['content-encoding']).toBe('br');
  });

  it('sends callers without TLS away, by the same method', async () => {
    const { nginx } = await behindNginx();
    const answer = await new Promise<{ status: number | undefined; location: string | undefined }>(
      (resolve, reject) => {
        const asked = plain({ host: '127.0.0.1', port: nginx.http, path: '/alive?a=1', method: 'POST' }, (got) => {
          got.resume();
          resolve({ status: got.statusCode, location: got.headers.location });
        });
        asked.once('error', reject);
        asked.end();
      },
    );
    expect(answer).toEqual({ status: 308, location: 'https://127.0.0.1/alive?a=1' });
  });

  it('loses no call, reads and writes alike, while one replica is away', async () => {
    const gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    onTestFinished(() => gateway.close());
    await gateway.register();
    const nginx = await startNginx([await freePort(), Number(new URL(gateway.url).port)]);
    const body = JSON.stringify(entryOf(first));
    for (let call = 0; call < 6; call += 1) {
      expect((await askProxy(nginx, { path: '/auth/login/next', headers: json, body })).status).toBe(200);
      expect((await askProxy(nginx, { path: '/alive' })).status).toBe(200);
    }
  });
});
