import { createDecipheriv, randomInt } from 'node:crypto';
import type { Clock } from '../../lib/time.ts';
import { captchaImage, captchaText } from '../captcha-image.ts';
import { type DemoReply, errorPage, HTML_TYPE, jsonBody, redirectTo, reply, withCookies } from '../exchange.ts';
import { letters, newGrantingTicket, newLoginTicket, newSessionId } from '../ids.ts';
import { forgetful } from '../sessions.ts';
import type { SimulatedCall, SimulatedHandler, SimulatedStudent } from '../simulated-campus.ts';
import type { DemoMessage } from '../types.ts';
import { loginPage, secondStepPage } from './pages.ts';
import { AuthserverSwitches } from './switches.ts';

interface AuthserverParts {
  readonly clock: Clock;
  /** Where it really listens. */
  readonly origin: string;
  /** The services that it issues tickets for. */
  readonly services: readonly string[];
  find(userid: string): SimulatedStudent | null;
  issue(userid: string, service: string): string;
  onMessage?(message: DemoMessage): void;
}

/** A password accepted, and a code still wanted. */
interface Half {
  readonly student: SimulatedStudent;
  readonly service: string;
  type: string;
  code: string;
  sentAt: number;
  isPassed: boolean;
}

const BASE = '/authserver';
const SESSION = 'JSESSIONID';
const TRUST = 'MULTIFACTOR_BROWSER_FINGERPRINT';
const newFields = ['username', 'password', 'captcha', '_eventId', 'cllt', 'dllt', 'lt', 'execution'];
const oldFields = ['username', 'password', 'lt', 'dllt', 'execution', '_eventId', 'rmShown'];

/** Any iv garbles only the characters before the password. */
const decrypt = (sent: string, salt: string): string | null => {
  try {
    const decipher = createDecipheriv(`aes-${salt.length * 8}-cbc`, Buffer.from(salt), Buffer.alloc(16));
    return Buffer.concat([decipher.update(sent, 'base64'), decipher.final()])
      .subarray(64)
      .toString('utf8');
  } catch {
    return null;
  }
};

/** The unified login at `/authserver`. It forgives nothing: fields, sessions and headers have to be those of its pages. */
export class Authserver {
  readonly switches = new AuthserverSwitches();
  /** Codes that phones have received. */
  readonly codes: string[] = [];
  /** Requests that came with the cookie of a browser that is trusted. */
  readonly recognized: Array<{ readonly request: string; readonly cookie: string }> = [];
  readonly #parts: AuthserverParts;
  /** Forms that wait for a password, with the salt of their page. That for phones is none of them. */
  readonly #forms = forgetful<{ readonly session: string; readonly salt: string | null; readonly lt: string }>();
  readonly #images = forgetful<string>();
  readonly #failures = forgetful<number>();
  readonly #granted = forgetful<string>();
  readonly #halves = forgetful<Half>();
  readonly #trusted = forgetful<string>();

  constructor(parts: AuthserverParts) {
    this.#parts = parts;
  }

  readonly routes: Readonly<Record<string, SimulatedHandler>> = {
    [`GET ${BASE}/login`]: (call) => this.#ofService(call, (service) => this.#open(call, service)),
    [`POST ${BASE}/login`]: (call) => this.#ofService(call, (service) => this.#submit(call, service)),
    [`GET ${BASE}/checkNeedCaptcha.htl`]: (call) => this.#question(call, 'new', ['username', '_']),
    [`GET ${BASE}/needCaptcha.html`]: (call) => this.#question(call, 'old', ['username', 'pwdEncrypt2']),
    [`GET ${BASE}/getCaptcha.htl`]: (call) => this.#image(call, 'new'),
    [`GET ${BASE}/captcha.html`]: (call) => this.#image(call, 'old'),
    [`GET ${BASE}/reAuthCheck/reAuthLoginView.do`]: (call) => this.#ofHalf(call, (half) => this.#showStep(half)),
    [`POST ${BASE}/reAuthCheck/changeReAuthType.do`]: (call) => this.#ofHalf(call, (half) => this.#change(call, half)),
    [`POST ${BASE}/dynamicCode/getDynamicCodeByReauth.do`]: (call) =>
      this.#ofHalf(call, (half) => this.#sendCode(call, half)),
    [`POST ${BASE}/reAuthCheck/reAuthSubmit.do`]: (call) => this.#ofHalf(call, (half) => this.#checkCode(call, half)),
  };

  /** Before any route. */
  readonly watch = ({ method, path, cookies }: SimulatedCall): null => {
    const cookie = cookies.get(TRUST);
    if (cookie !== undefined) this.recognized.push({ request: `${method} ${path.slice(BASE.length)}`, cookie });
    return null;
  };

  expireLogins(): void {
    this.#granted.clear();
  }

  /** Half sessions, which die of themselves. */
  expireHalves(): void {
    this.#halves.clear();
  }

