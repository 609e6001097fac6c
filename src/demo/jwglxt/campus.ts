import { type Clock, campusDate, systemClock } from '../../lib/time.ts';
import { captchaImage } from '../captcha-image.ts';
import { createPortalKey, type PortalKey } from '../crypto.ts';
import { type DemoReply, errorPage, htmlPage, jsonBody, redirectTo, reply, withCookies } from '../exchange.ts';
import { letters } from '../ids.ts';
import { forgetful } from '../sessions.ts';
import {
  type CampusModel,
  type ModelParts,
  type SimulatedCall,
  type SimulatedCampus,
  type SimulatedHandler,
  type SimulatedStudent,
  simulateCampus,
} from '../simulated-campus.ts';
import { BASE, type JwglxtSwitches, LOCK_MINUTES, LOCKS_AFTER, LOGIN, loginPage, usual } from './login-page.ts';
import {
  type Answer,
  area,
  components,
  exams,
  file,
  noPermission,
  scores,
  sectionTimes,
  summary,
  termsPage,
  timetable,
} from './reads.ts';
import { type JwglxtStudent, jwglxtStudents } from './records.ts';

/** The host of the manifest, which resolves nowhere. */
const HOSTS = { jwglxt: 'http://academics.zhengfang.test' };
const TIME_ZONE = 'Asia/Shanghai';
const MENU = `${BASE}/xtgl/index_initMenu.html`;
/** What the image shows. */
export const IMAGE_TEXT = 'k7x4';

type JwglxtSystem = keyof typeof HOSTS;

interface Opened {
  /** It is good for one password, as is the key. */
  csrf: string;
  hasKey: boolean;
  hasImage: boolean;
  hasTermsPage: boolean;
  student: JwglxtStudent | null;
}

/** The functions of this school, one of which has another number than at most. */
const menu = [
  ['N305005', '/cjcx/cjcx_cxDgXscj.html', '学生成绩查询'],
  ['N2151', '/kbcx/xskbcx_cxXskbcxIndex.html', '个人课表查询'],
  ['N3580', '/kwgl/kscx_cxXsksxxIndex.html', '考试信息查询'],
  ['N105515', '/xsxy/xsxyqk_cxXsxyqkIndex.html', '学生学业情况查询'],
  ['N100801', '/xsxxxggl/xsgrxxwh_cxXsgrxx.html', '查询个人信息'],
] as const;

const script = `<html><head><script>$_ts=window['$_ts'];if(!$_ts)$_ts={};$_ts.nsd=11111;</script></head><body></body></html>`;
const closed = '<html><body>系统维护中，开放时间：7:00-23:00</body></html>';
const textReply = (text: string): DemoReply => reply(200, 'text/html;charset=UTF-8', text);

const cookieOf = ({ cookies }: SimulatedCall): string =>
  cookies.has('route') ? (cookies.get('JSESSIONID') ?? '') : '';
const isScripted = ({ header }: SimulatedCall): boolean => header('x-requested-with') === 'XMLHttpRequest';

/** 正方 jwglxt with its own login: no portal, no unified login. */
export class Jwglxt implements CampusModel<JwglxtSystem> {
  readonly switches: JwglxtSwitches = { ...usual };
  /** Passwords that it was sent, by student; wrong ones in a row, and when the last came. */
  readonly passwords = new Map<string, number>();
  readonly failures = new Map<string, { count: number; last: number }>();
  readonly #clock: Clock;
  readonly #key: PortalKey;
  readonly #sessions = forgetful<Opened>();
  readonly #students = new Map(jwglxtStudents.map((student) => [student.id, student]));

  constructor({ clock }: Pick<ModelParts<JwglxtSystem>, 'clock'>, key: PortalKey) {
    this.#clock = clock;
    this.#key = key;
  }

