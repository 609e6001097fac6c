import { type Clock, campusDate, systemClock } from '../../lib/time.ts';
import { Authserver } from '../authserver/authserver.ts';
import { UnifiedLoginSessions } from '../cas/unified-login-sessions.ts';
import { type DemoReply, errorPage, htmlPage, jsonBody, redirectTo } from '../exchange.ts';
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
import { DemoCampusSwitches, type DemoChallenge, type DemoMessage } from '../types.ts';
import {
  changesOf,
  type EmapRow,
  type EmapStudent,
  emapStudents,
  examsOf,
  listUntimed,
  ownCodeOf,
  scoresOf,
  tableOf,
  termRows,
  termsOn,
} from './records.ts';

/** The hosts of the manifest, which resolve nowhere. */
const HOSTS = {
  cas: 'http://login.jinzhi.test',
  emap: 'http://academics.jinzhi.test',
  ehall: 'http://ehall.jinzhi.test',
};
type JinzhiSystem = keyof typeof HOSTS;

const TIME_ZONE = 'Asia/Shanghai';
/** By the ids under which the hall shows them. */
const applications: Readonly<Record<string, string>> = {
  '4770397878132218': 'wdkb',
  '4768574631264620': 'cjcx',
  '4768687067472349': 'studentWdksapApp',
};
const indexOf = (name: string): string => `/jwapp/sys/${name}/*default/index.do`;

/** What schools do differently. */
export class EmapSwitches {
  table: 'cxxszhxqkb' | 'xskcb' = 'cxxszhxqkb';
  untimed: 'cxxsllsywpk' | 'xswpkc' | 'none' = 'cxxsllsywpk';
  changes: 'usual' | 'none' | 'refused' = 'usual';
  exams: 'wdksap' | 'cxxsksap' = 'wdksap';
  notPublished = false;
  /** No application is open before a role is chosen. */
  role = false;
  /** It has forgotten which applications are open. */
  forgets = false;
  /** The number that rows bear; empty: the student's own. */
  rowsOf = '';
}

interface Session {
  readonly student: EmapStudent;
  /** Each server knows its own sessions alone. */
  readonly route: string;
  readonly entered: Set<string>;
  readonly opened: Set<string>;
}

/** A list of the product: a page of the rows, and the verdict that most of them come with. */
const envelope = (name: string, rows: readonly EmapRow[], { form }: SimulatedCall): DemoReply => {
  const [size, number] = [Number(form.get('pageSize') ?? 999), Number(form.get('pageNumber') ?? 1)];
  const shown = rows.slice((number - 1) * size, number * size);
  // Numbers and texts are sent for each other.
  const isText = name.length % 2 === 0;
  const verdict = { code: isText ? '1' : 1, msg: '查询成功' };
  const list = { totalSize: rows.length, pageNumber: number, pageSize: size, rows: shown };
  const datas = { [name]: name === 'xsdkkc' ? list : { ...list, extParams: verdict } };
  return jsonBody({ code: isText ? 0 : '0', datas });
};

const refusal = (name: string, msg: string): DemoReply =>
  jsonBody({ code: '0', datas: { [name]: { totalSize: 0, rows: [], extParams: { code: '0', msg } } } });

const answerBroken = (): DemoReply => jsonBody({ code: '-1', msg: '系统异常' });

/** The term that the conditions of the scores ask for, `""` for none; null: they are not those of its page. */
const conditionsIn = (text: string | null): string | null => {
  const conditions: unknown = JSON.parse(text ?? '[]');
  if (!Array.isArray(conditions)) return null;
  const by = new Map<string, string>(conditions.map(({ name, value }) => [name, value]));
  return by.get('SFYX') === '1' ? (by.get('XNXQDM') ?? '') : null;
};

interface JinzhiOptions {
  readonly onMessage?: ((message: DemoMessage) => void) | undefined;
  readonly challenge?: DemoChallenge | undefined;
}

