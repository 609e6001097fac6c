import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { CampusHttp } from '../../src/campus/transport/http.ts';
import { attemptLease } from '../../src/domain/accounts/guard/callers.ts';
import { NodeSqliteConnection } from '../../src/storage/database/sqlite.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const file = join(import.meta.dirname, 'sign-in-statements.txt');
const { userid, password, vpnPassword } = first;
const right = { userid, password, vpn_password: vpnPassword };
const credentials = { system: 'vpn', path: '/por/login_psw.csp', method: 'POST' } as const;
/** The newest session of the rig has answered longer ago than anything is trusted. */
const COLD_MS = 400_000;

const statement = /^(select|insert|update|delete)\b(?:.*?\b(?:from|into)|)\s+"(\w+)"/is;
const named = (sql: string): string => {
  const [, kind, table] = statement.exec(sql) ?? [];
  return kind === undefined ? sql : `${kind} ${table}`;
};

/** The statements and requests that reach the database and the campus, in order. */
const watch = ({ demo }: Gateway): string[] => {
  const lines: string[] = [];
  const { executeQuery } = NodeSqliteConnection.prototype;
  vi.spyOn(NodeSqliteConnection.prototype, 'executeQuery').mockImplementation(function (this: never, query) {
    lines.push(named(query.sql));
    return executeQuery.call(this, query);
  });
  const { vpnUrl: vpn, casUrl: cas, jwcUrl: jwc } = demo.wiring;
  const systemOf = ({ origin }: URL) =>
    Object.entries({ vpn, cas, jwc }).find(([, address]) => address.startsWith(origin))?.[0];
  const { send } = CampusHttp.prototype;
  vi.spyOn(CampusHttp.prototype, 'send').mockImplementation(function (this: never, request) {
    lines.push(`    ${systemOf(request.url)} ${request.method} ${request.url.pathname}`);
    return send.call(this, request);
  });
  return lines;
};

const textOf = (name: string, said: string, lines: readonly string[]): string => {
  const isAsked = (line: string) => line.startsWith(' ');
  const count = (isMeant: (line: string) => boolean) => lines.filter(isMeant).length;
  const statements = count((line) => !isAsked(line));
  const acquired = count((line) => line === 'insert leases');
  return [
    `# ${name}: ${said}`,
    `${statements} statements, ${count((line) => line === 'begin immediate')} transactions, leases taken ${acquired}, campus requests ${count(isAsked)}`,
    ...lines,
    '',
  ].join('\n');
};

/** Statements of SQLite take no time: what is under way has come to an end, or waits for campus or clock. */
const quiet = async (): Promise<void> => {
  for (let turns = 0; turns < 30; turns += 1) await turn();
};

interface World {
  readonly gateway: Gateway;
  readonly clock: ManualClock;
  readonly token: string;
  readonly lines: string[];
}

const login = ({ gateway }: World, over: object = {}): Promise<string> =>
  gateway
    .b('POST', '/auth/login/next', { body: { ...right, ...over } })
    .then(({ status, body }) => `${status} ${body.error_code ?? ''}`.trim());

const read = async ({ gateway, token }: World): Promise<string> =>
  String((await gateway.b('GET', '/jwc/academic/info', { token })).status);

const asked = ({ lines }: World, what: string): Promise<void> =>
  vi.waitFor(() => expect(lines.some((line) => line.includes(what))).toBe(true), { timeout: 5_000, interval: 2 });

/** Leaves when `at` is in the record, and lets the rest go on by the clock. */
const hangsUp = async (world: World, at: string): Promise<void> => {
  const leaving = new AbortController();
  const body = JSON.stringify(right);
  const headers = { 'content-type': 'application/json' };
  const url = `${world.gateway.url}/auth/login/next`;
  const call = fetch(url, { method: 'POST', headers, body, signal: leaving.signal }).catch(() => {});
  await asked(world, at);
  leaving.abort();
  await call;
};