  readonly systems = {
    jwglxt: {
      refuse: (call: SimulatedCall) => this.#stop(call),
      routes: {
        [`GET ${LOGIN}`]: () => this.#openedLogin(),
        [`GET ${BASE}/kaptcha`]: (call: SimulatedCall) => this.#image(call),
        [`POST ${BASE}/xtgl/yhgl_cxXxqrCheck.html`]: () => textReply(String(this.switches.confirm)),
        [`POST ${BASE}/xtgl/login_cxDlxgxx.html`]: ({ form }: SimulatedCall) => this.#failuresOf(form.get('yhm') ?? ''),
        [`POST ${BASE}/xtgl/login_logoutAccount.html`]: () => textReply(''),
        [`GET ${BASE}/xtgl/login_getPublicKey.html`]: (call: SimulatedCall) => this.#publicKey(call),
        [`POST ${LOGIN}`]: (call: SimulatedCall) => this.#submit(call),
        [`GET ${MENU}`]: this.#inside(({ student }) => this.#menu(student)),
        [`POST ${BASE}/xtgl/index_cxAreaSix.html`]: this.#inside(area),
        [`GET ${BASE}/kbcx/xskbcx_cxXskbcxIndex.html`]: this.#file('N2151', termsPage),
        [`POST ${BASE}/kbcx/xskbcx_cxXsgrkb.html`]: this.#file('N2151', timetable('first')),
        [`POST ${BASE}/kbcx/xskbcx_cxXsKb.html`]: this.#file('N2151', timetable('second')),
        [`POST ${BASE}/kbcx/xskbcx_cxRjc.html`]: this.#file('N2151', sectionTimes),
        [`POST ${BASE}/cjcx/cjcx_cxXsgrcj.html`]: this.#file('N305005', scores('first')),
        [`POST ${BASE}/cjcx/cjcx_cxDgXscj.html`]: this.#file('N305005', scores('second')),
        [`POST ${BASE}/cjcx/cjcx_cxCjxqGjh.html`]: this.#file('N305005', components),
        [`POST ${BASE}/kwgl/kscx_cxXsksxxIndex.html`]: this.#file('N3580', exams),
        [`GET ${BASE}/xsxxxggl/xsgrxxwh_cxXsgrxx.html`]: this.#file('N100801', file),
        [`GET ${BASE}/xsxy/xsxyqk_cxXsxyqkIndex.html`]: this.#file('N105515', summary),
      },
    },
  };

  reset(): void {
    Object.assign(this.switches, usual);
    this.failures.clear();
    this.passwords.clear();
  }

  expireSessions(): void {
    this.#sessions.clear();
  }

  /** It has no login but its own. */
  expireLogins(): void {}

  addStudent(pair: SimulatedStudent): void {
    const [first] = jwglxtStudents;
    if (first) this.#students.set(pair.id, { ...first, ...pair });
  }

  toLogin(): DemoReply {
    return redirectTo(LOGIN);
  }

  loginPage(): DemoReply {
    return htmlPage(loginPage(this.switches, letters(36), this.#showsImage(), ''));
  }

  /** Opens a session for who was signed in elsewhere, and leads on by two redirects. */
  enter(userid: string): DemoReply {
    const id = this.#open();
    const session = this.#sessions.get(id);
    if (session) session.student = this.#students.get(userid) ?? null;
    return redirectTo(`${MENU}?jsdm=xs`, this.#cookies(id));
  }

  #today(): string {
    return campusDate(this.#clock.now(), TIME_ZONE);
  }

  #open(): string {
    const id = letters(32);
    this.#sessions.set(id, { csrf: '', hasKey: false, hasImage: false, hasTermsPage: false, student: null });
    return id;
  }

  #cookies(id: string): string[] {
    return [`JSESSIONID=${id}; Path=${BASE}; HttpOnly`, 'route=1f3a; Path=/'];
  }

  #stop({ path }: SimulatedCall): DemoReply | null {
    const { firewall, night } = this.switches;
    if (firewall === 'script') return htmlPage(script);
    if (firewall !== 'off') return reply(Number(firewall), 'text/html', script);
    return night === 'page' && path.startsWith(BASE) ? reply(403, 'text/html;charset=UTF-8', closed) : null;
  }

  #openedLogin(): DemoReply {
    const id = this.#open();
    return withCookies(htmlPage(this.#renew(id)), this.#cookies(id));
  }

  /** The page with a new token for the session. */
  #renew(id: string, tip = ''): string {
    const session = this.#sessions.get(id);
    const csrf = `${letters(36)},${letters(32)}`;
    if (session) Object.assign(session, { csrf, hasKey: false });
    return loginPage(this.switches, csrf, this.#showsImage(), tip);
  }

  #showsImage(): boolean {
    const { image } = this.switches;
    return image === 'shown' || image === 'dlsfbxyzm' || (image === 'after-failures' && this.failures.size > 0);
  }