/** 金智 emap behind 金智 authserver. Without an open application it answers nothing. */
export class Jinzhi implements CampusModel<JinzhiSystem> {
  readonly switches = new EmapSwitches();
  readonly login: Authserver;
  readonly systems: CampusModel<JinzhiSystem>['systems'];
  readonly #clock: Clock;
  readonly #origins: Readonly<Record<JinzhiSystem, string>>;
  readonly #tickets: UnifiedLoginSessions;
  readonly #sessions = forgetful<Session>();
  readonly #students = new Map(emapStudents.map((student) => [student.id, student]));

  constructor({ clock, origins }: ModelParts<JinzhiSystem>, { onMessage, challenge = 'off' }: JinzhiOptions) {
    this.#clock = clock;
    this.#origins = origins;
    this.#tickets = new UnifiedLoginSessions(clock, new DemoCampusSwitches());
    this.login = new Authserver({
      clock,
      origin: origins.cas,
      services: Object.values(applications).map((name) => this.#service(name)),
      find: (userid) => this.#students.get(userid) ?? null,
      issue: (userid, service) => this.#tickets.issue(userid, service),
      ...(onMessage && { onMessage }),
    });
    if (challenge === 'captcha') this.login.switches.image = 'always';
    else if (challenge !== 'off') this.login.switches.reauth = challenge === 'totp' ? '10' : '3';
    this.systems = {
      cas: { routes: this.login.routes },
      emap: {
        routes: {
          'GET /jwapp/sys/*/*default/index.do': (call) => this.#index(call),
          'POST /jwapp/sys/*/modules/*/*.do': this.#read(({ params }) => params.slice(1).join('/')),
          'POST /jwapp/sys/*/WdksapController/*.do': this.#read(({ params }) => `WdksapController/${params[1]}`),
        },
      },
      ehall: {
        routes: {
          'GET /appShow': ({ query }) => {
            const name = applications[query.get('appId') ?? ''];
            return name === undefined ? errorPage(404, 'Not Found') : redirectTo(this.#service(name));
          },
        },
      },
    };
  }

  expireSessions(): void {
    this.#sessions.clear();
  }

  expireLogins(): void {
    this.login.expireLogins();
  }

  addStudent(pair: SimulatedStudent): void {
    const [first] = emapStudents;
    if (first) this.#students.set(pair.id, { ...first, ...pair });
  }

  toLogin(): DemoReply {
    return this.#toLogin('wdkb');
  }

  loginPage(): DemoReply {
    return this.login.page();
  }

  #service(name: string): string {
    return `${this.#origins.emap}${indexOf(name)}`;
  }

  #toLogin(name: string): DemoReply {
    return redirectTo(`${this.#origins.cas}/authserver/login?service=${encodeURIComponent(this.#service(name))}`);
  }

