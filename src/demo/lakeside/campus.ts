import { type Clock, campusDate, systemClock } from '../../lib/time.ts';
import { type DemoReply, errorPage, HTML_TYPE, htmlPage, jsonBody, redirectTo, reply } from '../exchange.ts';
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
import {
  examsOf,
  fileOf,
  type LakesideStudent,
  lakesideStudents,
  periods,
  scoresOf,
  termsOn,
  timetableOf,
} from './records.ts';

/** Host names of the systems in the manifest; they resolve nowhere. */
const HOSTS = { cas: 'http://login.lakeside.test', lakeside: 'http://academics.lakeside.test' };
const TIME_ZONE = 'Asia/Shanghai';
const GRANTING = 'TGC';
const SESSION = 'LAKE';

type LakesideSystem = keyof typeof HOSTS;
const loginPage = (execution: string, message = ''): DemoReply =>
  htmlPage(
    `<html><body><form id="fm1" method="post">${message}<input name="username"><input name="password" type="password">` +
      `<input type="hidden" name="execution" value="${execution}"></form></body></html>`,
  );

/** Stores a value under a random name. */
const issue = <T extends NonNullable<unknown>>(
  known: ReturnType<typeof forgetful<T>>,
  prefix: string,
  value: T,
): string => {
  const name = `${prefix}${letters(24)}`;
  known.set(name, value);
  return name;
};

/** A campus of another kind: no portal, a plain unified login, an academic system that speaks JSON. */
class Lakeside implements CampusModel<LakesideSystem> {
  readonly #clock: Clock;
  readonly #loginOrigin: string;
  readonly #executions = forgetful<true>();
  readonly #granted = forgetful<LakesideStudent>();
  readonly #tickets = forgetful<{ readonly student: LakesideStudent; readonly service: string }>();
  readonly #sessions = forgetful<LakesideStudent>();
  readonly #students = new Map(lakesideStudents.map((student) => [student.id, student]));

  constructor({ clock, origins }: ModelParts<LakesideSystem>) {
    this.#clock = clock;
    this.#loginOrigin = origins.cas;
  }

  readonly systems = {
    cas: {
      routes: {
        'GET /cas/login': (call: SimulatedCall) => this.#open(call),
        'POST /cas/login': (call: SimulatedCall) => this.#submit(call),
      },
    },
    lakeside: {
      routes: {
        'GET /login/cas': (call: SimulatedCall) => this.#enter(call),
        'GET /api/student': this.#inside((student) => fileOf(student, this.#today())),
        'GET /api/terms': this.#inside(() => ({ terms: termsOn(this.#today()) })),
        'GET /api/scores': this.#inside((student, { query }) => ({
          scores: scoresOf(student, this.#today()).filter(({ term }) => [term, null].includes(query.get('term'))),
        })),
        'GET /api/timetable': this.#inside((student, call) => ({
          periods,
          courses: this.#asksCurrent(call) ? timetableOf(student) : [],
        })),
        'GET /api/exams': this.#inside((student, call) => {
          const term = this.#asksCurrent(call);
          return { exams: term ? examsOf(student, term) : [] };
        }),
      },
    },
  };

  expireSessions(): void {
    this.#sessions.clear();
  }

  expireLogins(): void {
    this.#granted.clear();
  }

  addStudent(pair: SimulatedStudent): void {
    const [first] = lakesideStudents;
    if (first) this.#students.set(pair.id, { ...first, ...pair });
  }

  toLogin(): DemoReply {
    const service = encodeURIComponent(`${HOSTS.lakeside}/login/cas`);
    return redirectTo(`${this.#loginOrigin}/cas/login?service=${service}`);
  }

  loginPage(): DemoReply {
    return this.#loginPage();
  }

  #today(): string {
    return campusDate(this.#clock.now(), TIME_ZONE);
  }

  #loginPage(message?: string): DemoReply {
    return loginPage(issue(this.#executions, 'e', true), message);
  }

  #toService(student: LakesideStudent, service: string, cookies: readonly string[] = []): DemoReply {
    return redirectTo(`${service}?ticket=${issue(this.#tickets, 'ST-', { student, service })}`, cookies);
  }

  #open({ query, cookies }: SimulatedCall): DemoReply {
    const student = this.#granted.get(cookies.get(GRANTING) ?? '');
    return student ? this.#toService(student, query.get('service') ?? '') : this.#loginPage();
  }

  #submit({ query, form }: SimulatedCall): DemoReply {
    if (!this.#executions.delete(form.get('execution') ?? '')) return this.#loginPage();
    const student = this.#students.get(form.get('username') ?? '');
    if (student === undefined || student.password !== form.get('password')) {
      const { body } = this.#loginPage('<div id="loginErrorsPanel">Invalid credentials.</div>');
      return reply(401, HTML_TYPE, body);
    }
    const cookie = `${GRANTING}=${issue(this.#granted, 'TGT-', student)}; Path=/cas; HttpOnly`;
    return this.#toService(student, query.get('service') ?? '', [cookie]);
  }

  #enter({ query }: SimulatedCall): DemoReply {
    const name = query.get('ticket') ?? '';
    const ticket = this.#tickets.get(name);
    this.#tickets.delete(name);
    if (ticket?.service !== `${HOSTS.lakeside}/login/cas`) return errorPage(403, 'no ticket');
    return redirectTo('/', [`${SESSION}=${issue(this.#sessions, '', ticket.student)}; Path=/; HttpOnly`]);
  }

  #inside(answer: (student: LakesideStudent, call: SimulatedCall) => unknown): SimulatedHandler {
    return (call) => {
      const student = this.#sessions.get(call.cookies.get(SESSION) ?? '');
      return student === undefined ? this.toLogin() : jsonBody(answer(student, call));
    };
  }

  #asksCurrent({ query }: SimulatedCall): ReturnType<typeof termsOn>[number] | undefined {
    return termsOn(this.#today()).find(({ code, current }) => current && code === query.get('term'));
  }
}

export const startLakeside = ({
  clock = systemClock,
}: {
  clock?: Clock;
} = {}): Promise<SimulatedCampus<LakesideSystem, Lakeside>> =>
  simulateCampus(clock, HOSTS, (parts) => new Lakeside(parts));