  #image(call: SimulatedCall): DemoReply {
    const session = this.#sessions.get(cookieOf(call));
    if (session === undefined) return errorPage(404, 'Not Found');
    session.hasImage = true;
    return reply(200, 'image/jpeg', captchaImage(IMAGE_TEXT));
  }

  #failuresOf(userid: string): DemoReply {
    if (!this.#students.has(userid)) return textReply('"0"');
    const { count, last } = this.failures.get(userid) ?? { count: 0, last: this.#clock.now() };
    return textReply(`"${count}_${last}"`);
  }

  #publicKey(call: SimulatedCall): DemoReply {
    const session = this.#sessions.get(cookieOf(call));
    if (session === undefined) return jsonBody({});
    session.hasKey = true;
    const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
    const exponent = BigInt(this.#key.exponent).toString(16).padStart(6, '0');
    return jsonBody({ modulus: base64(`00${this.#key.modulusHex}`), exponent: base64(exponent) });
  }

  #submit(call: SimulatedCall): DemoReply {
    const { form } = call;
    const { mmsfjm, slider, sms, night, success } = this.switches;
    const userid = form.get('yhm') ?? '';
    this.passwords.set(userid, (this.passwords.get(userid) ?? 0) + 1);
    const id = cookieOf(call);
    const session = this.#sessions.get(id);
    const [mm = '', second, more] = form.getAll('mm');
    const isSpent = session === undefined || session.csrf === '' || form.get('csrftoken') !== session.csrf;
    const tell = (tip: string): DemoReply => htmlPage(this.#renew(id, tip));
    if (isSpent || second !== mm || more !== undefined) return this.#openedLogin();
    const isPlain = mmsfjm === '0';
    const password = isPlain
      ? mm
      : session.hasKey
        ? this.#key.decrypt(Buffer.from(mm, 'base64').toString('hex'))
        : null;
    Object.assign(session, { csrf: '', hasKey: false });
    if (slider === 'tip') return tell('请先滑动图片进行验证');
    if (night === 'tip') return tell('当前不在系统开放时间内');
    if (this.#showsImage() && (form.get('yzm') !== IMAGE_TEXT || !session.hasImage)) return tell('验证码输入错误！');
    session.hasImage = false;
    const { count, last } = this.failures.get(userid) ?? { count: 0, last: 0 };
    if (count >= LOCKS_AFTER && last + LOCK_MINUTES * 60_000 > this.#clock.now())
      return tell('您已超过最大登录失败次数，请在300秒后再登录！');
    const student = this.#students.get(userid);
    if (student === undefined || password !== student.password) {
      if (student) this.failures.set(userid, { count: count + 1, last: this.#clock.now() });
      return tell('<span class="glyphicon glyphicon-minus-sign"></span>用户名或密码不正确，请重新输入！');
    }
    this.failures.delete(userid);
    if (sms === 'answer')
      return htmlPage(
        '<html><body><form><input type="text" name="dxyz" id="dxyz"><span>短信验证码已发送</span></form></body></html>',
      );
    session.student = student;
    const signedIn = this.#open();
    this.#sessions.set(signedIn, session);
    const cookies = this.#cookies(signedIn);
    const menuUrl = `${MENU}?jsdm=xs&_t=${this.#clock.now()}`;
    if (success === 'back-to-login') return redirectTo(LOGIN, cookies);
    if (success === 'meta')
      return withCookies(
        htmlPage(`<html><head><meta http-equiv="refresh" content="0;url=${menuUrl}"></head></html>`),
        cookies,
      );
    return redirectTo(menuUrl, cookies);
  }

  /** Without a session, pages lead to the login and what scripts ask is answered with a special status. */
  #inside(answer: Answer): SimulatedHandler {
    return (call) => {
      const session = this.#sessions.get(cookieOf(call));
      if (session?.student == null) return isScripted(call) ? reply(901, 'text/html', '') : this.toLogin();
      return answer({ student: session.student, call, session, switches: this.switches, today: this.#today() });
    };
  }

  /** Reached by the number under which the menu files its function. */
  #file(code: string, answer: Answer): SimulatedHandler {
    return this.#inside((inside) => {
      if (inside.call.query.get('gnmkdm') !== code) return noPermission();
      const { alert } = this.switches;
      const page = `<html><body><div class="alert alert-warning">${alert}</div></body></html>`;
      return alert === '' ? answer(inside) : htmlPage(page);
    });
  }

  #menu({ id }: JwglxtStudent): DemoReply {
    const links = menu.map(
      ([code, path, name]) => `<a onclick="clickMenu('${code}','${path}','${name}','null')">${name}</a>`,
    );
    return htmlPage(
      `<html><body><input type="hidden" id="sessionUserKey" name="sessionUserKey" value="${id}"/>${links.join('\n')}</body></html>`,
    );
  }
}

export const startZhengfang = async ({
  clock = systemClock,
}: {
  clock?: Clock;
} = {}): Promise<SimulatedCampus<JwglxtSystem, Jwglxt>> => {
  const key = await createPortalKey();
  return simulateCampus(clock, HOSTS, (parts) => new Jwglxt(parts, key));
};
