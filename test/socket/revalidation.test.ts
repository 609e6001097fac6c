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

it('a calendar that the program has is a 304 with its tag', async () => {
  const opened = await startGateway();
  gateway = opened;
  const token = await opened.register(first);
  const made = await opened.b('POST', '/calendar/feeds', { token, body: { name: '课表', include: ['classes'] } });
  const address = opened.url + new URL(made.body.data.url).pathname;
  const whole = await fetch(address);
  expect([whole.status, await whole.text()]).toEqual([200, expect.stringContaining('BEGIN:VCALENDAR')]);
  const tag = whole.headers.get('etag') ?? '';
  const known = await fetch(address, { headers: { 'if-none-match': tag } });
  expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, tag, '']);
  expect(tag).toMatch(/^"[^"]+"$/);
});
