import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { entryOf, first, second } from '../support/campus-rig.ts';
import { hasChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { openStudentSite, type StudentSite } from '../support/student-site.ts';

const names = [
  'today',
  'timetable',
  'scores',
  'exams',
  'electricity',
  'activity',
  'labor',
  'evaluation',
  'calendar',
  'account',
  'more',
];
/** `PICTURES` names a folder: what the page looks like is put there. */
const pictures = process.env.PICTURES;

describe.skipIf(!hasChromium)(`the page for students in a browser (${needsChromium})`, { timeout: 240_000 }, () => {
  let gateway: Gateway;
  let site: StudentSite;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { FRESH_SECONDS: '10', EVALUATION_WAIT_SECONDS: '1', EVALUATION_OPEN_EVERY_SECONDS: '0' },
    });
    const token = await gateway.register();
    await gateway.b('POST', '/isim/room/bind', { token, body: { room_id: '010101' } });
    site = await openStudentSite(gateway);
  });
  afterAll(async () => {
    await site?.close();
    await gateway?.close();
  });

  const tokensOf = (userid: string) => gateway.services.storage.tokens.list(userid, Date.now());

  const widths = [360, 390, 768, 1280];
  const looksOfAxe = new Set(['zh 390 light', 'zh 390 dark', 'zh 1280 light', 'en 768 light']);

  it.each(['zh', 'en'] as const)(
    'in %s, from 360 to 1,280 wide, light and dark: every view fits, asks no other host, and axe finds nothing',
    async (language) => {
      const { page, wrong } = await site.newPage({ language });
      const lookAt = async (name: string) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          const shown = await page.evaluate('document.documentElement.scrollWidth');
          expect([name, shown]).toEqual([name, width]);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            // What is shown where depends on the width alone, and which colours on the scheme alone.
            const rules = colorScheme === 'light' ? undefined : ['color-contrast'];
            const findings = looksOfAxe.has(`${language} ${width} ${colorScheme}`)
              ? await axeFindings(page, 'html', rules)
              : [];
            expect([name, width, colorScheme, findings]).toEqual([name, width, colorScheme, []]);
            if (pictures) {
              const path = `${pictures}/${name}-${width}-${colorScheme}-${language}.png`;
              await page.screenshot({ path, fullPage: true });
            }
          }
        }
      };
      await page.goto(`${gateway.url}/app/`);
      await page.locator('#enter').waitFor();
      await lookAt('sign-in');
      await site.enter(page);
      for (const name of names) {
        await site.open(page, name);
        expect(await page.locator('h1').count()).toBe(1);
        await lookAt(name);
      }
      expect(wrong).toEqual([]);
      await page.context().close();
    },
  );

  it('shows the first screen with two calls, and asks the campus nothing again for a look at every view', async () => {
    const { page } = await site.newPage();
    await site.enter(page);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (!request.url().includes('/app/')) calls.push(new URL(request.url()).pathname);
    });
    await page.reload();
    await site.settled(page);
    expect(calls).toEqual(['/campus', '/home']);
    for (const name of names) await site.open(page, name);
    gateway.demo.resetRequests();
    for (const name of names) await site.open(page, name);
    expect(gateway.wire()).toEqual([]);
    await page.context().close();
  });

  it('is walked by keyboard: sign in, another view, its heading has the focus, and the way back works', async () => {
    const { page } = await site.newPage({ width: 1280 });
    await page.goto(`${gateway.url}/app/`);
    await page.locator('#userid').focus();
    for (const text of [first.userid, first.password, first.vpnPassword]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.locator('.tabs').waitFor();
    await page.locator('.tabs a[href="#scores"]').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.title()).toContain('Scores');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('title');
    await page.goBack();
    await expect.poll(() => page.title()).toContain('Today');
    await page.keyboard.press('Control+Home');
    await page.locator('#language').press('Enter');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.context().close();
  });

  it('follows an evaluation to its end, with a fault at its question and nothing typed lost', async () => {
    const { page } = await site.newPage();
    await site.enter(page);
    await site.open(page, 'evaluation');
    await page.getByRole('button', { name: 'Load the courses' }).press('Enter');
    await page
      .getByRole('button', { name: /^Answers:/ })
      .first()
      .press('Enter');
    const comment = page.locator('textarea').first();
    await comment.fill('好');
    await page.getByRole('button', { name: 'Save these answers' }).press('Enter');
    await expect.poll(() => comment.getAttribute('aria-invalid')).toBe('true');
    expect(await comment.inputValue()).toBe('好');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    // Leaving asks first.
    await page.getByRole('button', { name: 'Back' }).first().press('Enter');
    await page.locator('dialog').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await comment.fill('老师讲课认真，课后答疑及时');
    await page.getByRole('button', { name: 'Save these answers' }).press('Enter');
    await page.getByRole('button', { name: /^Submit \(\d+\)$/ }).press('Enter');
    await page.locator('dialog button[type=submit]').press('Enter');
    await page.getByText('The evaluation is complete').waitFor({ timeout: 60_000 });
    await page.context().close();
  });

  it('says which system fails, keeps what it has shown, and reads again when asked', async () => {
    const { page } = await site.newPage();
    await site.enter(page);
    await site.open(page, 'activity');
    const score = await page.locator('.big').textContent();
    gateway.demo.fault({ system: 'aac', fault: { kind: 'status', status: 500 } });
    await page.getByRole('button', { name: 'Refresh' }).press('Enter');
    await page.locator('.old').first().waitFor();
    expect(await page.locator('.big').textContent()).toBe(score);
    gateway.demo.clearFaults();
    await page.context().close();
  });

  it('loses its token everywhere at once, and says why', async () => {
    const { page } = await site.newPage();
    await site.signIn(page);
    const other = await page.context().newPage();
    await other.goto(`${gateway.url}/app/`);
    await other.locator('#enter').waitFor();
    // Another student signs in in another tab.
    await gateway.register(second).catch(() => {});
    await site.signIn(other, second);
    await expect.poll(() => page.locator('main').textContent()).toContain('Somebody else');
    expect(await page.evaluate('sessionStorage.getItem("campus-token")')).toBeNull();
    await other.getByRole('button', { name: 'Log out' }).press('Enter');
    await other.locator('#enter').waitFor();
    // The page is loaded again, and is asked while it is between the two.
    const keptToken = () => other.evaluate('sessionStorage.getItem("campus-token")').catch(String);
    await expect.poll(keptToken).toBeNull();
    await page.context().close();
  });

  it.each([390, 1280])(
    '%i wide: thirty courses with long names that overlap, one row, and none, fit',
    async (width) => {
      const { page, wrong } = await site.newPage({ width });
      await site.enter(page);
      let count = 30;
      await page.route('**/table', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        const [course] = body.data.courses;
        const name = `${'形势与政策专题研讨'.repeat(6)} ${'Interdisciplinary'.repeat(4)}`;
        const courses = Array.from({ length: count }, (_, at) => ({
          ...course,
          course_name: `${at} ${name}`,
          time_locations:
            at % 7 === 6
              ? []
              : [
                  {
                    ...course.time_locations[0],
                    class_day: (at % 7) + 1,
                    class_sessions: 1 + (at % 3),
                    class_week: '1'.repeat(24),
                  },
                ],
        }));
        await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, courses } } });
      });
      const fits = async () => {
        await site.settled(page);
        expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
          0,
        );
        expect(await axeFindings(page)).toEqual([]);
      };
      await site.open(page, 'timetable');
      await fits();
      if (width > 1000) expect(await page.locator('.week thead th').nth(1).getAttribute('colspan')).not.toBe('1');
      if (pictures) await page.screenshot({ path: `${pictures}/thirty-${width}.png`, fullPage: true });
      for (count of [1, 0]) {
        await page.reload();
        await fits();
      }
      expect(await page.locator('main').textContent()).toContain('This term has no timetable');
      expect(wrong).toEqual([]);
      await page.context().close();
    },
  );

  it('works below a path of a proxy, from the page of a challenge to a view', async () => {
    const elsewhere: string[] = [];
    const proxy = createServer((incoming, outgoing) => {
      const path = /^\/gateway(\/.*)/.exec(incoming.url ?? '')?.[1];
      if (path === undefined) elsewhere.push(incoming.url ?? '');
      const { method, headers } = incoming;
      const passed = request(`${gateway.url}${path ?? '/none'}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const context = await site.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/gateway/challenge`);
    await page.locator('#userid').fill(first.userid);
    await page.locator('#password').fill(first.password);
    await page.locator('#vpn_password').fill(first.vpnPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Or use this page' }).press('Enter');
    await page.locator('.tabs').waitFor();
    await page.locator('.tabs a[href="#scores"]').press('Enter');
    await page.locator('.mark').first().waitFor();
    for (const name of ['status', 'privacy']) {
      await page.goto(`http://127.0.0.1:${port}/gateway/${name}?lang=en`);
      await page.locator('.bar .brand').press('Enter');
      await page.locator('.tabs').waitFor();
    }
    // Icons of pages of text are asked for at the root, where a browser looks for one anyway.
    expect(elsewhere.filter((path) => path !== '/favicon.ico')).toEqual([]);
    await context.close();
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('signs out where the service ends the token, and after half an hour without a touch', async () => {
    const { page } = await site.newPage();
    await site.signIn(page);
    const [token = ''] = [await page.evaluate('JSON.parse(sessionStorage.getItem("campus-token")).token')].map(String);
    await gateway.b('POST', '/auth/logout', { token });
    await page.locator('.tabs a[href="#exams"]').press('Enter');
    await expect.poll(() => page.locator('main').textContent()).toContain('You are signed out');
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);

    await page.clock.install();
    await site.signIn(page);
    await page.clock.fastForward('31:00');
    await expect.poll(() => page.locator('main').textContent()).toContain('30 minutes without a touch');
    expect(await page.evaluate('sessionStorage.getItem("campus-token")')).toBeNull();

    // A browser that opens a closed tab again gives it what its session storage held.
    await site.signIn(page);
    const kept = await page.evaluate('JSON.stringify(sessionStorage)');
    const tab = await page.context().newPage();
    await tab.goto(`${gateway.url}/privacy`);
    await tab.evaluate(`Object.assign(sessionStorage, ${kept}, {
      'campus-touched': '1',
    })`);
    await tab.goto(`${gateway.url}/app/`);
    await expect.poll(() => tab.locator('main').textContent()).toContain('30 minutes without a touch');
    expect(await tab.evaluate('sessionStorage.getItem("campus-token")')).toBeNull();
    await page.context().close();
  });

  it('has the student answer in place where the campus wants a person', async () => {
    const { page } = await site.newPage();
    await site.enter(page);
    await site.open(page, 'exams');
    const needed = { code: 'PERSON_NEEDED', message: '', trace_id: '', retryable: false };
    const asked: string[] = [];
    await page.route('**/aac/credit/*', (route) =>
      asked.length === 2
        ? route.continue()
        : route.fulfill({
            status: 403,
            json: { success: false, message: '', data: null, error: needed, timestamp: '2026-03-18 10:30:00' },
          }),
    );
    const challenge = {
      id: 'some-id',
      step: 'portal',
      kind: 'totp',
      message: '',
      image_png_base64: null,
      targets: [],
      sent: 'unknown',
      still_valid: false,
      answers_left: 3,
      resend_after: 0,
      expires_at: '2026-03-18 10:35:00',
      page_url: null,
    };
    const answer = (data: object) => ({
      json: { success: true, message: '', data, error: null, timestamp: '2026-03-18 10:30:00' },
    });
    await page.route('**/auth/challenges', (route) => {
      asked.push('begun');
      return route.fulfill(answer({ challenge }));
    });
    await page.route('**/auth/challenges/some-id/answer', (route) => {
      asked.push(String(route.request().postDataJSON().answer));
      return route.fulfill(answer({ token: null }));
    });
    await site.open(page, 'activity');
    await page.getByRole('button', { name: 'Confirm now' }).first().press('Enter');
    await page.getByLabel('Code shown by your authenticator').fill('123456');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.big').waitFor();
    expect(asked).toEqual(['begun', '123456']);
    await page.context().close();
  });

  it('five visits to the page of a challenge leave the token of an app alone', async () => {
    const { body } = await gateway.a('/user/login', entryOf(first));
    const token = body.data.authme_token;
    for (let visit = 0; visit < 5; visit += 1) {
      const { page } = await site.newPage();
      await page.goto(`${gateway.url}/challenge`);
      await page.locator('#userid').fill(first.userid);
      await page.locator('#password').fill(first.password);
      await page.locator('#vpn_password').fill(first.vpnPassword);
      const ended = page.waitForResponse((response) => response.url().endsWith('/auth/logout'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Done' }).waitFor();
      await ended;
      if (visit === 4) {
        await page.getByRole('button', { name: 'Or use this page' }).press('Enter');
        await page.locator('.tabs').waitFor();
      }
      await page.context().close();
    }
    expect((await gateway.b('GET', '/auth/authme/token', { token })).status).toBe(200);
    expect((await tokensOf(first.userid)).length).toBeLessThanOrEqual(5);
  });

  it("on a campus that offers three reads, shows these and what is the service's own", async () => {
    const { page } = await site.newPage({ width: 1280 });
    await page.route('**/campus', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.capabilities = ['academics.exams', 'academics.summary', 'activityScore.total'];
      await route.fulfill({ response: answer, json: body });
    });
    await site.enter(page);
    const shown = await page.locator('.tabs a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(shown).toEqual(['#today', '#exams', '#activity', '#calendar', '#account', '#more']);
    expect(await page.locator('main').textContent()).toContain('Grade point average');
    await page.goto(`${gateway.url}/app/#labor`);
    await expect.poll(() => page.locator('main').textContent()).toContain('does not offer it');
    await page.context().close();
  });
});
