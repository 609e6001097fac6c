import { Type } from '@sinclair/typebox';
import { address, application, service } from '../../src/campus/contract/driver.ts';
import { formLogin } from '../../src/campus/contract/form-login.ts';
import { usualRow } from '../../src/campus/contract/upstreams.ts';
import { drivers as known } from '../../src/campus/drivers.ts';
import { createLakesideClient } from '../../src/campus/products/lakeside/index.ts';
import { captchaImage } from '../../src/demo/captcha-image.ts';
import { htmlPage, jsonBody, redirectTo, reply } from '../../src/demo/exchange.ts';
import { fileOf, lakesideStudents, termsOn } from '../../src/demo/lakeside/records.ts';
import {
  type CampusModel,
  type SimulatedCall,
  type SimulatedHandler,
  type SimulatedStudent,
  simulateCampus,
} from '../../src/demo/simulated-campus.ts';
import { campusDate, systemClock } from '../../src/lib/time.ts';

export const IMAGE_TEXT = 'k7x4';

/** An academic system with its own login, and with nothing in front. */
class OwnLogin implements CampusModel<'lakeside'> {
  readonly #showsImage: boolean;
  readonly #students = new Map(lakesideStudents.map((student) => [student.id, student]));
  readonly #sessions = new Map<string, string>();
  /** What it says of the next passwords instead of looking at them. */
  says: string | null = null;

  constructor(showsImage: boolean) {
    this.#showsImage = showsImage;
  }

  readonly systems = {
    lakeside: {
      routes: {
        'GET /login': () => this.loginPage(),
        'GET /image': () => reply(200, 'image/png', captchaImage(IMAGE_TEXT)),
        'POST /check': (call: SimulatedCall) => this.#check(call),
        'GET /api/student': this.#inside((userid) => {
          const student = this.#students.get(userid);
          return student && fileOf(student, this.#today());
        }),
        'GET /api/terms': this.#inside(() => ({ terms: termsOn(this.#today()) })),
      },
    },
  };

  expireSessions(): void {
    this.#sessions.clear();
  }

  /** There is no login besides. */
  expireLogins(): void {}

  addStudent(pair: SimulatedStudent): void {
    const [first] = lakesideStudents;
    if (first) this.#students.set(pair.id, { ...first, ...pair });
  }

  toLogin() {
    return redirectTo('/login');
  }

  loginPage(message = '') {
    const image = this.#showsImage ? '<img src="/image"><input name="c">' : '';
    return htmlPage(
      `<html><body>${message}<form id="own"><input name="username"><input name="password" type="password">${image}</form></body></html>`,
    );
  }

  #check({ form }: SimulatedCall) {
    if (this.#showsImage && form.get('c') !== IMAGE_TEXT) return this.loginPage('<div class="error">验证码错误</div>');
    if (this.says !== null) return this.loginPage(`<div class="error">${this.says}</div>`);
    const userid = form.get('username') ?? '';
    if (this.#students.get(userid)?.password !== form.get('password'))
      return redirectTo('/login?errorCode=badCredentials');
    const session = `s${this.#sessions.size}-${userid}`;
    this.#sessions.set(session, userid);
    return redirectTo('/index.jsp', [`S=${session}; Path=/; HttpOnly`]);
  }

  #inside(answer: (userid: string) => unknown): SimulatedHandler {
    return ({ cookies }) => {
      const userid = this.#sessions.get(cookies.get('S') ?? '');
      return userid === undefined ? this.toLogin() : jsonBody(answer(userid));
    };
  }

  #today(): string {
    return campusDate(systemClock.now(), 'Asia/Shanghai');
  }
}

export const startOwnLoginCampus = ({ showsImage }: { readonly showsImage: boolean }) =>
  simulateCampus(systemClock, { lakeside: 'http://academics.open.test' }, () => new OwnLogin(showsImage));

const driver = application({
  options: Type.Object({ url: address, service: Type.Optional(service), attended: Type.Optional(Type.Boolean()) }),
  row: { ...usualRow, system: 'academics', entry: { kind: 'service-ticket' }, deadPath: /^\/login/ },
  attended: (options) => options.attended === true,
  ownLogin: () =>
    formLogin({
      page: () => '/login',
      action: '/check',
      readForm: (text) => {
        const captcha = text.includes('src="/image"') ? { field: 'c', image: '/image' } : null;
        return text.includes('id="own"') ? { kind: 'login-page', lt: '', execution: '', captcha } : null;
      },
      fields: ({ captcha }, { userid, password }, image) => [
        ['username', userid],
        ['password', password],
        ...(captcha === null ? [] : ([[captcha.field, image]] as const)),
      ],
      stepIn: () => null,
      isRefusal: (_text, { location }) => location?.includes('badCredentials') === true,
      acceptSession: ({ status, location }) =>
        status === 302 && location === '/index.jsp' ? { kind: 'signed-in' } : null,
    }),
  supplies: ({ sessions }) => ({ academics: createLakesideClient(sessions) }),
});

/** Its driver in the place of the one whose application it is. */
export const ownLoginDrivers = { ...known, lakeside: driver };

export const ownLoginManifest = (url: string, options: Record<string, unknown> = {}) => ({
  name: { zh: '湖', en: 'Lake' },
  time_zone: 'Asia/Shanghai',
  portal: null,
  login: null,
  applications: [{ driver: 'lakeside', url, ...options }],
});
