import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/node_modules/playwright-core/index.js';
import { axeFindings } from '../support/axe.ts';
import { entryOf, first, second } from '../support/campus-rig.ts';
import { hasChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { openStudentSite, type StudentSite } from '../support/student-site.ts';

/** What a student can make, end, take along and erase; each pressed by keyboard. */
describe.skipIf(!hasChromium)(
  `what is kept of a student, in a browser (${needsChromium})`,
  { timeout: 120_000 },
  () => {
    let gateway: Gateway;
    let site: StudentSite;
    beforeAll(async () => {
      gateway = await startGateway();
      await gateway.register();
      site = await openStudentSite(gateway);
    });
    afterAll(async () => {
      await site?.close();
      await gateway?.close();
    });

    const cardOf = (page: Page, title: string) =>
      page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) });
    const confirm = async (page: Page): Promise<void> => {
      await page.locator('dialog').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.locator('dialog button[type=submit]').press('Enter');
    };
    const hasTitleFocus = (page: Page) =>
      expect.poll(() => page.evaluate('document.activeElement.id'), { timeout: 10_000 }).toBe('title');

    it('ends a login and a personal token, and the focus goes to the heading', async () => {
      const { page } = await site.newPage();
      await site.enter(page);
      const other = (await gateway.a('/user/login', entryOf(first))).body.data.authme_token;
      const wish = { name: 'widget', scopes: ['schedule:read'], days: 90 };
      const made = (await gateway.b('POST', '/auth/tokens', { token: other, body: wish })).body.data;
      await site.open(page, 'account');
      const tokens = cardOf(page, 'Personal tokens');
      await tokens.getByRole('button', { name: 'End: widget' }).press('Enter');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog').count()).toBe(0);
      await tokens.getByRole('button', { name: 'End: widget' }).press('Enter');
      await confirm(page);
      await tokens.getByText('No personal tokens.').waitFor();
      await hasTitleFocus(page);
      expect((await gateway.b('GET', '/jwc/term/all', { token: made.token })).status).toBe(401);
      const logins = cardOf(page, 'Logins').getByRole('button', { name: /^End/ });
      while ((await logins.count()) > 0) {
        const before = await logins.count();
        await logins.first().press('Enter');
        await confirm(page);
        await expect.poll(() => logins.count()).toBe(before - 1);
      }
      expect((await gateway.b('GET', '/auth/authme/token', { token: other })).status).toBe(401);
      await page.context().close();
    });

    it('makes a subscription whose address is shown once, copied and drawn, and ends it', async () => {
      const { page } = await site.newPage();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await site.enter(page);
      await site.open(page, 'calendar');
      for (const name of ['Classes', 'Exams', 'Labor activities']) await page.getByLabel(name).press('Space');
      await page.getByRole('button', { name: 'New subscription' }).press('Enter');
      await page.getByText('Choose at least one.').waitFor();
      await page.getByLabel('Classes').press('Space');
      await page.getByLabel('Name').fill('My week');
      await page.getByRole('button', { name: 'New subscription' }).press('Enter');
      await page.locator('.qr').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const address = String(await page.locator('.secret').textContent());
      await page.getByRole('button', { name: 'Copy' }).press('Enter');
      await page.getByText('Copied', { exact: true }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
      expect(page.url()).not.toContain(address.slice(-12));
      const { pathname } = new URL(address);
      expect((await gateway.b('GET', pathname)).text).toContain('BEGIN:VCALENDAR');
      await page.getByRole('button', { name: 'End: My week' }).press('Enter');
      await confirm(page);
      await page.getByText('No subscriptions yet.').waitFor();
      // What is shown of a subscription goes with it.
      expect(await page.locator('.secret').count()).toBe(0);
      expect((await gateway.b('GET', pathname)).status).toBe(404);
      await page.context().close();
    });

    it('gives everything as a file, says why not when it is asked again at once, and saves a nickname', async () => {
      const { page } = await site.newPage();
      await site.enter(page);
      await site.open(page, 'account');
      await page.getByRole('button', { name: 'Export' }).press('Enter');
      const download = page.waitForEvent('download');
      await confirm(page);
      const file = await (await download).path();
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ userid: first.userid });
      await page.getByRole('button', { name: 'Export' }).press('Enter');
      await confirm(page);
      await expect.poll(() => page.locator('dialog .wrong').textContent()).toMatch(/Try again in \d+ seconds/);
      await page.keyboard.press('Escape');
      await page.getByLabel('Nickname').fill('小林');
      await page.getByLabel('Nickname').press('Enter');
      await page.getByText('Saved', { exact: true }).waitFor();
      await page.route('**/profile/user/update', (route) => route.abort());
      await page.getByLabel('Slogan').press('Enter');
      await expect.poll(() => cardOf(page, 'Profile').locator('.wrong').textContent()).toContain('cannot be reached');
      await page.context().close();
    });

    it('logs out everywhere, and erases the account with the passwords alone', async () => {
      await gateway.register(second);
      const { page } = await site.newPage();
      await site.signIn(page, second);
      await site.open(page, 'account');
      await page.getByRole('button', { name: 'Log out everywhere' }).press('Enter');
      await confirm(page);
      await page.locator('#enter').waitFor();
      expect(await page.evaluate('sessionStorage.getItem("campus-token")')).toBeNull();

      await site.signIn(page, second);
      await site.open(page, 'account');
      await page.getByRole('button', { name: 'Erase the account' }).press('Enter');
      await page.locator('#erase-password').fill('wrong');
      await page.locator('#erase-vpn_password').fill('wrong');
      await confirm(page);
      await page.locator('dialog .wrong').waitFor();
      expect(await page.locator('dialog').count()).toBe(1);
      await page.locator('#erase-password').fill(second.password);
      await page.locator('#erase-vpn_password').fill(second.vpnPassword);
      await page.keyboard.press('Enter');
      await page.getByText('has been erased').waitFor();
      expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
      expect((await gateway.a('/user/login', entryOf(second))).body.code).not.toBe(200);
      await page.goBack();
      expect(await page.locator('.tabs').count()).toBe(0);
      await page.context().close();
    });
  },
);
