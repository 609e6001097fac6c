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
const MOST_SESSIONS = 10_000;

export type LakesideSystem = keyof typeof HOSTS;

export interface LakesideCampus {
  readonly origins: Readonly<Record<string, string>>;
  /** `academics GET /api/terms`, since the last reset. */
  requests(): readonly string[];
  resetRequests(): void;
  expireSessions(): void;
  expireLogins(): void;
  /** A student with the courses of the first one. */
  addStudent(pair: Pick<LakesideStudent, 'id' | 'password'>): void;
  /** From now on every request to that system meets the fault. */
  fault(system: LakesideSystem, fault: DemoFault): void;
  clearFaults(): void;
  close(): Promise<void>;
}

interface LakesideCall {
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
}

type Handler = (call: LakesideCall) => DemoReply;

/** Bounded: the oldest is forgotten. */
const issued = <T>() => {
  const known = new Map<string, T>();
  return {
    issue(prefix: string, value: T): string {
      const name = `${prefix}${letters(24)}`;
      known.set(name, value);
      const oldest = known.keys().next();
      if (known.size > MOST_SESSIONS && !oldest.done) known.delete(oldest.value);
      return name;
    },
    find: (name: string | undefined | null): T | undefined => known.get(name ?? ''),
    take(name: string | undefined | null): T | undefined {
      const value = known.get(name ?? '');
      known.delete(name ?? '');
      return value;
    },
    clear: () => known.clear(),
  };
};

const loginPage = (execution: string, message = ''): DemoReply =>
  htmlPage(
    `<html><body><form id="fm1" method="post">${message}<input name="username"><input name="password" type="password">` +
      `<input type="hidden" name="execution" value="${execution}"></form></body></html>`,
  );

/** A campus of another kind on loopback: no portal, a plain unified login, an academic system that speaks JSON. */
export const startLakeside = async ({ clock = systemClock }: { clock?: Clock } = {}): Promise<LakesideCampus> => {
  const [login, academics] = await Promise.all([listen('127.0.0.1'), listen('127.0.0.1')]);
  const executions = issued<true>();
  const granted = issued<LakesideStudent>();
  const tickets = issued<{ readonly student: LakesideStudent; readonly service: string }>();
  const sessions = issued<LakesideStudent>();
  const students = new Map(lakesideStudents.map((student) => [student.id, student]));
  const faults = new Map<LakesideSystem, DemoFault>();
  const closing = new AbortController();
  const today = (): string => campusDate(clock.now(), TIME_ZONE);

  const toService = (student: LakesideStudent, service: string, cookies: readonly string[] = []): DemoReply =>
    redirectTo(`${service}?ticket=${tickets.issue('ST-', { student, service })}`, cookies);

  const submit: Handler = ({ query, form }) => {
    if (!executions.take(form.get('execution'))) return loginPage(executions.issue('e', true));
    const student = students.get(form.get('username') ?? '');
    if (student === undefined || student.password !== form.get('password')) {
      const page = loginPage(executions.issue('e', true), '<div id="loginErrorsPanel">Invalid credentials.</div>');
      return reply(401, HTML_TYPE, page.body);
    }
    const cookie = `${GRANTING}=${granted.issue('TGT-', student)}; Path=/cas; HttpOnly`;
    return toService(student, query.get('service') ?? '', [cookie]);
  };

  const open: Handler = ({ query, cookies }) => {
    const student = granted.find(cookies.get(GRANTING));
    if (student !== undefined) return toService(student, query.get('service') ?? '');
    return loginPage(executions.issue('e', true));
  };

  const enter: Handler = ({ query }) => {
    const ticket = tickets.take(query.get('ticket'));
    if (ticket?.service !== `${HOSTS.academics}/login/cas`) return errorPage(403, 'no ticket');
    return redirectTo('/', [`${SESSION}=${sessions.issue('', ticket.student)}; Path=/; HttpOnly`]);
  };

  const toLogin = (): DemoReply =>
    redirectTo(`${login.origin}/cas/login?service=${encodeURIComponent(`${HOSTS.academics}/login/cas`)}`);

  const inside =
    (answer: (student: LakesideStudent, call: LakesideCall) => unknown): Handler =>
    (call) => {
      const student = sessions.find(call.cookies.get(SESSION));
      return student === undefined ? toLogin() : jsonBody(answer(student, call));
    };

  const ofTerm = <T>({ query }: LakesideCall, rows: (term: ReturnType<typeof termsOn>[number]) => readonly T[]) => {
    const term = termsOn(today()).find(({ code }) => code === query.get('term'));
    return term === undefined ? [] : rows(term);
  };

  const systems: Readonly<Record<LakesideSystem, Readonly<Record<string, Handler>>>> = {
    login: { 'GET /cas/login': open, 'POST /cas/login': submit },
    academics: {
      'GET /login/cas': enter,
      'GET /api/student': inside((student) => fileOf(student, today())),
      'GET /api/terms': inside(() => ({ terms: termsOn(today()) })),
      'GET /api/scores': inside((student, { query }) => ({
        scores: scoresOf(student, today()).filter(({ term }) => [term, null].includes(query.get('term'))),
      })),
      'GET /api/timetable': inside((student, call) => ({
        periods,
        courses: ofTerm(call, ({ current }) => (current ? timetableOf(student) : [])),
      })),
      'GET /api/exams': inside((student, call) => ({
        exams: ofTerm(call, (term) => (term.current ? examsOf(student, term) : [])),
      })),
    },
  };

  const insteadOf = (fault: DemoFault, address: string): DemoReply | null => {
    if (fault.kind === 'login-redirect') return toLogin();
    if (fault.kind === 'login-page') return loginPage(executions.issue('e', true));
    return plainAnswer(fault, address);
  };

  const log: string[] = [];
  const serve = ({ server, origin }: Awaited<ReturnType<typeof listen>>, system: LakesideSystem): void => {
    const handlers = systems[system];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const target = request.url ?? '/';
      const { pathname, searchParams: query } = new URL(target, HOSTS[system]);
      const body = await readBody(request);
      if (body === null) return send(response, errorPage(413, 'Payload Too Large'));
      const name = `${request.method} ${pathname}`.slice(0, 100);
      if (log.length < MOST_SESSIONS) log.push(`${system} ${name}`);
      const form = formOf(request.headers['content-type'], body);
      const call = { query, form, cookies: new Map(cookiePairs(request.headers.cookie)) };
      const fault = faults.get(system);
      if (fault?.kind === 'delay') await clock.wait(fault.ms, closing.signal);
      await transmit({ clock, closing: closing.signal }, request, response, {
        fault,
        instead: (fault) => insteadOf(fault, `${origin}${target}`),
        real: () => handlers[name]?.(call) ?? errorPage(404, 'Not Found'),
      });
    };
    server.on('request', (request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
  };

  serve(login, 'login');
  serve(academics, 'academics');
  return {
    origins: { [HOSTS.login]: login.origin, [HOSTS.academics]: academics.origin },
    requests: () => [...log],
    resetRequests: () => {
      log.length = 0;
    },
    expireSessions: () => sessions.clear(),
    expireLogins: () => granted.clear(),
    addStudent: (pair) => {
      const [first] = lakesideStudents;
      if (first) students.set(pair.id, { ...first, ...pair });
    },
    fault: (system, fault) => void faults.set(system, fault),
    clearFaults: () => faults.clear(),
    close: async () => {
      closing.abort();
      await Promise.all([closeServer(login.server), closeServer(academics.server)]);
    },
  };
};
