import { expect, it } from 'vitest';
import { studentsOf } from '../../src/config/demo.ts';
import type { DemoMessage } from '../../src/demo/types.ts';
import { axeFindings } from '../support/axe.ts';
import { hasChromium, needsChromium } from '../support/chromium.ts';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStudentSite } from '../support/student-site.ts';

/** Of each demo campus, the views that its manifest has something for, beside those of the service itself. */
const campuses = {
  'demo-lakeside': ['timetable', 'scores', 'exams'],
  'demo-seaside': ['timetable', 'scores', 'exams', 'evaluation'],
  'demo-shuwei': ['timetable', 'scores', 'exams'],
  'demo-jinzhi': ['timetable', 'scores', 'exams'],
  'demo-hillside': ['timetable', 'scores', 'exams', 'evaluation'],
} as const;
const pictures = process.env.PICTURES;

it.skipIf(!hasChromium).each(Object.entries(campuses))(
  `%s: a student registers in the page, an image included, and every view that is shown has something (${needsChromium})`,
  { timeout: 120_000 },
  async (campus, views) => {
    const messages: DemoMessage[] = [];
    const clock = new ManualClock(Date.parse('2026-03-18T10:30:00+08:00'));
    const onMessage = (message: DemoMessage) => void messages.push(message);
    await using gateway = held(await startGateway({ env: { CAMPUS: campus }, clock, onMessage }));
    await using site = held(await openStudentSite(gateway.value));
    const [student] = studentsOf(campus);
    const { page, wrong } = await site.value.newPage();
    await page.goto(`${gateway.value.url}/app/`);
    await page.locator('#password').waitFor();
    expect(await page.locator('#vpn_password').count()).toBe(student?.vpn_password === undefined ? 0 : 1);
    await page.getByLabel(/not registered/).press('Space');
    await page.locator('#userid').fill(student?.userid ?? '');
    await page.locator('#password').fill(student?.password ?? '');
    await page.locator('#invite_code').fill('DEMO-2026');
    await page.keyboard.press('Enter');
    await page.locator('#answer, .tabs').first().waitFor();
    if ((await page.locator('#answer').count()) > 0) {
      expect(await axeFindings(page)).toEqual([]);
      await page.locator('#answer').fill(messages.at(-1)?.text ?? '');
      await page.keyboard.press('Enter');
    }
    await page.locator('.tabs').waitFor();
    const shown = await page.locator('.tabs a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(shown).toEqual(['today', ...views, 'calendar', 'account', 'more'].map((name) => `#${name}`));
    for (const name of ['today', ...views, 'calendar', 'account']) {
      await site.value.open(page, name);
      const failures = await page.locator('.failed, .old[role=status]').allTextContents();
      expect([name, failures]).toEqual([name, []]);
      if (pictures) await page.screenshot({ path: `${pictures}/${campus}-${name}.png`, fullPage: true });
    }
    expect(wrong).toEqual([]);
  },
);

const held = <T extends { close(): Promise<void> }>(value: T) => ({
  value,
  [Symbol.asyncDispose]: () => value.close(),
});
