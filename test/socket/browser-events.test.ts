import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/domain/events/ports.ts';
import type { Browser } from '../../tools/node_modules/playwright-core/index.js';
import { first, second } from '../support/campus-rig.ts';
import { hasChromium, launchChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const file = pathToFileURL(join(import.meta.dirname, '../../docs/use/events-in-a-browser.html')).href;
const MINUTE = 60_000;

describe.skipIf(!hasChromium)(`the page that shows events (${needsChromium})`, { timeout: 120_000 }, () => {
  const clock = new ManualClock();
  let gateway: Gateway;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    gateway = await startGateway({ clock });
    token = await gateway.register(first);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  const open = async (locale: string) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale });
    const page = await context.newPage();
    const asked: string[] = [];
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:'))
        asked.push(`${request.url()} ${request.headers()['last-event-id'] ?? ''}`);
    });
    // A pause between two connections is over when the test says so.
    await page.clock.install();
    await page.goto(file);
    await page.locator('[name=service]').fill(`${gateway.url}/`);
    await page.locator('[name=token]').fill(token);
    await page.getByRole('button').click();
    const status = page.getByRole('status');
    const items = () => page.locator('li').allTextContents();
    return { page, asked, wrong, status, items };
  };
  const said = (course_name: string): NewEvent => ({
    ...{ type: 'score.published', readAt: null, about: { course_name }, ask: '/jwc/score/current/list', detail: {} },
  });

  it('shows a mark that a person can read, continues behind it after the connection broke, and stops at the end of the token', async () => {
    gateway.demo.switches.markEveryMinutes = 3;
    const scores = () => gateway.b('GET', '/jwc/score/current/list', { token });
    await scores();
    await gateway.services.reads.close();
    const { page, asked, wrong, status, items } = await open('en-GB');
    await status.getByText('Listening').waitFor();
    clock.advance(3 * MINUTE);
    await scores();
    await page.locator('li').first().waitFor();
    expect(await items()).toEqual([
      expect.stringMatching(/^成绩公布 演示课程.*#1 · .* · \/jwc\/score\/current\/list$/),
    ]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);

    gateway.app.server.closeAllConnections();
    await status.getByText(/again/).waitFor();
    const names = ['<img src=x onerror="document.title=1">', '线性代数'];
    await gateway.services.journal.append(first.userid, names.map(said));
    await page.clock.fastForward(3_000);
    await page.locator('li').nth(2).waitFor();
    expect(await items()).toEqual([
      expect.stringMatching(/^成绩公布 线性代数#3/),
      expect.stringContaining(names[0] ?? ''),
      expect.stringContaining('#1'),
    ]);
    const stream = `${gateway.url}/events/stream `;
    expect(asked).toEqual([stream, `${stream}1`]);

    await gateway.b('POST', '/auth/logout', { token });
    gateway.app.server.closeAllConnections();
    await status.getByText(/again/).waitFor();
    await page.clock.fastForward(3_000);
    await status.getByText('The service refuses: 401').waitFor();
    await page.clock.fastForward(10 * MINUTE);
    expect(asked).toEqual([stream, `${stream}1`, `${stream}3`]);
    expect([wrong, await page.title()]).toEqual([[], 'Change events']);
    await page.context().close();
  });

  it('waits as long as a refusal says, and speaks Chinese to who reads it', async () => {
    token = await gateway.register(second);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const others = Array.from({ length: 3 }, () =>
      fetch(`${gateway.url}/events/stream`, { headers, signal: leaving.signal }),
    );
    await Promise.all(others);
    const { page, asked, status } = await open('zh-CN');
    await status.getByText('服务拒绝：429').waitFor();
    leaving.abort();
    await page.clock.fastForward(59_000);
    expect(asked).toHaveLength(1);
    await page.clock.fastForward(1_000);
    await status.getByText('正在接收').waitFor();
    expect(asked).toHaveLength(2);
    await page.context().close();
  });
});
