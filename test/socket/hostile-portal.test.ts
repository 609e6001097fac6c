import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { entryOf, first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const MEBIBYTE = 1024 * 1024;
const openers = (bytes: number): string => '<TwfID>'.repeat(Math.floor(bytes / 7));

let demo: DemoCampus;
let gateway: Gateway;
let page: Buffer;
let asked: number;
const portal = createServer((_, reply) => {
  asked += 1;
  reply.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end(page);
});

beforeEach(async () => {
  asked = 0;
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const address = portal.address();
  if (address === null || typeof address === 'string') throw new Error('the portal does not listen');
  demo = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
  const wiring = { ...demo.wiring, vpnUrl: `http://127.0.0.1:${address.port}` };
  gateway = await startGateway({ demo: { ...demo, wiring } });
});
afterEach(async () => {
  await gateway.close();
  await demo.close();
  portal.closeAllConnections();
  await new Promise((resolve) => portal.close(resolve));
});

const register = async () => {
  const invite = await gateway.a('/user/veryfy_invite_code', { invite_code: 'DEMO-2026' });
  const form = { ...entryOf(first), invite_token: invite.body.data.invite_token };
  return gateway.a('/user/register', form);
};

describe('a portal that answers with a few kilobytes of repeated openers', () => {
  it.each([
    ['8 MB, which are not unpacked', 8 * MEBIBYTE - 7, 1],
    ['just under the ceiling, which are read like any malformed challenge', MEBIBYTE - 7, 3],
  ])('unpacking to %s, fails the login and nothing else', async (_, bytes, requests) => {
    page = gzipSync(openers(bytes));
    expect(page.length).toBeLessThan(13_000);
    const failing = register();
    const alive = await gateway.b('GET', '/alive');
    expect(alive.status).toBe(200);
    expect((await failing).body).toMatchObject({ code: 500, message: '校园网络暂不可用，请稍后重试' });
    expect(asked).toBe(requests);
    expect((await gateway.b('GET', '/alive')).status).toBe(200);
  });
});
