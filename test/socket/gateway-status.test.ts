import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

interface Line {
  readonly name: string;
  readonly state: string;
  readonly fails_since: string | null;
}

describe('the status of the service', () => {
  const clock = new ManualClock(Date.UTC(2026, 2, 17, 18));
  let gateway: Gateway;
  let token: string;
  beforeAll(async () => {
    gateway = await startGateway({ movingClock: clock });
    token = await gateway.register();
  });
  afterAll(() => gateway.close());

  const lines = async (): Promise<Record<string, Line>> => {
    const { status, body } = await gateway.b('GET', '/status');
    expect([status, body.success, body.data.service]).toEqual([200, true, 'works']);
    return Object.fromEntries(body.data.systems.map((line: Line) => [line.name, line]));
  };
  const page = async (query = '', headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}/status${query}`, { headers: { accept: 'text/html', ...headers } });
    return { type: answer.headers.get('content-type'), headers: answer.headers, text: await answer.text() };
  };

  it('shows what was seen of each system, and asks the campus for nothing', async () => {
    await gateway.b('GET', '/jwc/academic/info', { token });
    gateway.demo.resetRequests();
    const shown = await lines();
    expect(shown.academics).toMatchObject({ state: 'answers', fails_since: null });
    expect([shown.portal?.state, shown['labor-club']?.state]).toEqual(['answers', 'unknown']);
    await page();
    expect(gateway.wire()).toEqual([]);
  });

  it('says since when one fails while the others answer, and that it answers again', async () => {
    const fault = gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
    for (let call = 0; call < 4; call += 1) await gateway.b('GET', '/jwc/academic/info', { token });
    const down = await lines();
    expect(down.academics).toMatchObject({ state: 'fails', fails_since: expect.stringMatching(/^2026-03-18 02:/) });
    expect(down.portal?.state).toBe('answers');
    const zh = await page('?lang=zh');
    expect(zh.text).toMatch(/教务系统<\/span><span class="fails">无应答，自 03-18 02:\d\d</);
    fault.remove();
    clock.advance(60_000);
    await gateway.b('GET', '/jwc/academic/info', { token });
    expect((await lines()).academics?.state).toBe('answers');
  });

  it('is a page for browsers, in the language of the reader or the address, of one style sheet and no script', async () => {
    const [en, zh] = [await page('', { 'accept-language': 'en' }), await page('', { 'accept-language': 'zh-CN' })];
    expect([en.type, en.headers.get('cache-control')]).toEqual(['text/html; charset=utf-8', 'no-store']);
    expect(en.headers.get('vary')).toMatch(/Accept\b.*Accept-Language/);
    expect(en.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(en.text).toContain('<html lang="en">');
    expect(zh.text).toContain('<html lang="zh">');
    expect((await page('?lang=en', { 'accept-language': 'zh' })).text).toContain('<html lang="en">');
    for (const { text } of [en, zh]) {
      expect(text).not.toMatch(/<script|127\.0\.0\.1|2023000001/);
      for (const link of text.matchAll(/href="(\/[^"?]*)/g))
        expect((await fetch(gateway.url + link[1])).status, link[1]).toBe(200);
    }
  });

  it('is shown sixty times a minute to one address', async () => {
    const own = await startGateway();
    const statuses = [];
    for (let call = 0; call < 61; call += 1) statuses.push((await own.b('GET', '/status')).status);
    expect([statuses.slice(0, 60).every((status) => status === 200), statuses[60]]).toEqual([true, 429]);
    await own.close();
  });
});
