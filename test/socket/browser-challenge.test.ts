import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { captchaImage } from '../../src/demo/captcha-image.ts';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage, DemoSecondFactor } from '../../src/demo/types.ts';
import type { Challenge } from '../../src/domain/accounts/challenges/ports.ts';
import { codePage, confirmPage, endPage, type Notice, stepPage } from '../../src/surfaces/page/html.ts';
import { pageWords, wrongAnswer } from '../../src/surfaces/page/words.ts';
import type { Browser, Page } from '../../tools/node_modules/playwright-core/index.js';
import { hasChromium, launchChromium, needsChromium } from '../support/chromium.ts';
import { exampleChallenge } from '../support/fake-services.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { newcomer } from '../support/replicas.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const widths = [320, 768, 1440];
const words = {
  en: {
    locale: 'en-GB',
    title: 'Confirm a login',
    sms: 'Code from the text message',
    totp: 'Code shown by your authenticator',
    captcha: 'Characters in the image',
  },
  zh: { locale: 'zh-CN', title: '登录验证', sms: '短信验证码', totp: '动态口令', captcha: '图片中的字符' },
} as const;
const buttons = {
  en: {
    next: 'Continue',
    send: 'Send me a code',
    submit: 'Submit',
    yes: 'Yes, I have just logged in myself',
    image: 'Show another image',
  },
  zh: { next: '继续', send: '发送验证码', submit: '提交', yes: '是的，刚才是我本人在登录', image: '换一张图片' },
} as const;