  forgetTrust(): void {
    this.#trusted.clear();
  }

  page(): DemoReply {
    return this.#page(newSessionId());
  }

  totp({ id }: Pick<SimulatedStudent, 'id'>): string {
    return `77${id.slice(-4)}`;
  }

  /** A service is known by its exact address, and comes percent-encoded. */
  #ofService({ query, target }: SimulatedCall, work: (service: string) => DemoReply): DemoReply {
    const service = query.get('service') ?? '';
    const isKnown = this.#parts.services.includes(service);
    return isKnown && target.includes(`service=${encodeURIComponent(service)}`)
      ? work(service)
      : errorPage(403, '应用未注册');
  }

  #page(session: string, { tip = '', status = 200 }: { tip?: string; status?: number } = {}): DemoReply {
    const { generation, saltLength, imageKind } = this.switches;
    const [execution, trap] = [`e${letters(12)}s1`, `qr${letters(12)}`];
    const salt = saltLength === 0 ? null : letters(saltLength);
    const lt = generation === 'new' ? '' : newLoginTicket();
    this.#forms.set(execution, { session, salt, lt });
    const page = loginPage(status, { generation, execution, trap, salt, lt, tip, slides: imageKind === 'slider' });
    return withCookies(page, [`${SESSION}=${session}; Path=${BASE}; HttpOnly`]);
  }

  #open({ query, cookies }: SimulatedCall, service: string): DemoReply {
    const session = cookies.get(SESSION) ?? '';
    const half = this.#halves.get(session);
    if (half?.isPassed && half.service === service) {
      if (!this.switches.reauthHolds) return this.#toStep(service);
      this.#halves.delete(session);
      return this.#grant(half.student, service);
    }
    const known = query.get('renew') === 'true' ? undefined : this.#granted.get(cookies.get('CASTGC') ?? '');
    const userid = this.switches.knows ?? known;
    return userid === undefined ? this.#page(session || newSessionId()) : this.#toService(userid, service);
  }

  #submit({ form, cookies }: SimulatedCall, service: string): DemoReply {
    const { generation, refusal, words, frozen, profile, passwordStatus, passwordText, reauth } = this.switches;
    if (passwordStatus !== null) return reply(passwordStatus, HTML_TYPE, `<html><body>${passwordText}</body></html>`);
    const field = (name: string): string => form.get(name) ?? '';
    const session = cookies.get(SESSION) ?? '';
    const execution = field('execution');
    const page = this.#forms.get(execution);
    this.#forms.delete(execution);
    const userid = field('username');
    const wanted = [...(generation === 'new' ? newFields : oldFields)];
    if (generation === 'old' && this.#wantsImage(userid)) wanted.push('captchaResponse');
    const isComplete = wanted.length === [...form.keys()].length && wanted.every((name) => form.has(name));
    if (page?.session !== session || !isComplete || field('lt') !== page.lt || field('_eventId') !== 'submit') {
      return reply(401, HTML_TYPE, '<html><body>401 Unauthorized</body></html>');
    }
    const refuse = (tip: string) => this.#page(session, { tip, status: refusal });
    const image = this.#images.get(session);
    this.#images.delete(session);
    const typed = field('captcha') || field('captchaResponse');
    if (this.#wantsImage(userid) && (image === undefined || typed !== image))
      return refuse('图形动态码错误 无效的验证码');
    if (words !== '') return refuse(words);
    if (frozen) return refuse('该账号已被冻结，请联系管理员');
    const student = this.#parts.find(userid);
    const password = page.salt === null ? field('password') : decrypt(field('password'), page.salt);
    if (student === null || password !== (this.switches.password ?? student.password)) {
      this.#failures.set(userid, (this.#failures.get(userid) ?? 0) + 1);
      return refuse('您提供的用户名或者密码有误');
    }
    this.#failures.delete(userid);
    if (profile) return redirectTo(`${BASE}/improveInfo/improveUserInfo.do?service=${encodeURIComponent(service)}`);
    const isTrusted = this.switches.trust && this.#trusted.get(cookies.get(TRUST) ?? '') === userid;
    if (reauth === 'none' || isTrusted) return this.#grant(student, service);
    const [type = ''] = reauth.split('+');
    this.#halves.set(session, { student, service, type, code: '', sentAt: 0, isPassed: false });
    return this.#toStep(service);
  }

  #toStep(service: string): DemoReply {
    const query = `isMultifactor=true&service=${encodeURIComponent(service)}`;
    return redirectTo(`${BASE}/reAuthCheck/reAuthLoginView.do?${query}`);
  }

  #grant({ id }: SimulatedStudent, service: string): DemoReply {
    const granting = newGrantingTicket();
    this.#granted.set(granting, id);
    return withCookies(this.#toService(id, service), [`CASTGC=${granting}; Path=${BASE}; HttpOnly`]);
  }

  #toService(userid: string, service: string): DemoReply {
    const ticket = this.#parts.issue(userid, service);
    return redirectTo(`${service}${service.includes('?') ? '&' : '?'}ticket=${ticket}`);
  }

  #wantsImage(userid: string): boolean {
    return this.switches.image === 'always' || (this.#failures.get(userid) ?? 0) >= 2;
  }

  #question(call: SimulatedCall, generation: 'new' | 'old', fields: readonly string[]): DemoReply {
    const isAsked = this.switches.generation === generation && fields.every((name) => call.query.has(name));
    if (!isAsked || this.switches.question === 'missing' || !this.#isScript(call)) return errorPage(404, 'Not Found');
    const isNeed = this.#wantsImage(call.query.get('username') ?? '');
    if (generation === 'old') return reply(200, HTML_TYPE, String(isNeed));
    return this.switches.question === 'as text' ? jsonBody(String(isNeed)) : jsonBody({ isNeed });
  }

  #image({ cookies, path }: SimulatedCall, generation: 'new' | 'old'): DemoReply {
    const session = cookies.get(SESSION) ?? '';
    const isThere = this.switches.generation === generation && this.switches.imageKind === 'image' && session !== '';
    if (!isThere) return errorPage(404, 'Not Found');
    const text = captchaText();
    this.#images.set(session, text);
    this.#tell({ path, userid: '', phone: 'image', text });
    return reply(200, 'image/png', captchaImage(text));
  }

  #tell(message: Omit<DemoMessage, 'at'>): void {
    this.#parts.onMessage?.({ at: this.#parts.clock.now(), ...message });
  }

  #isScript({ header }: SimulatedCall): boolean {
    const from = header('Referer') ?? '';
    return header('X-Requested-With') === 'XMLHttpRequest' && from.startsWith(`${this.#parts.origin}${BASE}/`);
  }

  /** All but the page itself is asked for by its scripts. */
  #ofHalf(call: SimulatedCall, work: (half: Half) => DemoReply): DemoReply {
    const half = this.#halves.get(call.cookies.get(SESSION) ?? '');
    if (half !== undefined && (call.method === 'GET' || this.#isScript(call))) return work(half);
    return call.path.endsWith('reAuthSubmit.do')
      ? jsonBody({ code: 'reAuth_unauthorized' })
      : redirectTo(`${BASE}/login`);
  }

  #showStep({ student, service }: Half): DemoReply {
    return secondStepPage(student.id, this.switches.reauthService || service, this.switches.reauth.split('+'));
  }

  #change({ form }: SimulatedCall, half: Half): DemoReply {
    const type = form.get('reAuthType') ?? '';
    const isOpen = this.switches.reauth.split('+').includes(type) && form.get('service') === half.service;
    if (isOpen) half.type = type;
    return jsonBody({ code: isOpen ? '1' : '0' });
  }

  #sendCode({ form, path }: SimulatedCall, half: Half): DemoReply {
    const { clock } = this.#parts;
    const isOurs = form.get('userName') === half.student.id && form.get('authCodeTypeName') === 'reAuthDynamicCodeType';
    if (!isOurs || half.type !== '3') return jsonBody({ res: 'fail', returnMessage: '参数错误' });
    const left = Math.ceil(this.switches.codeTime - (clock.now() - half.sentAt) / 1000);
    if (half.code !== '' && left > 0) {
      return jsonBody({ res: 'code_time_fail', returnMessage: `您已重复发送，请${left}秒后再试` });
    }
    half.code = String(randomInt(100_000, 999_999));
    half.sentAt = clock.now();
    this.codes.push(half.code);
    this.#tell({ path, userid: half.student.id, phone: '138****0000', text: `验证码 ${half.code}` });
    return jsonBody({
      res: 'success',
      mobile: '138****0000',
      returnMessage: '发送成功',
      codeTime: this.switches.codeTime,
    });
  }

  #checkCode({ form }: SimulatedCall, half: Half): DemoReply {
    const of = (name: string): string | null => form.get(name);
    const isForm =
      of('service') === half.service &&
      of('reAuthType') === half.type &&
      of('isMultifactor') === 'true' &&
      ['password', 'uuid', 'answer1', 'answer2', half.type === '3' ? 'otpCode' : 'dynamicCode'].every(
        (name) => of(name) === '',
      );
    const right = half.type === '3' ? half.code : this.totp(half.student);
    const sent = of(half.type === '3' ? 'dynamicCode' : 'otpCode');
    if (!isForm || right === '' || sent !== right) return jsonBody({ code: 'reAuth_failed', msg: '动态码错误' });
    half.isPassed = true;
    const answer = jsonBody({ code: 'reAuth_success', msg: '认证成功' });
    if (!this.switches.trust || of('skipTmpReAuth') !== 'true') return answer;
    const name = letters(32);
    this.#trusted.set(name, half.student.id);
    return withCookies(answer, [`${TRUST}=${name}; Path=${BASE}; HttpOnly`]);
  }
}
