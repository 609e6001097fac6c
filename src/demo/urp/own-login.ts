import { createHash, randomBytes } from 'node:crypto';
import { captchaImage, captchaText } from '../captcha-image.ts';
import { type DemoReply, errorPage, escapeHtml, htmlPage, redirectTo, reply, withCookies } from '../exchange.ts';
import { newSessionId } from '../ids.ts';
import { forgetful } from '../sessions.ts';
import type { SimulatedCall, SimulatedHandler, SimulatedStudent } from '../simulated-campus.ts';
import type { DemoMessage } from '../types.ts';

const SESSION = 'JSESSIONID';

const hexMd5 = (text: string, version = ''): string =>
  createHash('md5')
    .update(version === '1.8' ? text : `${text}{Urp602019}`)
    .digest('hex');
const md5 = (text: string): string => hexMd5(text, '1.8');

const P = "$('#input_password').val()";

/** What the pages of schools do to a password, and what their button says of it. */
const passwordForms = {
  plain: { button: "$('#loginForm').submit()", of: (typed: string) => typed },
  // Of an older script, whose `hex_md5` appends nothing.
  md5: { button: `$('#input_password').val(hex_md5(${P}))`, of: md5 },
  'md5-pair': {
    button: `$('#input_password').val(hex_md5(${P}) + '*' + hex_md5(${P}, '1.8'))`,
    of: (typed: string) => `${hexMd5(typed)}*${md5(typed)}`,
  },
  'older md5-pair': {
    button: `$("#input_password").val(hex_md5(${P}+'{Urp602019}')+'*'+hex_md5(${P}))`,
    of: (typed: string) => `${hexMd5(typed)}*${md5(typed)}`,
  },
  'md5-twice': {
    button: `$('#input_password').val(hex_md5(hex_md5(${P}),'1.8')+'*'+hex_md5(hex_md5(${P},'1.8'),'1.8'))`,
    of: (typed: string) => `${hexMd5(hexMd5(typed), '1.8')}*${hexMd5(hexMd5(typed, '1.8'), '1.8')}`,
  },
} as const;

/** A change holds from the next request on. */
export class OwnLoginSwitches {
  password: keyof typeof passwordForms = 'md5-twice';
  /** What its button says instead; empty: it says nothing, as where a script in a file does it. */
  button: string | null = null;
  /** Older pages hand out no token. */
  token = true;
  /** The error that it names to every password; empty: none, as a bare login page. */
  errorCode: string | null = null;
  /** A firewall, or a fault, answers passwords: a status. */
  status: number | null = null;
  /** A page in place of the images. */
  images = true;
  /** Where a right password leads; a proxy in front of the system may forget its scheme. */
  landing = '/index.jsp';
}

interface OwnLoginParts {
  now(): number;
  find(userid: string): SimulatedStudent | null;
  /** Opens a session, and leads its browser on. */
  open(userid: string, landing: string): DemoReply;
  onMessage?(message: DemoMessage): void;
}

/** The login of academic affairs itself. Images belong to a session, tokens to a page, and both are good for one try. */
export class OwnLogin {
  readonly switches = new OwnLoginSwitches();
  /** By session: the token of its latest page, null where it has none; and the characters of its latest image. */
  readonly #pages = forgetful<{ readonly token: string | null }>();
  readonly #images = forgetful<string>();
  readonly #parts: OwnLoginParts;

  constructor(parts: OwnLoginParts) {
    this.#parts = parts;
  }

  readonly routes: Readonly<Record<string, SimulatedHandler>> = {
    'GET /login': ({ cookies }) => this.page(cookies.get(SESSION)),
    'GET /img/captcha.jpg': (call) => this.#image(call),
    'POST /j_spring_security_check': (call) => this.#check(call),
  };

  page(known = ''): DemoReply {
    const session = this.#pages.has(known) ? known : newSessionId();
    const token = this.switches.token ? randomBytes(16).toString('hex') : null;
    this.#pages.set(session, { token });
    const hidden = token === null ? '' : `<input type="hidden" id="tokenValue" name="tokenValue" value="${token}">`;
    const button = this.switches.button ?? passwordForms[this.switches.password].button;
    const onclick = button === '' ? '' : ` onclick="${escapeHtml(button)}"`;
    const html = `<html><head><title>URP综合教务系统</title></head><body>
<form id="loginForm" action="/j_spring_security_check" method="POST">${hidden}
<input id="input_username" name="j_username"><input id="input_password" type="password" name="j_password">
<input id="input_checkcode" name="j_captcha"><img id="captcha_pic"><input type="button" id="loginButton"${onclick}></form></body></html>`;
    return withCookies(htmlPage(html), [`${SESSION}=${session}; Path=/; HttpOnly`]);
  }

  #image({ cookies, query, path }: SimulatedCall): DemoReply {
    const session = cookies.get(SESSION) ?? '';
    const isStamped = /^\d{13}$/.test([...query.keys()].join());
    if (!this.switches.images || !isStamped || !this.#pages.has(session)) return errorPage(404, 'Not Found');
    const text = captchaText();
    this.#images.set(session, text);
    this.#parts.onMessage?.({ at: this.#parts.now(), path, userid: '', phone: 'image', text });
    return reply(200, 'image/jpeg', captchaImage(text));
  }

  #check({ form, cookies }: SimulatedCall): DemoReply {
    const { status, errorCode, landing, password } = this.switches;
    const session = cookies.get(SESSION) ?? '';
    const [page, image] = [this.#pages.get(session), this.#images.get(session)];
    this.#pages.set(session, { token: '' });
    this.#images.delete(session);
    if (status !== null) return reply(status, 'text/html', '<html><body></body></html>');
    if (errorCode !== null) return redirectTo(errorCode === '' ? '/login' : `/login?errorCode=${errorCode}`);
    const wanted = ['j_username', 'j_password', 'j_captcha', ...(page?.token == null ? [] : ['tokenValue'])];
    const isComplete = [...form.keys()].join() === wanted.join();
    if (page === undefined || !isComplete || (form.get('tokenValue') ?? null) !== page.token)
      return redirectTo('/login');
    if (image === undefined || form.get('j_captcha') !== image) return redirectTo('/login?errorCode=badCaptcha');
    const student = this.#parts.find(form.get('j_username') ?? '');
    const isRight = student !== null && form.get('j_password') === passwordForms[password].of(student.password);
    return isRight ? this.#parts.open(student.id, landing) : redirectTo('/login?errorCode=badCredentials');
  }
}
