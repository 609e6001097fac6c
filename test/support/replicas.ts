import { onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import type { first } from './campus-rig.ts';
import { entryOf } from './campus-rig.ts';
import { freshPostgresUrl } from './postgres.ts';
import { type AtEnd, type ServiceProcess, startService, workingDirectory } from './service-process.ts';
import { wiringEnv } from './wiring-env.ts';

export type Replica = ServiceProcess & { readonly address: string };

export interface Cluster {
  readonly demo: DemoCampus;
  readonly env: Readonly<Record<string, string>>;
  /** Starts one more real process over the shared database. `program`: that of another version. */
  start(extra?: Readonly<Record<string, string>>, program?: string): Promise<Replica>;
}

/** A campus and an empty PostgreSQL database for several real service processes. */
export const cluster = async (atEnd: AtEnd = onTestFinished): Promise<Cluster> => {
  const demo = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
  // Tests know the days of the records.
  demo.switches.datesMove = false;
  atEnd(() => demo.close());
  const env = {
    DATABASE_URL: await freshPostgresUrl(),
    SECRET_KEY: Buffer.alloc(32, 11).toString('base64'),
    INVITE_CODES: 'SCALE:100',
    FRESH_SECONDS: '0',
    REVALIDATE_SECONDS: '0',
    EVALUATION_WAIT_SECONDS: '5',
    ...wiringEnv(demo.wiring),
  };
  const start = (extra = {}, program?: string) =>
    startService(workingDirectory(atEnd), { ...env, ...extra }, atEnd, program);
  return { demo, env, start };
};

let admitted = 0;

/** One more student of the campus, with an account nowhere yet. */
export const newcomer = (demo: DemoCampus): typeof first => {
  admitted += 1;
  const student = { userid: `31${String(admitted).padStart(6, '0')}`, password: 'pass', vpnPassword: 'vpn' };
  demo.addStudent(student);
  return student;
};

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: test bodies are inspected member by member
  readonly body: any;
  readonly headers: Headers;
}

/** One call to a service at an address. */
export const call = async (
  address: string,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<Reply> => {
  const response = await fetch(address + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
};

/** Registers a student with a code, the shared one unless told another; returns the token. */
export const enroll = async (address: string, student: typeof first, code = 'SCALE'): Promise<string> => {
  const invite = await call(address, 'POST', '/auth/register/invite', { body: { invite_code: code } });
  const registered = await call(address, 'POST', '/auth/register/next', {
    body: { ...entryOf(student), invite_token: invite.body.data.invite_token },
  });
  if (registered.status !== 200) throw new Error(`registration failed: ${registered.status}`);
  return registered.body.data.token;
};
