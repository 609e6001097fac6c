import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { openStudentSite, type StudentSite } from '../support/student-site.ts';

/** A campus, a network or documents that are away; what the student reads then, and that it goes on afterwards. */
describe.skipIf(!hasChromium)(
  `the page when something is away, in a browser (${needsChromium})`,
  { timeout: 120_000 },
  () => {
    let gateway: Gateway;
    let site: StudentSite;
    beforeAll(async () => {
      gateway = await startGateway({ env: { DOCS: 'off' } });
      await gateway.register();
      site = await openStudentSite(gateway);
    });
    afterAll(async () => {
      await site?.close();
      await gateway?.close();
    });

    it('names the system that does not answer, and shows the copy of what was read before with its age', async () => {
      const { page, wrong } = await site.newPage();
      await site.enter(page);
      await site.open(page, 'exams');
      const shown = await page.locator('main .card').first().textContent();
      gateway.demo.fault({ system: 'jwc', fault: { kind: 'status', status: 500 } });
      gateway.demo.fault({ system: 'ldjlb', fault: { kind: 'status', status: 500 } });
      await page.reload();
      await site.settled(page);
      // Kept by the service: said to be old, and when it was read.
      await expect.poll(() => page.locator('.old').first().textContent()).toContain('As read on ');
      expect(await page.locator('main .card').first().textContent()).toBe(shown);
      // Never read: no value is made up.
      await site.open(page, 'labor');
      await expect.poll(() => page.locator('.failed').first().textContent()).toMatch(/Labor.*(?:does not|has not)/i);
      expect(await page.locator('figure').count()).toBe(0);
      gateway.demo.clearFaults();
      await page.getByRole('button', { name: 'Try again' }).first().press('Enter');
      await page.locator('figure').waitFor();
      await site.open(page, 'exams');
      await page.getByRole('button', { name: 'Refresh' }).press('Enter');
      await expect.poll(() => page.locator('.old').count()).toBe(0);
      expect(wrong).toEqual([]);
      await page.context().close();
    });

    it('says that there is no network, keeps what is shown, and goes on when it is back', async () => {
      const { page } = await site.newPage();
      await site.enter(page);
      await page.locator('.tabs a[href="#exams"]').press('Enter');
      await site.waitForView(page, 'exams');
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Refresh' }).press('Enter');
      await page.locator('.old').first().waitFor();
      expect(await page.locator('.old').first().textContent()).toContain('cannot be reached');
      // Neither the file of this view nor what it shows has been asked for before.
      await page.goto(`${gateway.url}/app/#activity`);
      await expect.poll(() => page.locator('.failed').first().textContent()).toContain('cannot be reached');
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).first().press('Enter');
      await page.locator('.big').waitFor();
      await page.context().close();
    });
  },
);
