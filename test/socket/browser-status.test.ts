import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../tools/node_modules/playwright-core/index.js';
import { axeFindings } from '../support/axe.ts';
import { hasChromium, launchChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

/** `PICTURES` names a folder: what the page looks like is put there. */
const pictures = process.env.PICTURES;
const looks = [390, 1280].flatMap((width) =>
  (['zh', 'en'] as const).flatMap((lang) =>
    (['light', 'dark'] as const).map((scheme) => [width, lang, scheme] as const),
  ),
);

describe.skipIf(!hasChromium)(`the status page in a browser (${needsChromium})`, { timeout: 120_000 }, () => {
  let gateway: Gateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startGateway({ env: { PUBLIC_URL: 'http://campus.example' } });
    const token = await gateway.register();
    gateway.demo.fault({ system: 'jwc', path: '/main/academicInfo', fault: { kind: 'status', status: 500 } });
    await gateway.b('GET', '/aac/credit/info', { token });
    for (let call = 0; call < 4; call += 1) await gateway.b('GET', '/jwc/academic/info', { token });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  it.each(looks)('%i wide, in %s, %s: fits, asks no other host, and axe finds nothing', async (width, lang, scheme) => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: scheme,
      locale: lang === 'zh' ? 'zh-CN' : 'en-GB',
    });
    const page = await context.newPage();
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url)) elsewhere.push(request.url());
    });
    await page.goto(`${gateway.url}/status`);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    expect(await page.locator('.fails').allTextContents()).toHaveLength(1);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect([elsewhere, await axeFindings(page)]).toEqual([[], []]);
    if (pictures) await page.screenshot({ path: `${pictures}/status-${width}-${lang}-${scheme}.png`, fullPage: true });
    // By keyboard, through the bar that all pages share.
    for (let stops = 0; stops < 4; stops += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/lang=/);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang === 'zh' ? 'en' : 'zh');
    await context.close();
  });
});
