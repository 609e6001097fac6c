import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAccess } from '../../src/config/demo.ts';
import type { Browser, BrowserContextOptions, Page } from '../../tools/node_modules/playwright-core/index.js';
import { axeFindings } from '../support/axe.ts';
import { first, second } from '../support/campus-rig.ts';
import { hasChromium, launchChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

const screens: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 800 }, locale: 'en-GB' },
  'phone in Chinese': { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'zh-CN' },
};

describe.skipIf(!hasChromium)(`the documentation page in a browser (${needsChromium})`, { timeout: 120_000 }, () => {
  let gateway: Gateway;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    gateway = await startGateway({ app: { demo: demoAccess('demo') } });
    token = await gateway.register(first);
    await gateway.register(second);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  /** The open page, which has loaded well with bearer preselected, and all that goes wrong on it: another host, an error. */
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
    await page
      .getByPlaceholder(/^Token$|令牌/)
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(await page.getByRole('button', { name: /bearer$/ }).count()).toBe(1);
    expect(await page.locator('html').getAttribute('lang')).toBe(screen.includes('Chinese') ? 'zh' : 'en');
    expect(await axeFindings(page, '#bar')).toEqual([]);
    const boxes = await Promise.all(
      (await page.locator('#students button').all()).map((button) => button.boundingBox()),
    );
    const [one, two] = boxes;
    const gap = Math.max(
      (two?.x ?? 0) - (one?.x ?? 0) - (one?.width ?? 0),
      (two?.y ?? 0) - (one?.y ?? 0) - (one?.height ?? 0),
    );
    expect(gap).toBeGreaterThanOrEqual(8);
    // Nothing is wider than the screen, so readers need not scroll sideways.
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    return { page, wrong };
  };

  /** The token that calls carry, once the reference that was made with it is there. */
  const carried = async (page: Page, token: string | RegExp): Promise<string> => {
    const entered = page.getByPlaceholder(/^Token$|令牌/).first();
    await expect.poll(() => entered.inputValue(), { timeout: 30_000 }).toMatch(token);
    return entered.inputValue();
  };

  /** Of the page's form, for copies alone; the calls of the page carry it from then on. */
  const make = async (page: Page, scopes: readonly string[]): Promise<string> => {
    const before = await page.locator('#secret').textContent();
    if ((await page.locator('#personal').getAttribute('open')) === null)
      await page.locator('#personal summary').click();
    await page.locator('input[value="labor:write"]').check();
    await page.locator('#copies').check();
    expect(await page.locator('input[name="scope"]:checked, [data-writes]:enabled').count()).toBe(0);
    for (const scope of scopes) await page.locator(`input[value="${scope}"]`).check();
    await page.locator('#days').selectOption('90');
    await page.locator('#make button').click();
    const shown = page.locator('#secret').getByText(/^cgp_/);
    await shown.filter({ hasNotText: before || 'none yet' }).waitFor();
    const secret = (await shown.textContent()) ?? '';
    await carried(page, secret);
    return secret;
  };

  it('logs in from its bar, and fills the token and the term into what is tried on both surfaces', async () => {
    const { page, wrong } = await open('desktop');
    await page.getByRole('button', { name: `Log in as ${second.userid}` }).click();
    await page.getByText(`Every call carries the token of ${second.userid}`).waitFor();
    const token = await carried(page, /^[\w-]{43}$/);
    expect(await page.evaluate('scrollY')).toBe(0);
    const terms = (await gateway.b('GET', '/jwc/term/all', { token })).body.data;
    const { term_code } = terms.find((term: Record<string, unknown>) => term.is_current);
    const sent = async (place: string, path: string) => {
      await page.goto(`${gateway.url}/docs#${place}`);
      await page.getByRole('button', { name: new RegExp(`Test Request.*${path}`) }).click();
      const asked = page.waitForRequest((each) => each.method() !== 'OPTIONS' && each.url().startsWith(gateway.url));
      await page.getByRole('button', { name: /^Send/ }).first().click();
      const request = await asked;
      await page.getByText('200 OK').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('200 OK').first().waitFor({ state: 'hidden' });
      return request;
    };
    const scores = await sent('tag/academic-affairs/GET/jwc/score/{term_code}/list', '/jwc/score/');
    expect(new URL(scores.url()).pathname).toBe(`/jwc/score/${term_code}/list`);
    const headers = await scores.allHeaders();
    expect(headers.authorization).toBe(`Bearer ${token}`);
    // Offered as fields, and sent when they are ticked only.
    expect([headers['x-copy'], headers['cache-control']]).toEqual([undefined, undefined]);
    const v1 = await sent('tag/v1-academics/POST/api/v1/jwc/fetch_term_score', '/fetch_term_score');
    expect(v1.postDataJSON()).toMatchObject({ AuthmeRequest: { token }, request: { term_id: term_code } });
    const made = [await make(page, ['schedule:read']), await make(page, ['academics:read'])];
    // The login is kept beside them: it made the second one.
    const { tokens } = (await gateway.b('GET', '/auth/tokens', { token })).body.data;
    expect(tokens).toMatchObject([
      { name: 'widget', scopes: ['academics:read'], copies_only: true },
      { scopes: ['schedule:read'] },
    ]);
    const check = await sent('tag/authentication/GET/auth/authme/token', '/auth/authme/token');
    expect((await check.allHeaders()).authorization).toBe(`Bearer ${made[1]}`);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('reads nothing of what the page for students keeps, takes the token of a login that was tried on it, and sends one that was typed', async () => {
    const { page, wrong } = await open('desktop');
    const reach = (place: string) =>
      page.evaluate(`(() => { try { return String(${place}) } catch (error) { return error.name } })()`);
    expect(await reach('self.origin')).toBe('null');
    // The page has its own stand-ins; a frame of it has those of the browser.
    const frame = "document.body.appendChild(document.createElement('iframe')).contentWindow";
    for (const storage of ['localStorage', 'sessionStorage']) {
      expect(await reach(`${frame}.${storage}`)).toBe('SecurityError');
    }
    await page.goto(`${gateway.url}/docs#tag/authentication/POST/auth/login/next`);
    await page.getByRole('button', { name: /Test Request.*\/auth\/login\/next/ }).click();
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await page.getByText('200 OK').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('200 OK').first().waitFor({ state: 'hidden' });
    await page.locator('#take').click();
    await page.getByText('Every call carries the token.').waitFor();
    await carried(page, /^[\w-]{43}$/);
    await page.locator('#forget').click();
    await carried(page, /^$/);
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

  it('makes a personal token on a phone in Chinese, shows it once and lets calls carry it', async () => {
    const { page, wrong } = await open('phone in Chinese');
    expect(await page.locator('#personal').isVisible()).toBe(false);
    await page.getByRole('button', { name: new RegExp(`${first.userid}$`) }).click();
    await page.locator('#told').getByText(first.userid).waitFor();
    // The calls are what a reader who is logged in came for.
    const height = (await page.locator('#bar').boundingBox())?.height ?? Number.NaN;
    expect(height).toBeLessThanOrEqual(844 / 4);
    await page.locator('#who > summary').click();
    const text = `${await page.locator('#bar').innerText()}`;
    expect([text.includes(first.password), text.includes(first.vpnPassword)]).toEqual([false, false]);
    await page.locator('#personal summary').click();
    await page.locator('#make button').click();
    await page.getByText('请至少选择一项权限').waitFor();
    const secret = await make(page, ['exams:read', 'schedule:read']);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect((await gateway.b('GET', '/jwc/exam/info', { token: secret })).body.error.code).toBe('NO_COPY');
    const { body } = await gateway.b('GET', '/jwc/academic/info', { token: secret });
    expect(body.error.code).toBe('INSUFFICIENT_SCOPE');
    await page.getByText('带上这个个人令牌').waitFor();
    await page.reload();
    await page.getByPlaceholder('令牌').first().waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(wrong).toEqual([]);
    await page.context().close();
  });
});
