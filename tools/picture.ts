import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
 * Takes the pictures of the README with Chromium, one in each language: the page for students on a telephone, and an answer in
 * the documentation on a wide screen. They show the demo campus on a fixed morning, of the server and of the browser.
 */

const folder = join(import.meta.dirname, '../docs/images');
const MOST_BYTES = 150_000;
const morning = Date.parse('2026-11-24T10:52:00+08:00');
const student = { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn' };
const pictures = { 'campus-gateway.png': 'en-GB', 'campus-gateway-zh.png': 'zh-CN' };

const config = loadConfig({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }, keyFiles);
const services = await createServices(config, { log: silentLog, clock: { ...systemClock, now: () => morning } });
const pressure = { maxEventLoopDelay: 0, maxEventLoopUtilization: 0 };
const app = await buildApp(config, services, { demo: demoAccess('demo'), pressure });
const url = await app.listen({ host: '127.0.0.1', port: 0 });

const post = async (
  path: string,
  body: object,
  token = '',
): Promise<{ data: { token: string; invite_token: string } }> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json() as Promise<{ data: { token: string; invite_token: string } }>;
};

/** A student who has chosen a room and has courses to evaluate. */
const register = async (): Promise<string> => {
  const invite = await post('/auth/register/invite', { invite_code: 'DEMO-2026' });
  const { data } = await post('/auth/register/next', { ...student, invite_token: invite.data.invite_token });
  await post('/isim/room/bind', { room_id: '010101' }, data.token);
  await post('/jwc/evaluation/initialize', {}, data.token);
  return data.token;
};

const opened = async (browser: Browser, { locale, ...viewport }: { locale: string; width: number; height: number }) => {
  const context = await browser.newContext({ viewport, locale, timezoneId: 'Asia/Shanghai', colorScheme: 'light' });
  return context.newPage();
};

/** The day of a student, on a telephone. */
const today = async (browser: Browser, locale: string, token: string): Promise<Buffer> => {
  const page = await opened(browser, { locale, width: 390, height: 780 });
  await page.clock.setFixedTime(morning);
  const kept = JSON.stringify(JSON.stringify({ token, userid: student.userid }));
  await page.addInitScript(`sessionStorage.setItem('campus-token', ${kept})`);
  await page.goto(`${url}/app/#today`);
  await page.locator('.hero').first().waitFor();
  return page.screenshot();
};

/** The documentation after a login with its bar, and the answer to a call that was sent from there. */
const answer = async (browser: Browser, locale: string): Promise<Buffer> => {
  const page = await opened(browser, { locale, width: 1280, height: 860 });
  await page.goto(`${url}/docs`);
  await page.locator('#students button').first().click();
  await page.locator('#told').getByText(student.userid).waitFor();
  await page.goto(`${url}/docs#tag/academic-affairs/GET/jwc/exam/info`);
  await page.getByRole('button', { name: /^(?:Test Request|测试请求).*\/jwc\/exam\/info/ }).click();
  await page
    .getByRole('button', { name: /^(?:Send|发送)/ })
    .first()
    .click();
  await page.getByText('200 OK').first().waitFor();
  return page.screenshot();
};

/** Puts both beside each other. */
const together = async (browser: Browser, narrow: Buffer, wide: Buffer): Promise<Buffer> => {
  const page = await (await browser.newContext({ viewport: { width: 1160, height: 560 } })).newPage();
  const image = (png: Buffer): string => `<img height="520" src="data:image/png;base64,${png.toString('base64')}">`;
  const style =
    'body{margin:0;padding:20px;display:flex;gap:20px;justify-content:center;background:#dfe8e2}img{border-radius:12px}';
  await page.setContent(`<style>${style}</style>${image(narrow)}${image(wide)}`);
  return page.screenshot();
};

const keep = (name: string, png: Buffer): void => {
  if (png.length >= MOST_BYTES) throw new Error(`${name} has ${png.length} bytes, more than ${MOST_BYTES}`);
  writeFileSync(join(folder, name), png);
  process.stdout.write(`${name}: ${png.length} bytes\n`);
};

const browser = await launchChromium();
try {
  const token = await register();
  for (const [name, locale] of Object.entries(pictures)) {
    const [narrow, wide] = [await today(browser, locale, token), await answer(browser, locale)];
    keep(name, await together(browser, narrow, wide));
  }
} finally {
  await browser.close();
  await app.close();
  await services.close();
}
