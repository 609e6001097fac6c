import { expect } from 'vitest';
import type { Page } from '../../tools/node_modules/playwright-core/index.js';
import { entryOf, first } from './campus-rig.ts';
import { launchChromium } from './chromium.ts';
import type { Gateway } from './gateway-rig.ts';

const locales = { en: 'en-GB', zh: 'zh-CN' } as const;

/** A browser on the page for students of a service. */
export const openStudentSite = async (gateway: Gateway) => {
  const browser = await launchChromium();
  const newPage = async ({
    width = 390,
    scheme = 'light',
    language = 'en',
  }: {
    width?: number;
    scheme?: 'light' | 'dark';
    language?: 'en' | 'zh';
  } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      colorScheme: scheme,
      locale: locales[language],
    });
    const page = await context.newPage();
    const wrong: string[] = [];
    // A browser notes every answer of 4xx; an unset profile is one.
    page.on('console', (message) => {
      if (!/Failed to load resource|inline style|preload assets/.test(message.text())) wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(gateway.url)) wrong.push(request.url());
    });
    return { page, wrong };
  };
  /** By the debugger's own way in: the policy of the page allows no other. */
  const settled = (page: Page) =>
    expect
      .poll(
        () => page.evaluate("document.querySelector('h1') !== null && document.querySelector('.loading') === null"),
        {
          timeout: 20_000,
        },
      )
      .toBe(true);
  /** The view is there, with all that it shows: right after a key was pressed the one before still stands. */
  const waitForView = async (page: Page, name: string): Promise<void> => {
    await page.locator(`.tabs a[href="#${name}"][aria-current=page]`).waitFor({ state: 'attached' });
    await settled(page);
  };
  const open = async (page: Page, name: string): Promise<void> => {
    await page.goto(`${gateway.url}/app/#${name}`);
    await waitForView(page, name);
  };
  const signIn = async (page: Page, student = first): Promise<void> => {
    await page.goto(`${gateway.url}/app/`);
    await page.locator('#userid').fill(student.userid);
    await page.locator('#password').fill(student.password);
    await page.locator('#vpn_password').fill(student.vpnPassword);
    await page.keyboard.press('Enter');
    await page.locator('.tabs').waitFor();
    await settled(page);
  };
  let shared = '';
  /** With the token of an earlier login: the service takes thirty logins in ten minutes from one place. */
  const enter = async (page: Page): Promise<void> => {
    if ((await gateway.b('GET', '/auth/authme/token', { token: shared })).status !== 200) {
      shared = (await gateway.a('/user/login', entryOf(first))).body.data.authme_token;
    }
    await page.goto(`${gateway.url}/app/`);
    const kept = JSON.stringify(JSON.stringify({ token: shared, userid: first.userid }));
    await page.evaluate(`sessionStorage.setItem('campus-token', ${kept})`);
    await page.reload();
    await page.locator('.tabs').waitFor();
    await settled(page);
  };

  return { browser, newPage, settled, waitForView, open, signIn, enter, close: () => browser.close() };
};
export type StudentSite = Awaited<ReturnType<typeof openStudentSite>>;
