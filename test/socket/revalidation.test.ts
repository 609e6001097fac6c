import { afterEach, expect, it } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

let gateway: Gateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

it('a read from a listed origin varies by authorization as well as by origin, also as a 304', async () => {
  const origin = 'https://app.example';
  const opened = await startGateway({ env: { CORS_ORIGINS: origin } });
  gateway = opened;
  const token = await opened.register(first);
  const get = async (more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${token}`, origin, ...more };
    const answer = await fetch(`${opened.url}/jwc/academic/info`, { headers });
    await answer.text();
    const vary = (answer.headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
    return { status: answer.status, tag: answer.headers.get('etag') ?? '', vary };
  };
  const answer = await get();
  expect([answer.status, answer.vary.toSorted()]).toEqual([200, ['authorization', 'origin']]);
  const known = await get({ 'if-none-match': answer.tag });
  expect([known.status, known.vary.toSorted()]).toEqual([304, ['authorization', 'origin']]);
});
