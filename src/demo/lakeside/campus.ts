import type { Server } from 'node:http';
import { campusDate } from '../../lib/campus-time.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
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
import { letters } from '../ids.ts';
import { send } from '../transmission.ts';
import { closeServer, listen } from '../upstream-server.ts';
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

/** Names by which the manifest calls the systems; they resolve nowhere. */
const HOSTS = { login: 'http://login.lakeside.test', academics: 'http://academics.lakeside.test' };
const TIME_ZONE = 'Asia/Shanghai';
const GRANTING = 'TGC';
const SESSION = 'LAKE';
const MOST_SESSIONS = 10_000;

export interface LakesideCampus {
  /** Where the hosts of the manifest listen at the moment. */
  readonly origins: Readonly<Record<string, string>>;
  /** `academics GET /api/terms`, since the last reset. */
  requests(): readonly string[];
  resetRequests(): void;
  /** Every session of the academic system is over. */
  expireSessions(): void;
  close(): Promise<void>;
}

interface LakesideCall {
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
}

type Handler = (call: LakesideCall) => DemoReply;

/** Bounded: what is oldest is forgotten. */
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
  const today = (): string => campusDate(clock.now(), TIME_ZONE);

  const toService = (student: LakesideStudent, service: string, cookies: readonly string[] = []): DemoReply =>
    redirectTo(`${service}?ticket=${tickets.issue('ST-', { student, service })}`, cookies);

  const submit: Handler = ({ query, form }) => {
    if (!executions.take(form.get('execution'))) return loginPage(executions.issue('e', true));
    const student = lakesideStudents.find(({ id }) => id === form.get('username'));
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

  const systems: Readonly<Record<keyof typeof HOSTS, Readonly<Record<string, Handler>>>> = {
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

  const log: string[] = [];
  const serve = (server: Server, system: keyof typeof HOSTS): void => {
    const handlers = systems[system];
    server.on('request', async (request, response) => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', HOSTS[system]);
      const body = await readBody(request).catch(() => null);
      const name = `${request.method} ${pathname}`.slice(0, 100);
      if (log.length < MOST_SESSIONS) log.push(`${system} ${name}`);
      const form = formOf(request.headers['content-type'], body ?? '');
      const call = { query, form, cookies: new Map(cookiePairs(request.headers.cookie)) };
      send(response, handlers[name]?.(call) ?? errorPage(404, 'Not Found'));
    });
  };

  serve(login.server, 'login');
  serve(academics.server, 'academics');
  return {
    origins: { [HOSTS.login]: login.origin, [HOSTS.academics]: academics.origin },
    requests: () => [...log],
    resetRequests: () => {
      log.length = 0;
    },
    expireSessions: () => sessions.clear(),
    close: async () => {
      await Promise.all([closeServer(login.server), closeServer(academics.server)]);
    },
  };
};
