import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { first } from '../support/campus-rig.ts';
import { hasChromium, launchChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

const screens: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

describe.skipIf(!hasChromium)('the documentation page in a browser (needs Chromium)', () => {
  let gateway: Gateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startGateway();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  /** The open page, and all that went wrong on it so far. */
  const open = async (screen: string): Promise<{ page: Page; wrong: string[] }> => {
    const context = await browser.newContext(screens[screen]);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== gateway.url && !/^(data|blob):$/.test(protocol)) wrong.push(`asks ${origin}`);
    });
    page.on('response', (answer) => {
      if (answer.status() >= 400) wrong.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(`${gateway.url}/docs/`);
    await page.getByPlaceholder('Token').first().waitFor();
    return { page, wrong };
  };

  it.each(Object.keys(screens))('loads without an error or another host, bearer preselected: %s', async (screen) => {
    const { page, wrong } = await open(screen);
    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(await page.getByRole('button', { name: 'Selected Auth Type: bearer' }).count()).toBe(1);
    // Nothing is wider than the screen, so nobody has to scroll sideways.
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('sends the token that was entered, and shows the answer', async () => {
    const token = await gateway.register(first);
    const { page, wrong } = await open('desktop');
    await page.getByPlaceholder('Token').first().fill(token);
    await page.goto(`${gateway.url}/docs#tag/academic-affairs/GET/jwc/academic/info`);
    await page.getByRole('button', { name: /Test Request.*\/jwc\/academic\/info/ }).click();
    const answered = page.waitForResponse((each) => each.url() === `${gateway.url}/jwc/academic/info`);
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const answer = await answered;
    expect(answer.status()).toBe(200);
    expect(answer.request().headers().authorization).toBe(`Bearer ${token}`);
    expect(await answer.json()).toMatchObject({ success: true });
    expect(wrong).toEqual([]);
    await page.context().close();
  });
});
