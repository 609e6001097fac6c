import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildApp } from '../src/composition/app.ts';
import { createServices } from '../src/composition/services.ts';
import { loadConfig } from '../src/config/config.ts';
import { demoAccess } from '../src/config/demo.ts';
import { keyFiles } from '../src/config/process-files.ts';
import { silentLog } from '../src/domain/context.ts';
import { systemClock } from '../src/lib/time.ts';
import { launchChromium } from '../test/support/chromium.ts';
import type { Browser } from './node_modules/playwright-core/index.js';

/**
 * Takes the picture of the README with Chromium: the documentation after a login, with an answer, and beside it change
 * events that arrive on a phone. It shows the demo campus on a fixed morning.
 */

const root = join(import.meta.dirname, '..');
const path = join(root, 'docs/images/campus-gateway.png');
const MOST_BYTES = 200_000;
const MINUTE_MS = 60_000;
const MARKS = 4;
const where = { locale: 'en-GB', timezoneId: 'Asia/Shanghai', colorScheme: 'light' } as const;

let now = Date.parse('2026-06-25T10:00:00+08:00');
const config = loadConfig({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }, keyFiles);
const services = await createServices(config, { log: silentLog, clock: { ...systemClock, now: () => now } });
const pressure = { maxEventLoopDelay: 0, maxEventLoopUtilization: 0 };
const app = await buildApp(config, services, { demo: demoAccess('demo'), pressure });
const url = await app.listen({ host: '127.0.0.1', port: 0 });

/** Logs in with the bar of the documentation, and sends one call from there. */
const documentation = async (browser: Browser) => {
  const page = await (await browser.newContext({ ...where, viewport: { width: 1280, height: 860 } })).newPage();
  await page.goto(`${url}/docs`);
  await page.getByRole('button', { name: 'Log in as 2023000001' }).click();
  await page.getByText('Every call carries the token of 2023000001').waitFor();
  const { token } = JSON.parse(String(await page.evaluate("sessionStorage.getItem('campus-token')")));
  await page.goto(`${url}/docs#tag/academic-affairs/GET/jwc/academic/info`);
  await page.getByRole('button', { name: /Test Request.*\/jwc\/academic\/info/ }).click();
  await page.getByRole('button', { name: /^Send/ }).first().click();
  await page.getByText('200 OK').first().waitFor();
  return { picture: await page.screenshot(), token: String(token) };
};

/** Listens on a narrow screen while the demo campus publishes a mark every three minutes. */
const events = async (browser: Browser, token: string) => {
  const readScores = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'cache-control': 'no-cache' };
    await fetch(`${url}/jwc/score/current/list`, { headers });
    await services.reads.close();
  };
  if (services.demo) services.demo.switches.markEveryMinutes = 3;
  await readScores();
  const page = await (await browser.newContext({ ...where, viewport: { width: 390, height: 860 } })).newPage();
  await page.goto(pathToFileURL(join(root, 'docs/use/events-in-a-browser.html')).href);
  await page.locator('[name=service]').fill(url);
  await page.locator('[name=token]').fill(token);
  await page.getByRole('button').click();
  await page.getByRole('status').getByText('Listening').waitFor();
  for (let marks = 1; marks <= MARKS; marks += 1) {
    now += 3 * MINUTE_MS;
    await readScores();
    await page
      .locator('li')
      .nth(marks - 1)
      .waitFor();
  }
  return page.screenshot();
};

/** Puts both screens beside each other. */
const together = async (browser: Browser, wide: Buffer, narrow: Buffer): Promise<Buffer> => {
  const page = await (await browser.newContext({ viewport: { width: 1200, height: 640 } })).newPage();
  const image = (png: Buffer): string => `<img height="600" src="data:image/png;base64,${png.toString('base64')}">`;
  const style =
    'body{margin:0;padding:20px;display:flex;gap:16px;justify-content:center;background:#14532d}img{border-radius:8px}';
  await page.setContent(`<style>${style}</style>${image(wide)}${image(narrow)}`);
  return page.screenshot();
};

const browser = await launchChromium();
try {
  const { picture, token } = await documentation(browser);
  const png = await together(browser, picture, await events(browser, token));
  if (png.length >= MOST_BYTES) throw new Error(`the picture has ${png.length} bytes, more than ${MOST_BYTES}`);
  writeFileSync(path, png);
  process.stdout.write(`${path}: ${png.length} bytes\n`);
} finally {
  await browser.close();
  await app.close();
  await services.close();
}