  #sessionOf({ cookies }: SimulatedCall): Session | null {
    const session = this.#sessions.get(cookies.get('_WEU') ?? '');
    return session !== undefined && session.route === cookies.get('route') ? session : null;
  }

  /** An application is entered with its own ticket, and is open when its page has been shown. */
  #index(call: SimulatedCall): DemoReply {
    const [name = '', star] = call.params;
    if (star !== '*' || !Object.values(applications).includes(name)) return errorPage(404, 'Not Found');
    const ticket = call.query.get('ticket');
    const session = this.#sessionOf(call);
    if (ticket !== null) {
      const student = this.#students.get(this.#tickets.redeem(ticket, this.#service(name)) ?? '');
      return student === undefined ? this.#toLogin(name) : this.#enter(name, student, session);
    }
    if (session === null || !session.entered.has(name)) return this.#toLogin(name);
    if (!this.switches.role) session.opened.add(name);
    return htmlPage('<!DOCTYPE html><html><head><title>应用</title></head><body><main id="app"></main></body></html>');
  }

  #enter(name: string, student: EmapStudent, known: Session | null): DemoReply {
    if (known?.student === student) {
      known.entered.add(name);
      return redirectTo(this.#service(name));
    }
    const [id, route] = [letters(32), letters(16)];
    this.#sessions.set(id, { student, route, entered: new Set([name]), opened: new Set() });
    return redirectTo(this.#service(name), [`_WEU=${id}; Path=/jwapp; HttpOnly`, `route=${route}; Path=/`]);
  }

  #read(nameOf: (call: SimulatedCall) => string): SimulatedHandler {
    return (call) => {
      const [name = ''] = call.params;
      const session = this.#sessionOf(call);
      if (session === null) return this.#toLogin(name);
      if (this.switches.forgets) session.opened.clear();
      this.switches.forgets = false;
      const isScript = call.header('x-requested-with') === 'XMLHttpRequest';
      const isForm = /^application\/x-www-form-urlencoded\b/.test(call.header('content-type') ?? '');
      // What was sent like that is no script of its pages.
      const isForeign = call.header('origin') !== null || !isForm || !isScript;
      if (isForeign || !session.opened.has(name)) return errorPage(403, '403');
      return this.#answer(`${name}/${nameOf(call)}`, session.student, call) ?? errorPage(404, 'Not Found');
    };
  }

  /** Null: this school has no such page. */
  #answer(path: string, own: EmapStudent, call: SimulatedCall): DemoReply | null {
    const { table, untimed, changes, exams, notPublished, rowsOf } = this.switches;
    const student = rowsOf === '' ? own : { ...own, id: rowsOf };
    const today = campusDate(this.#clock.now(), TIME_ZONE);
    const { form } = call;
    const list = (rows: readonly EmapRow[]) => envelope(path.split('/').at(-1) ?? '', rows, call);
    const [current] = termsOn(today);
    const now = current ? ownCodeOf(current) : '';
    const known = termRows(today).map(({ DM }) => DM);
    /** Rows of the current term: in the others there is nothing. */
    const ofTerm = (term: string | null, rows: readonly EmapRow[]) =>
      known.includes(term) ? list(term === now ? rows : []) : answerBroken();
    const asked = form.get('XNXQDM');
    switch (path) {
      case 'wdkb/jshkcb/xnxqcx':
        return list(form.get('*order') === '-DM' ? termRows(today) : termRows(today).toReversed());
      case 'wdkb/jshkcb/dqxnxq':
        return list(termRows(today).filter(({ DM }) => DM === now));
      case 'wdkb/jshkcb/cxjcs': {
        const term = termsOn(today).find((each) => ownCodeOf(each) === `${form.get('XN')}-${form.get('XQ')}`);
        return list(term ? [{ XN: form.get('XN'), XQ: form.get('XQ'), XQKSRQ: `${term.firstDay} 00:00:00` }] : []);
      }
      case `wdkb/xskcb/${table}`:
        return notPublished ? refusal(table, '查询学年学期的课程未发布') : ofTerm(asked, tableOf(student));
      case `wdkb/xskcb/${untimed}`:
        return ofTerm(asked, listUntimed(student));
      case 'wdkb/xskcb/xsdkkc': {
        if (changes === 'refused') return refusal('xsdkkc', '调课信息暂不开放查询');
        const rows = changes === 'none' ? [] : changesOf(student);
        return ofTerm(asked, form.get('*order') === '-SQSJ' ? rows.toReversed() : rows);
      }
      case 'cjcx/cjcx/xscjcx': {
        const wanted = conditionsIn(form.get('querySetting'));
        if (wanted === null || !form.has('pageSize')) return answerBroken();
        return list(scoresOf(student, today).filter(({ XNXQDM }) => ['', XNXQDM].includes(wanted)));
      }
      case 'studentWdksapApp/wdksap/wdksap':
        return exams === 'wdksap' ? ofTerm(asked, examsOf(student, today)) : null;
      case 'studentWdksapApp/WdksapController/cxxsksap': {
        const { XNXQDM = null } = JSON.parse(form.get('requestParamStr') ?? '{}');
        return exams === 'cxxsksap' ? ofTerm(XNXQDM, examsOf(student, today)) : null;
      }
      default:
        return null;
    }
  }
}

export const startJinzhi = ({
  clock = systemClock,
  ...options
}: JinzhiOptions & { clock?: Clock } = {}): Promise<SimulatedCampus<JinzhiSystem, Jinzhi>> =>
  simulateCampus(clock, HOSTS, (parts) => new Jinzhi(parts, options));
