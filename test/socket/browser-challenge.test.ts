import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage } from '../../src/demo/types.ts';
import type { Browser, Page } from '../../tools/node_modules/playwright-core/index.js';
import { axeFindings } from '../support/axe.ts';
import { entryOf } from '../support/campus-rig.ts';
import { hasChromium, launchChromium, needsChromium } from '../support/chromium.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { newcomer } from '../support/replicas.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const words = {
  en: {
    locale: 'en-GB',
    title: 'Log in to the campus',
    step: 'The campus asks whether it is you',
    done: 'Done',
    fields: ['Student id', 'Password of the unified login', 'Password of the VPN portal'],
    isNew: 'I am not registered yet (an invite code is needed)',
    invite: 'Invite code',
    captcha: 'Characters in the image',
    sms: 'Code from the text message',
    totp: 'Code shown by your authenticator',
    image: 'Show another image',
    send: 'Send me a code',
    giveUp: 'Cancel',
  },
  zh: {
    locale: 'zh-CN',
    title: '登录校园系统',
    step: '学校要求本人验证',
    done: '验证完成',
    fields: ['学号', '统一身份认证密码', 'VPN门户密码'],
    isNew: '我还没有注册（需要邀请码）',
    invite: '邀请码',
    captcha: '图片中的字符',
    sms: '短信验证码',
    totp: '动态口令',
    image: '换一张图片',
    send: '发送验证码',
    giveUp: '取消',
  },
} as const;
type Language = keyof typeof words;
type Student = ReturnType<typeof newcomer>;

/** `PICTURES` names a folder: what the page looks like is put there. */
const pictures = process.env.PICTURES;