describe.skipIf(!hasChromium)(`the page for a person in a browser (${needsChromium})`, { timeout: 120_000 }, () => {
  let demo: DemoCampus;
  let gateway: Gateway;
  let browser: Browser;
  const shown: DemoMessage[] = [];
  beforeAll(async () => {
    const clock = new ManualClock();
    demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM, onMessage: (message) => shown.push(message) });
    gateway = await startGateway({
      clock,
      demo,
      env: { PUBLIC_URL: 'http://campus.example', TRUSTED_PROXIES: '127.0.0.1' },
    });
    browser = await launchChromium();
  });
  afterEach(() => {
    demo.switches.captcha = 'off';
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    await demo?.close();
  });

  /** A page of that width, and all that went wrong on it so far. */
  const open = async (width: number, language: keyof typeof words) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, locale: words[language].locale });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => wrong.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url) && !request.url().startsWith('data:')) wrong.push(request.url());
    });
    await page.goto(`${gateway.url}/challenge`);
    return { page, wrong };
  };
  /** Everything that can be typed or pressed has a name, and nothing is wider than the screen. */
  const look = async (page: Page): Promise<string> => {
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await page.locator('html').getAttribute('lang')).toBe(
      await page.evaluate('navigator.language.startsWith("zh") ? "zh-CN" : "en"'),
    );
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree).not.toMatch(/(?:textbox|radio|button|img|link)(?! ")/);
    expect(tree).toMatch(/heading ".+" \[level=1\]/);
    return tree;
  };

  /** A student whose login waits for that, and its page, where the code of the app has been typed. */
  const typedCode = async (width: number, language: keyof typeof words, kind: DemoSecondFactor, from: string) => {
    const student = newcomer(demo);
    const { userid, password, vpnPassword } = student;
    const token = await gateway.register(student);
    demo.student(userid).setSecondFactor(kind);
    if (kind === 'sms-two-phones') demo.switches.captcha = 'always';
    // Equal passwords would be answered at once while the session is live.
    demo.student(userid).expirePortal();
    gateway.services.sessions.forget(userid);
    const body = { userid, password, vpn_password: vpnPassword };
    const met = await gateway.b('POST', '/auth/login/next', { body, headers: { 'x-forwarded-for': from }, token });
    const { page, wrong } = await open(width, language);
    expect(await page.title()).toBe(`${words[language].title} · Campus Gateway`);
    await look(page);
    // The field has the focus already.
    await page.keyboard.type(met.body.data.challenge.page_code.toLowerCase());
    await page.keyboard.press('Enter');
    return { page, wrong, userid };
  };
  /** What is wrong is said by the title, and by the field, which has the focus. */
  const saysWrong = async (page: Page, name: string): Promise<void> => {
    const alert = (await page.getByRole('alert').textContent()) ?? '';
    expect((await page.title()).startsWith(alert)).toBe(true);
    const field = page.getByLabel(name);
    expect(await page.evaluate('document.activeElement.id')).toBe(await field.getAttribute('id'));
    expect(await field.getAttribute('aria-describedby')).toContain('notice');
  };

  it.each([
    [320, 'zh'],
    [1440, 'en'],
  ] as const)(
    '%i points wide, in %s: two phones and a captcha, from another network, by keyboard alone',
    async (width, language) => {
      const [say, press] = [words[language], buttons[language]];
      const { page, wrong } = await typedCode(width, language, 'sms-two-phones', '203.0.113.9');

      await page.getByLabel(say.captcha).waitFor();
      expect(await look(page)).toContain('203.0.113.0/24');
      expect(await page.evaluate('document.images[0].naturalWidth > 0')).toBe(true);
      const before = shown.length;
      await page.getByRole('button', { name: press.image }).press('Enter');
      await expect.poll(() => shown.length).toBe(before + 1);
      await page.getByLabel(say.captcha).fill(shown.at(-1)?.text ?? '');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: press.yes }).waitFor();
      await look(page);
      await page.getByRole('button', { name: press.yes }).press('Enter');

      await page.getByLabel(say.sms).waitFor();
      await page.getByRole('button', { name: press.send }).press('Enter');
      await page.getByRole('radio').nth(1).press('Space');
      await look(page);
      await page.getByRole('button', { name: press.send }).press('Enter');
      await expect.poll(() => shown.at(-1)?.phone).toBe('15912341111');
      await page.getByLabel(say.sms).fill('000000');
      await page.getByRole('button', { name: press.submit }).press('Enter');
      await page.getByRole('alert').waitFor();
      await look(page);
      await saysWrong(page, say.sms);
      await page.keyboard.type(shown.at(-1)?.text ?? '');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('form').count()).toBe(0);
      expect(await look(page)).not.toContain('alert');
      expect(wrong).toEqual([]);
      await page.context().close();
    },
  );

  it.each([
    [320, 'en'],
    [768, 'zh'],
  ] as const)('%i points wide, in %s: a code, then a one-time password', async (width, language) => {
    const [say, press] = [words[language], buttons[language]];
    const { page, wrong, userid } = await typedCode(width, language, 'sms-then-totp', '127.0.0.1');
    await page.getByRole('button', { name: press.send }).press('Enter');
    await expect.poll(() => shown.at(-1)?.userid).toBe(userid);
    await look(page);
    // Too early for another one.
    await page.getByRole('button', { name: press.send }).press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel(say.sms).getAttribute('aria-invalid')).toBeNull();
    await page.getByLabel(say.sms).fill(shown.at(-1)?.text ?? '');
    await page.keyboard.press('Enter');
    await page.getByLabel(say.totp).waitFor();
    expect(await look(page)).toContain('status');
    await page.getByLabel(say.totp).fill('no code');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await saysWrong(page, say.totp);
    await page.getByLabel(say.totp).fill(demo.totp(userid));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('form').count()).toBe(0);
    await look(page);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it.each(['en', 'zh'] as const)('every state of it, in %s and three widths', async (language) => {
    const drawn = { language, timeZone: 'Asia/Shanghai', now: exampleChallenge.expiresAt - 60_000 };
    const image = { kind: 'captcha', image: { type: 'image/png', bytes: captchaImage('AB7K') } } as const;
    const phones = { targets: [0, 1].map((index) => ({ index, label: `138****000${index}` })) };
    const away = { asker: { ...exampleChallenge.asker, isHere: false, client: null } };
    const step = (over: Partial<Challenge>, notice: Notice | null = null) =>
      stepPage(drawn, { ...exampleChallenge, ...over }, { pageCode: '7K2M9QXD', confirmed: false, notice });
    const wrong: Notice = { words: wrongAnswer(1), about: 'answer' };
    const states = [
      codePage(drawn, null),
      codePage(drawn, { words: pageWords.badCode }),
      step(image),
      step({ ...image, sendsLeft: 0 }, wrong),
      step({ sent: 'yes', stillValid: true, resendAfter: 60 }, { words: pageWords.sendRefused }),
      step(phones, { words: pageWords.chooseTarget, about: 'target' }),
      step({ sendsLeft: 0 }, wrong),
      step({ kind: 'totp', ...away }, { words: pageWords.passedStep, tone: 'good' }),
      confirmPage(drawn, { ...exampleChallenge, ...away }, { pageCode: '7K2M9QXD', answer: '1' }),
      ...(['freed', 'renewed'] as const).map((text) => endPage(drawn, pageWords.passedTitle, pageWords[text])),
      ...(['over', 'elsewhere', 'refused'] as const).map((text) =>
        endPage(drawn, pageWords.overTitle, pageWords[text]),
      ),
      endPage(drawn, pageWords.failedTitle, pageWords.campusFailed, '7K2M9QXD'),
    ];
    const { page } = await open(320, language);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      for (const html of states) {
        await page.setContent(html);
        await look(page);
        // Whoever listens hears it before anything else of the form.
        if (html.includes('aria-invalid')) expect(html).toMatch(/<title>[^<]+ · [^<]+ · Campus Gateway<.*autofocus/s);
      }
    }
    await page.context().close();
  });
});
