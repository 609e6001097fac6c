import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, campusDate, systemClock } from '../../lib/time.ts';
import {
  cookiePairs,
  type DemoReply,
  errorPage,
  formOf,
  HTML_TYPE,
  htmlPage,
  jsonBody,
  readBody,
  redirectTo,
  reply,
} from '../exchange.ts';
import { plainAnswer } from '../fault-answers.ts';
import { letters } from '../ids.ts';
import { forgetful } from '../sessions.ts';
import { send } from '../transmission.ts';
import type { DemoFault } from '../types.ts';
import { closeServer, listen, transmit } from '../upstream-server.ts';
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
const HOSTS = { login: 'http://login.lakeside.test', academics: 'http://academics.lakeside.test' };
const TIME_ZONE = 'Asia/Shanghai';
const GRANTING = 'TGC';
const SESSION = 'LAKE';
const MOST_LOGGED = 10_000;

export type LakesideSystem = keyof typeof HOSTS;

interface LakesideCall {
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
}

type Handler = (call: LakesideCall) => DemoReply;
type Listening = Awaited<ReturnType<typeof listen>>;

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

/** A campus of another kind on loopback: no portal, a plain unified login, an academic system that speaks JSON. */
export class LakesideCampus {
  /** By the hosts of the manifest. */
  readonly origins: Readonly<Record<string, string>>;
  readonly #clock: Clock;
  readonly #servers: Readonly<Record<LakesideSystem, Listening>>;
  readonly #executions = forgetful<true>();
  readonly #granted = forgetful<LakesideStudent>();
  readonly #tickets = forgetful<{ readonly student: LakesideStudent; readonly service: string }>();
  readonly #sessions = forgetful<LakesideStudent>();
  readonly #students = new Map(lakesideStudents.map((student) => [student.id, student]));
  readonly #faults = new Map<LakesideSystem, DemoFault>();
  readonly #closing = new AbortController();
  #log: string[] = [];

  constructor(clock: Clock, servers: Readonly<Record<LakesideSystem, Listening>>) {
    this.#clock = clock;
    this.#servers = servers;
    this.origins = { [HOSTS.login]: servers.login.origin, [HOSTS.academics]: servers.academics.origin };
    for (const system of ['login', 'academics'] as const) {
      servers[system].server.on('request', (request, response) => {
        this.#answer(system, request, response).catch(() => response.destroy());
      });
    }
  }

  /** `academics GET /api/terms`, since the last reset. */
  requests(): readonly string[] {
    return [...this.#log];
  }

  resetRequests(): void {
    this.#log = [];
  }

  expireSessions(): void {
    this.#sessions.clear();
  }

  expireLogins(): void {
    this.#granted.clear();
  }

  /** A student with the courses of the first one. */
  addStudent(pair: Pick<LakesideStudent, 'id' | 'password'>): void {
    const [first] = lakesideStudents;
    if (first) this.#students.set(pair.id, { ...first, ...pair });
  }

  /** From now on every request to that system meets the fault. */
  fault(system: LakesideSystem, fault: DemoFault): void {
    this.#faults.set(system, fault);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(Object.values(this.#servers).map(({ server }) => closeServer(server)));
  }

  readonly #systems: Readonly<Record<LakesideSystem, Readonly<Record<string, Handler>>>> = {
    login: { 'GET /cas/login': (call) => this.#open(call), 'POST /cas/login': (call) => this.#submit(call) },
    academics: {
      'GET /login/cas': (call) => this.#enter(call),
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
  };

  #today(): string {
    return campusDate(this.#clock.now(), TIME_ZONE);
  }

  #loginPage(message?: string): DemoReply {
    return loginPage(issue(this.#executions, 'e', true), message);
  }

  #toService(student: LakesideStudent, service: string, cookies: readonly string[] = []): DemoReply {
    return redirectTo(`${service}?ticket=${issue(this.#tickets, 'ST-', { student, service })}`, cookies);
  }

  #toLogin(): DemoReply {
    const service = encodeURIComponent(`${HOSTS.academics}/login/cas`);
    return redirectTo(`${this.#servers.login.origin}/cas/login?service=${service}`);
  }

  #open({ query, cookies }: LakesideCall): DemoReply {
    const student = this.#granted.get(cookies.get(GRANTING) ?? '');
    return student ? this.#toService(student, query.get('service') ?? '') : this.#loginPage();
  }

  #submit({ query, form }: LakesideCall): DemoReply {
    if (!this.#executions.delete(form.get('execution') ?? '')) return this.#loginPage();
    const student = this.#students.get(form.get('username') ?? '');
    if (student === undefined || student.password !== form.get('password')) {
      const { body } = this.#loginPage('<div id="loginErrorsPanel">Invalid credentials.</div>');
      return reply(401, HTML_TYPE, body);
    }
    const cookie = `${GRANTING}=${issue(this.#granted, 'TGT-', student)}; Path=/cas; HttpOnly`;
    return this.#toService(student, query.get('service') ?? '', [cookie]);
  }

  #enter({ query }: LakesideCall): DemoReply {
    const name = query.get('ticket') ?? '';
    const ticket = this.#tickets.get(name);
    this.#tickets.delete(name);
    if (ticket?.service !== `${HOSTS.academics}/login/cas`) return errorPage(403, 'no ticket');
    return redirectTo('/', [`${SESSION}=${issue(this.#sessions, '', ticket.student)}; Path=/; HttpOnly`]);
  }

  #inside(answer: (student: LakesideStudent, call: LakesideCall) => unknown): Handler {
    return (call) => {
      const student = this.#sessions.get(call.cookies.get(SESSION) ?? '');
      return student === undefined ? this.#toLogin() : jsonBody(answer(student, call));
    };
  }

  #asksCurrent({ query }: LakesideCall): ReturnType<typeof termsOn>[number] | undefined {
    return termsOn(this.#today()).find(({ code, current }) => current && code === query.get('term'));
  }

  #insteadOf(fault: DemoFault, address: string): DemoReply | null {
    if (fault.kind === 'login-redirect') return this.#toLogin();
    return fault.kind === 'login-page' ? this.#loginPage() : plainAnswer(fault, address);
  }

  async #answer(system: LakesideSystem, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '/';
    const { pathname, searchParams: query } = new URL(target, HOSTS[system]);
    const body = await readBody(request);
    if (body === null) return send(response, errorPage(413, 'Payload Too Large'));
    const name = `${request.method} ${pathname}`.slice(0, 100);
    if (this.#log.length < MOST_LOGGED) this.#log.push(`${system} ${name}`);
    const form = formOf(request.headers['content-type'], body);
    const call = { query, form, cookies: new Map(cookiePairs(request.headers.cookie)) };
    const fault = this.#faults.get(system);
    const timing = { clock: this.#clock, closing: this.#closing.signal };
    if (fault?.kind === 'delay') await timing.clock.wait(fault.ms, timing.closing);
    await transmit(timing, request, response, {
      fault,
      instead: (fault) => this.#insteadOf(fault, `${this.#servers[system].origin}${target}`),
      real: () => this.#systems[system][name]?.(call) ?? errorPage(404, 'Not Found'),
    });
  }
}

export const startLakeside = async ({ clock = systemClock }: { clock?: Clock } = {}): Promise<LakesideCampus> => {
  const [login, academics] = await Promise.all([listen('127.0.0.1'), listen('127.0.0.1')]);
  return new LakesideCampus(clock, { login, academics });
};