type Case = readonly [name: string, run: (world: World) => Promise<string>, warm?: 'warm'];

const cases: readonly Case[] = [
  ['login, stored pair, session just proven', (world) => login(world), 'warm'],
  ['login, stored pair', (world) => login(world)],
  [
    'login, pair changed at the campus',
    (world) => {
      world.gateway.demo.student(userid).changePasswords({ password: 'changed' });
      return login(world, { password: 'changed' });
    },
  ],
  ['login, wrong password', (world) => login(world, { password: 'wrong' })],
  [
    'login, stored pair refused',
    (world) => {
      world.gateway.demo.student(userid).changePasswords({ vpnPassword: 'changed' });
      return login(world);
    },
  ],
  [
    'login, captcha',
    (world) => {
      world.gateway.demo.fault({ ...credentials, fault: { kind: 'captcha' } });
      return login(world);
    },
  ],
  [
    'login, second step',
    (world) => {
      world.gateway.demo.student(userid).setSecondFactor('sms');
      return login(world);
    },
  ],
  [
    'login, answer lost',
    (world) => {
      world.gateway.demo.fault({ ...credentials, fault: { kind: 'reset-after' } });
      return login(world);
    },
  ],
  [
    'login, lease busy for a moment',
    async (world) => {
      const { gateway, clock, lines } = world;
      const { leases } = gateway.services.storage;
      await leases.acquire(attemptLease(userid), 'another replica', clock.now(), 60_000);
      lines.length = 0;
      const answer = login(world);
      await asked(world, 'insert leases');
      await quiet();
      const before = lines.length;
      await leases.release(attemptLease(userid), 'another replica');
      lines.length = before;
      await vi.waitFor(() => {
        clock.advance(150);
        expect(lines.length).toBeGreaterThan(before);
      });
      return answer;
    },
  ],
  [
    'login, caller gone while the campus answers',
    async (world) => {
      const { gateway, clock, lines } = world;
      gateway.demo.fault({ ...credentials, fault: { kind: 'delay', ms: 1_000 } });
      await hangsUp(world, credentials.path);
      await vi.waitFor(() => expect(gateway.demo.requests({ path: credentials.path }).length).toBeGreaterThan(0));
      await quiet();
      clock.advance(1_000);
      const times = (what: string) => lines.filter((line) => line === what).length;
      await vi.waitFor(() => expect(times('delete leases')).toBe(times('insert leases')), { timeout: 5_000 });
      return 'nobody told';
    },
  ],
  ['registration', ({ gateway }) => gateway.register(second).then(() => 'registered')],
  ['read, session just proven', read, 'warm'],
  [
    'read, everything at the campus over',
    (world) => {
      const student = world.gateway.demo.student(userid);
      student.expirePortal();
      student.expireUnifiedLogin();
      student.expireService('jwc');
      return read(world);
    },
  ],
];

afterEach(() => {
  vi.restoreAllMocks();
});

it('logins and reads cost the recorded statements and campus requests, in this order', async () => {
  const texts: string[] = [];
  for (const [name, run, warm] of cases) {
    const clock = new ManualClock();
    const gateway = await startGateway({ clock });
    try {
      const token = await gateway.register(first);
      await read({ gateway, clock, token, lines: [] });
      gateway.demo.resetRequests();
      if (!warm) clock.advance(COLD_MS);
      // Runs the work that waits for that moment, and notes the hour of the token's use.
      await gateway.b('GET', '/auth/authme/token', { token });
      await quiet();
      const lines = watch(gateway);
      const said = await run({ gateway, clock, token, lines });
      // Waits for the writes that follow the answer.
      await quiet();
      texts.push(textOf(name, said, lines));
    } finally {
      vi.restoreAllMocks();
      await gateway.close();
    }
  }
  const text = texts.join('\n');
  if (process.env.GOLDEN === 'write') writeFileSync(file, text);
  else expect(text).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '');
});
