import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { manifestFaults, ownLoginOf } from '../../src/campus/connect.ts';
import type { Drivers } from '../../src/campus/contract/driver.ts';
import type { Manifest } from '../../src/campus/contract/manifest.ts';
import type { AppOptions } from '../../src/composition/app.ts';
import { campusFaults, campusOwnLogin, createServices, type RunningServices } from '../../src/composition/services.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import type { ConfigFiles } from '../../src/config/secrets.ts';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoOptions, DemoWiring } from '../../src/demo/types.ts';
import type { Log } from '../../src/domain/context.ts';
import { createLogger } from '../../src/http/logs/logger.ts';
import type { Clock } from '../../src/lib/time.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { listeningApp } from './app-pool.ts';
import { entryOf, first } from './campus-rig.ts';
import type { ManualClock } from './manual-clock.ts';
import { writeMigratedDatabase } from './migrated-database.ts';
import { MovingTime } from './moving-time.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; members are looked at by the tests. */
  // biome-ignore lint/suspicious/noExplicitAny: test bodies are inspected member by member
  readonly body: any;
  readonly text: string;
}

export interface Gateway {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly services: RunningServices;
  readonly demo: DemoCampus;
  readonly config: Config;
  /** Everything logged so far, as written. */
  log(): string;
  /** Every byte of the database, write-ahead log included. */
  databaseBytes(): Buffer;
  /** Surface A: a POST below its prefix. */
  a(path: string, body: unknown): Promise<Answer>;
  /** Surface B. */
  b(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** Surface B: a multipart form. */
  form(method: string, path: string, token: string, body: FormData): Promise<Answer>;
  /** Registers a student with the demo code over surface A; returns the token. */
  register(student?: { userid: string; password: string; vpnPassword: string }): Promise<string>;
  /** Requests at the campus since the last reset, e.g. `jwc POST /main/academicInfo`. */
  wire(userid?: string): string[];
  /** The requests of calls that are made at once. Throws when one of them does not succeed. */
  wireOf(...calls: ReadonlyArray<() => Promise<Answer>>): Promise<string[]>;
  /** Another replica on the same database, in front of the same campus; closed before this one. */
  replica(options?: GatewayOptions): Promise<Gateway>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly env?: Record<string, string>;
  readonly clock?: Clock;
  /** The clock of service and campus; it moves while calls are under way. */
  readonly movingClock?: ManualClock;
  readonly demo?: DemoCampus;
  /** Told of every code, image and one-time password that the campus shows to a student. */
  readonly onMessage?: DemoOptions['onMessage'];
  /** Where hooks find their receivers; left out: nowhere, so that nothing leaves the machine. */
  readonly receivers?: Parameters<typeof createServices>[1]['receivers'];
  /** Left out: those of the service. */
  readonly drivers?: Drivers;
  /** Left out: what comes with this version. */
  readonly proofs?: Parameters<typeof createServices>[1]['proofs'];
  /** The campus as a manifest says it; left out: everything that the demo campus has. */
  readonly manifest?: (wiring: DemoWiring) => unknown;
  /** Left out: an application that serves others afterwards, without limits on callers. */
  readonly app?: AppOptions;
  /** Nothing is logged, and `log()` stays empty: for tests that look at memory. */
  readonly silent?: boolean;
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
};

/** The whole service, listening on loopback in front of a demo campus, over its own database file. */
export const startGateway = async (options: GatewayOptions = {}): Promise<Gateway> => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-gateway-'));
  const clock = options.movingClock ?? options.clock;
  const moving = options.movingClock && new MovingTime(options.movingClock);
  const during = <T>(call: Promise<T>): Promise<T> => moving?.during(call) ?? call;
  // A new key pair for each campus would take longer than most tests.
  const { onMessage } = options;
  const own = { portalKeyPem: TEST_KEY_PEM, ...(clock ? { clock } : {}), ...(onMessage ? { onMessage } : {}) };
  const demo = options.demo ?? (await startDemoCampus(own));
  // Tests know the days of the records. Where no clock is given, that of the campus is today's.
  if (!clock && !options.demo) demo.switches.datesMove = false;
  const path = join(folder, 'campus.db');
  if (options.env?.DATABASE_URL === undefined) await writeMigratedDatabase(path);
  const env = {
    DATABASE_URL: `sqlite:${path}`,
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'debug',
    // Tests count requests at the campus.
    FRESH_SECONDS: '0',
    REVALIDATE_SECONDS: '0',
    ...(options.manifest ? { CAMPUS: 'test.json', INVITE_CODES: 'DEMO-2026:1000' } : {}),
    ...options.env,
  };
  const manifest = JSON.stringify(options.manifest?.(demo.wiring));
  const files: ConfigFiles = {
    read: (path) => {
      if (path === 'test.json') return manifest;
      return /[/\\]src[/\\]campuses[/\\]/.test(path) ? readFileSync(path, 'utf8') : null;
    },
    exists: () => false,
    createOnce: (_path, text) => text,
    freshKey: () => '',
  };
  const known = options.drivers;
  const faultsOf = known === undefined ? campusFaults : (read: Manifest) => manifestFaults(read, known);
  const ownOf = known === undefined ? campusOwnLogin : (read: Manifest) => ownLoginOf(read, known);
  const config = loadConfig(env, files, faultsOf, ownOf);
  const lines: string[] = [];
  const level = options.silent ? 'silent' : 'debug';
  const log: Log = createLogger(level, {
    write(line: string) {
      lines.push(line);
    },
  });
  const receivers = options.receivers ?? { resolve: () => Promise.reject(new Error('no names in tests')) };
  const { drivers, proofs } = options;
  const more = { ...(clock ? { clock } : {}), ...(drivers ? { drivers } : {}), ...(proofs ? { proofs } : {}) };
  const services = await createServices(config, { log, demo, receivers, onDemoMessage: onMessage, ...more }).catch(
    async (error) => {
      if (!options.demo) await demo.close();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    },
  );
  const behind = { services, log: (line: string) => void lines.push(line) };
  const { app, url, release } = await listeningApp(config, level, behind, options.app);

