import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPortalKey } from '../../src/demo/crypto.ts';
import { type DemoReply, htmlPage, redirectTo } from '../../src/demo/exchange.ts';
import { Jwglxt } from '../../src/demo/jwglxt/campus.ts';
import { jwglxtStudents } from '../../src/demo/jwglxt/records.ts';
import { type CampusModel, type SimulatedCall, simulateCampus } from '../../src/demo/simulated-campus.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

type Systems = 'cas' | 'jwglxt';

const SERVICE = 'http://academics.open.test/sso/jziotlogin';

/** The academic system behind a unified login, whose ticket leads into it by two redirects. */
class BehindLogin implements CampusModel<Systems> {
  /** Who the ticket opens a session for, in place of who has signed in. */
  opensFor: string | null = null;
  leadsAstray = false;
  readonly #inner: Jwglxt;
  readonly #tickets = new Map<string, string>();
  #next = 0;
  readonly systems;

  constructor(inner: Jwglxt) {
    this.#inner = inner;
    const { jwglxt } = inner.systems;
    this.systems = {
      cas: {
        routes: {
          'GET /cas/login': () => this.#login(),
          'POST /cas/login': (call: SimulatedCall) => this.#submit(call),
        },
      },
      jwglxt: {
        ...jwglxt,
        routes: {
          ...jwglxt.routes,
          'GET /sso/jziotlogin': ({ query }: SimulatedCall) =>
            redirectTo(`/jwglxt/ticketlogin?ticket=${query.get('ticket')}`, ['SSO=1; Path=/']),
          'GET /jwglxt/ticketlogin': ({ query }: SimulatedCall) => this.#enter(query.get('ticket') ?? ''),
        },
      },
    };
  }

  toLogin = (): DemoReply => this.#inner.toLogin();
  loginPage = (): DemoReply => this.#login();
  expireSessions = (): void => this.#inner.expireSessions();
  expireLogins(): void {}
  addStudent(): void {}

  #login(): DemoReply {
    return htmlPage(
      '<form id="fm1"><input name="username"><input type="password" name="password"><input name="execution" value="e1s1"></form>',
    );
  }

  #submit({ form, query }: SimulatedCall): DemoReply {
    const student = jwglxtStudents.find(({ id }) => id === form.get('username'));
    if (student?.password !== form.get('password')) return this.#login();
    this.#next += 1;
    const ticket = `ST-${this.#next}`;
    this.#tickets.set(ticket, student?.id ?? '');
    return redirectTo(`${query.get('service')}?ticket=${ticket}`);
  }

  #enter(ticket: string): DemoReply {
    const userid = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    if (userid === undefined) return this.#inner.toLogin();
    return this.leadsAstray ? redirectTo('/jwglxt/ticketlogin') : this.#inner.enter(this.opensFor ?? userid);
  }
}

const clock = new ManualClock(Date.parse('2026-11-18T12:00:00+08:00'));

const start = async () => {
  const key = await createPortalKey();
  const hosts = { cas: 'http://login.open.test', jwglxt: 'http://academics.open.test' };
  return simulateCampus(clock, hosts, () => new BehindLogin(new Jwglxt({ clock }, key)));
};

let campus: Awaited<ReturnType<typeof start>>;
let gateway: Gateway;
let token: string;
const [student] = jwglxtStudents;
const fresh = { 'cache-control': 'max-age=0' };
const wire = () =>
  campus.requests().map(({ method, path }) => `${method} ${path.replace(/^.*\//, '').replace('.html', '')}`);
const read = () => gateway.b('GET', '/jwc/exam/info', { token, headers: fresh });

beforeAll(async () => {
  campus = await start();
  const { 'http://login.open.test': login = '', 'http://academics.open.test': academics = '' } = campus.origins;
  gateway = await startGateway({
    clock,
    manifest: () => ({
      name: { zh: '开放大学', en: 'Open' },
      time_zone: 'Asia/Shanghai',
      portal: null,
      login: { driver: 'cas-plain', url: `${login}/cas` },
      applications: [{ driver: 'jwglxt', url: `${academics}/jwglxt`, service: SERVICE }],
    }),
  });
  token = await gateway.register({ userid: student?.id ?? '', password: student?.password ?? '', vpnPassword: '' });
});

afterAll(async () => {
  await gateway.close();
  await campus.close();
});

it('is entered by a ticket, whose redirects are followed to the menu', () => {
  expect(wire()).toEqual(['GET login', 'POST login', 'GET jziotlogin', 'GET ticketlogin', 'GET index_initMenu']);
});

it('reads by the functions of that menu', async () => {
  campus.resetRequests();
  const { status, body } = await read();
  expect([status, body.data.total_count]).toEqual([200, 4]);
  expect(wire()).toEqual(['GET xskbcx_cxXskbcxIndex', 'POST kscx_cxXsksxxIndex']);
});

it('is opened again after its session has ended', async () => {
  // Longer than a failure is remembered.
  clock.advance(25 * 3_600_000);
  campus.expireSessions();
  campus.resetRequests();
  expect((await read()).status).toBe(200);
  expect(wire().filter((each) => each === 'GET index_initMenu').length).toBe(1);
});

it.each<[string, () => void]>([
  ['the session of another student', () => (campus.model.opensFor = jwglxtStudents[1]?.id ?? null)],
  ['no session at all', () => (campus.model.leadsAstray = true)],
])('never takes %s for the student’s', async (_, arrange) => {
  arrange();
  // Longer than a failure is remembered.
  clock.advance(25 * 3_600_000);
  campus.expireSessions();
  campus.resetRequests();
  const { status, text } = await read();
  expect([status, text.includes('course_name')]).toEqual([502, false]);
  expect(
    wire().some((each) => each.startsWith('POST kscx') && wire().indexOf(each) > wire().indexOf('GET jziotlogin')),
  ).toBe(false);
  Object.assign(campus.model, { opensFor: null, leadsAstray: false });
});