describe.skipIf(!hasChromium)(`the page for a person in a browser (${needsChromium})`, { timeout: 120_000 }, () => {
  let demo: DemoCampus;
  let gateway: Gateway;
  let browser: Browser;
  const shown: DemoMessage[] = [];
  beforeAll(async () => {
    // The time that pages show as left is the browser's own.
    const clock = new ManualClock(Date.now());
    demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM, onMessage: (message) => shown.push(message) });
    gateway = await startGateway({ clock, demo, env: { PUBLIC_URL: 'http://campus.example' } });
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
  const open = async (width: number, language: Language) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, locale: words[language].locale });
    const page = await context.newPage();
    const wrong: string[] = [];
    // A browser notes every answer of 4xx.
    page.on('console', (message) => {
      if (!message.text().startsWith('Failed to load resource')) wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url) && !request.url().startsWith('data:')) wrong.push(request.url());
    });
    await page.goto(`${gateway.url}/challenge`);
    return { page, wrong, say: words[language] };
  };
  let taken = 0;
  /** Everything that can be typed or pressed has a name, and nothing is wider than the screen. */
  const look = async (page: Page, name = 'page'): Promise<void> => {
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await page.locator('html').getAttribute('lang')).toBe(
      await page.evaluate('navigator.language.startsWith("zh") ? "zh-CN" : "en"'),
    );
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree).not.toMatch(/(?:textbox|radio|checkbox|button|img|link)(?! ")/);
    expect(await axeFindings(page)).toEqual([]);
    expect(tree).toMatch(/heading ".+" \[level=1\]/);
    taken += 1;
    const width = page.viewportSize()?.width;
    if (pictures) await page.screenshot({ path: `${pictures}/${taken}-${name}-${width}.png`, fullPage: true });
  };
  /** Types into the field that has the focus, and continues to the next. */
  const typed = async (page: Page, ...texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
  };
  const onStep = (page: Page, step: string) => page.getByRole('heading', { name: step }).waitFor();
  /** The title and the focused field both say the error. */
  const saysWrong = async (page: Page, name: string): Promise<void> => {
    await expect.poll(() => page.getByRole('alert').textContent()).not.toBe('');
    const alert = (await page.getByRole('alert').textContent()) ?? '';
    expect((await page.title()).startsWith(alert)).toBe(true);
    const field = page.getByLabel(name, { exact: true });
    expect(await page.evaluate('document.activeElement.id')).toBe(await field.getAttribute('id'));
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  };
  const registered = async (): Promise<Student> => {
    const student = newcomer(demo);
    await gateway.register(student);
    // Equal passwords would be answered at once while the session is live.
    demo.student(student.userid).expirePortal();
    gateway.services.sessions.forget(student.userid);
    return student;
  };
  const loggedIn = async (page: Page, say: (typeof words)[Language], student: Student): Promise<void> => {
    await page.getByLabel(say.fields[0], { exact: true }).focus();
    await typed(page, student.userid, student.password, student.vpnPassword);
    await page.keyboard.press('Enter');
  };
  /** The app's own login needs no step after it. */
  const appLogsIn = async (student: Student): Promise<void> => {
    const posted = () => demo.requests({ path: '/por/login_psw.csp' }).length;
    const before = posted();
    const answer = await gateway.a('/user/login', entryOf(student));
    expect([answer.body.code, posted() - before]).toEqual([200, 0]);
  };

  const everyLook = [390, 1280].flatMap((width) =>
    (['zh', 'en'] as const).map((language) => [width, language] as const),
  );

  it.each(everyLook)(
    '%i points wide, in %s: a captcha, then one of two phones, by keyboard alone',
    async (width, language) => {
      const student = await registered();
      demo.student(student.userid).setSecondFactor('sms-two-phones');
      demo.switches.captcha = 'always';
      const { page, wrong, say } = await open(width, language);
      expect(await page.title()).toBe(`${say.title} · Campus Gateway`);
      await look(page, 'login');
      await loggedIn(page, say, student);

      await onStep(page, say.step);
      await look(page, 'captcha');
      expect(await page.evaluate('document.images[0].naturalWidth > 0')).toBe(true);
      const before = shown.length;
      await page.getByRole('button', { name: say.image }).press('Enter');
      await expect.poll(() => shown.length).toBe(before + 1);
      // The new image has arrived when the field takes words again.
      await expect.poll(() => page.locator('main').getAttribute('aria-busy')).toBeNull();
      await page.getByLabel(say.captcha).fill('zz');
      await page.keyboard.press('Enter');
      await saysWrong(page, say.captcha);
      await look(page, 'misread');
      await page.keyboard.type(shown.at(-1)?.text ?? '');
      await page.keyboard.press('Enter');

      await page.getByLabel(say.sms).waitFor();
      await page.getByRole('button', { name: say.send }).press('Enter');
      await page.getByRole('radio').nth(1).press('Space');
      await look(page, 'phones');
      await page.getByRole('button', { name: say.send }).press('Enter');
      await expect.poll(() => shown.at(-1)?.phone).toBe('15912341111');
      await expect.poll(() => page.locator('#send').isDisabled()).toBe(true);
      await page.getByLabel(say.sms).fill('000000');
      await page.keyboard.press('Enter');
      await saysWrong(page, say.sms);
      await look(page, 'wrong-code');
      await page.keyboard.type(shown.at(-1)?.text ?? '');
      await page.keyboard.press('Enter');
      await onStep(page, say.done);
      expect(await page.evaluate('document.activeElement.id')).toBe('title');
      await look(page, 'done');
      await appLogsIn(student);
      expect(wrong).toEqual([]);
      await page.context().close();
    },
  );

  it.each(everyLook)(
    '%i points wide, in %s: a registration with an invite code and a one-time password',
    async (width, language) => {
      const student = newcomer(demo);
      demo.student(student.userid).setSecondFactor('totp');
      const { page, wrong, say } = await open(width, language);
      await page.getByLabel(say.fields[0], { exact: true }).focus();
      await typed(page, student.userid, student.password, student.vpnPassword);
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.type('NO-SUCH-CODE');
      await page.keyboard.press('Enter');
      await saysWrong(page, say.invite);
      await look(page, 'invite');
      await page.getByLabel(say.invite, { exact: true }).fill('DEMO-2026');
      await page.keyboard.press('Enter');
      await onStep(page, say.step);
      await page.keyboard.type('no code');
      await page.keyboard.press('Enter');
      await saysWrong(page, say.totp);
      await look(page, 'malformed');
      await page.getByLabel(say.totp).fill(demo.totp(student.userid));
      await page.keyboard.press('Enter');
      await onStep(page, say.done);
      await look(page, 'registered');
      await appLogsIn(student);
      expect(wrong).toEqual([]);
      await page.context().close();
    },
  );

  it('leaves one token at most behind: its own ends where another one keeps the session', async () => {
    const student = await registered();
    demo.student(student.userid).setSecondFactor('totp');
    const { page, say } = await open(390, 'en');
    await loggedIn(page, say, student);
    await page.getByLabel(say.totp).fill(demo.totp(student.userid));
    await page.keyboard.press('Enter');
    await onStep(page, say.done);
    const tokens = async () => (await gateway.services.storage.tokens.list(student.userid, Date.now())).length;
    await expect.poll(tokens).toBe(1);
    await appLogsIn(student);
    await page.context().close();
  });

  it('a challenge that is given up, over, or answered into the void goes back to the login, in words', async () => {
    const student = await registered();
    demo.student(student.userid).setSecondFactor('totp');
    const { page, say } = await open(390, 'en');
    const alert = () => page.getByRole('alert').textContent();
    await loggedIn(page, say, student);
    await page.getByRole('button', { name: say.giveUp }).press('Enter');
    await expect.poll(alert).toContain('Cancelled');
    expect(await gateway.services.storage.challenges.of(student.userid, 0)).toBeNull();

    await page.locator('#enter').press('Enter');
    await onStep(page, say.step);
    const ended = await gateway.services.storage.challenges.of(student.userid, 0);
    await gateway.services.storage.challenges.remove(ended?.idHash ?? '');
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await expect.poll(alert).toContain('over');

    await page.locator('#enter').press('Enter');
    await onStep(page, say.step);
    await page.route('**/answer', (route) => route.abort());
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await expect.poll(alert).toContain('cannot be reached');
    await look(page, 'unreached');
    // The answer was taken, and the way back was lost.
    await page.unroute('**/answer');
    await page.route('**/answer', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.type(demo.totp(student.userid));
    await page.keyboard.press('Enter');
    await expect.poll(alert).toContain('No answer arrived');
    await appLogsIn(student);
    await page.context().close();
  });

  it('changes its language at once', async () => {
    const { page } = await open(1280, 'zh');
    await page.getByRole('button', { name: 'English' }).press('Enter');
    expect(await page.locator('h1').textContent()).toBe(words.en.title);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.context().close();
  });
});