  const call = (asking: Promise<Response>): Promise<Answer> => during(asking.then(read));
  const gateway: Gateway = {
    url,
    app,
    services,
    demo,
    config,
    log: () => lines.join(''),
    databaseBytes: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
    a: (path, body) =>
      call(
        fetch(`${url}/api/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    b: (method, path, { token, body, headers = {} } = {}) =>
      call(
        fetch(url + path, {
          method,
          redirect: 'manual',
          headers: {
            ...headers,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    form: (method, path, token, body) =>
      call(fetch(url + path, { method, headers: { authorization: `Bearer ${token}` }, body })),
    async register(student = first) {
      const invite = await gateway.a('/user/veryfy_invite_code', { invite_code: 'DEMO-2026' });
      if (invite.body.code !== 200) throw new Error(`invitation failed: ${invite.text}`);
      const registered = await gateway.a('/user/register', {
        ...entryOf(student),
        invite_token: invite.body.data.invite_token,
      });
      if (registered.body.code !== 200) throw new Error(`registration failed: ${registered.text}`);
      return registered.body.data.authme_token;
    },
    wire: (userid) =>
      demo.requests(userid === undefined ? {} : { userid }).map((r) => `${r.system} ${r.method} ${r.path}`),
    async wireOf(...calls) {
      demo.resetRequests();
      for (const { status, text } of await Promise.all(calls.map((call) => call()))) {
        if (status !== 200) throw new Error(`a call that should succeed: ${status} ${text}`);
      }
      return gateway.wire();
    },
    replica: (more = {}) =>
      startGateway({
        ...options,
        demo,
        ...more,
        env: { ...options.env, DATABASE_URL: env.DATABASE_URL, ...more.env },
      }),
    async close() {
      await release();
      await services.close();
      if (!options.demo) await demo.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return gateway;
};
