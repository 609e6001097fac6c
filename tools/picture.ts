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
 * Takes the pictures of the README with Chromium: the page for students on a screen and on a telephone, in both languages. It
 * shows the demo campus on a fixed morning, which is that of the server and of the browser.
 */

const folder = join(import.meta.dirname, '../docs/images');
const MOST_BYTES = 150_000;
const morning = Date.parse('2026-11-24T10:52:00+08:00');
const student = { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn' };
const languages = { en: 'en-GB', zh: 'zh-CN' } as const;
const sizes = { wide: { width: 1180, height: 700 }, telephone: { width: 390, height: 780 } };

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

const openPage = async (
  browser: Browser,
  token: string,
  language: keyof typeof languages,
  size: keyof typeof sizes,
) => {
  const viewport = sizes[size];
  const context = await browser.newContext({
    viewport,
    locale: languages[language],
    timezoneId: 'Asia/Shanghai',
    colorScheme: 'light',
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(morning);
  const kept = JSON.stringify(JSON.stringify({ token, userid: student.userid }));
  await page.addInitScript(`sessionStorage.setItem('campus-token', ${kept})`);
  await page.goto(`${url}/app/#${size === 'wide' ? 'timetable' : 'today'}`);
  await page
    .locator(size === 'wide' ? '.week' : '.hero')
    .first()
    .waitFor();
  return page;
};

/** Puts both beside each other. */
const together = async (browser: Browser, wide: Buffer, narrow: Buffer): Promise<Buffer> => {
  const page = await (await browser.newContext({ viewport: { width: 1200, height: 560 } })).newPage();
  const image = (png: Buffer): string => `<img height="520" src="data:image/png;base64,${png.toString('base64')}">`;
  const style =
    'body{margin:0;padding:20px;display:flex;gap:20px;justify-content:center;background:#dfe8e2}img{border-radius:12px}';
  await page.setContent(`<style>${style}</style>${image(wide)}${image(narrow)}`);
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
  for (const language of ['en', 'zh'] as const) {
    const wide = await (await openPage(browser, token, language, 'wide')).screenshot();
    const narrow = await (await openPage(browser, token, language, 'telephone')).screenshot();
    keep(`app-wide-${language}.png`, wide);
    keep(`app-telephone-${language}.png`, narrow);
    keep(language === 'en' ? 'campus-gateway.png' : 'campus-gateway-zh.png', await together(browser, wide, narrow));
  }
} finally {
  await browser.close();
  await app.close();
  await services.close();
}
