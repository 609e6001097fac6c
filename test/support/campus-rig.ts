import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UpstreamRequest, UpstreamSession } from '../../src/campus/contract/upstream-session.ts';
import { readersOf } from '../../src/campus/parsing/reading.ts';
import { SeenOddities } from '../../src/campus/session/campus-requests.ts';
import { CampusSessions } from '../../src/campus/session/sessions.ts';
import { CampusHttp } from '../../src/campus/transport/http.ts';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { createCallers } from '../../src/domain/accounts/guard/callers.ts';
import { Guard } from '../../src/domain/accounts/guard/guard.ts';
import { Unattended } from '../../src/domain/accounts/sign-in/unattended.ts';
import { type CallContext, type Log, silentLog } from '../../src/domain/context.ts';
import { failures } from '../../src/domain/errors.ts';
import { createLeases } from '../../src/domain/lease.ts';
import { KeyedNames, sha256 } from '../../src/lib/hash.ts';
import { Deadline } from '../../src/lib/time.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { addressesOf } from './addresses-of.ts';
import { inlinePages } from './inline-pages.ts';
import { keptIn } from './kept.ts';
import { ManualClock } from './manual-clock.ts';
import { writeMigratedDatabase } from './migrated-database.ts';
import { type PortalKind, sslVpn } from './portal-kinds.ts';
import { createStorage } from './storage.ts';

export const first = { userid: '2023000001', password: 'demo-password', vpnPassword: 'demo-vpn' };
export const second = { userid: '2023000002', password: 'demo-password-2', vpnPassword: 'demo-vpn-2' };
/** The members of a student that a login sends. */
export const entryOf = ({ userid, password, vpnPassword }: typeof first) => ({
  userid,
  password,
  vpn_password: vpnPassword,
});

/** Whose pages are damaged in every way that the campus knows. */
export const damaged = { userid: '2023000003', password: 'demo-password-3', vpnPassword: 'demo-vpn-3' };

/** To be added to the campus with more rows than a page holds. */
export const crowded = { userid: '2023000008', password: 'crowded-pass', vpnPassword: 'crowded-vpn', crowded: true };

/** The applications of the demo campus. */
export type Application = 'jwc' | 'aac' | 'ldjlb' | 'isim' | 'competition' | 'card';

const reader = readersOf(import.meta.url);
/** A page is alive that shows this. */
export const shows = (mark: string) => reader(`shows ${mark}`, (text) => text.includes(mark));

/** One read that every system answers with a live session, for tests of the session core. */
export const provingRead: Readonly<Record<Application, UpstreamRequest>> = {
  jwc: {
    page: 'proof',
    method: 'POST',
    path: '/main/academicInfo?sf_request_type=ajax',
    form: [['flag', '']],
    expect: 'json',
  },
  aac: { page: 'proof', method: 'POST', path: '/User/Center/DoGetScoreInfo?sf_request_type=ajax', expect: 'json' },
  ldjlb: { page: 'proof', method: 'POST', path: '/User/Club/DoGetJoinList', expect: 'json' },
  isim: { page: 'proof', method: 'GET', path: '/about', expect: 'page', alive: shows('<') },
  competition: {
    page: 'proof',
    method: 'GET',
    path: '/xsXmMain.aspx',
    expect: 'page',
    alive: reader('state of the form', (text) => /name="__VIEWSTATE"[^>]*value="[^"]+"/.test(text)),
  },
  card: {
    page: 'proof',
    method: 'GET',
    path: '/queryUserBalances.action',
    expect: 'page',
    alive: shows('余额'),
  },
};

/** The text of the answer to one request. */
export const textOf = async (session: UpstreamSession, request: UpstreamRequest): Promise<string> =>
  (await session.text(request)).text;

/** How a pair is verified for the first time. */
export const asStranger = { queue: 'stranger' } as const;

/** Limit of one attempt on the clock of the rig. */
export const ATTEMPT_MS = 12_000;

export interface LogLine {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export const recordingLog = (): Log & { readonly lines: LogLine[] } => {
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
};

/** A call's context with a total deadline and a way to hang up. */
export const callContext = (ms = 20_000): CallContext & { hangUp(): void } => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(failures.timedOut()), ms);
  timer.unref();
  return {
    traceId: '0'.repeat(32),
    signal: controller.signal,
    deadline: new Deadline(ms),
    log: recordingLog(),
    address: '127.0.0.1',
    hangUp: () => controller.abort(failures.clientGone()),
  };
};

export interface CampusRig {
  readonly demo: DemoCampus;
  readonly clock: ManualClock;
  /** Requests that the campus keeps waiting. */
  readonly delayed: number;
  readonly storage: Storage;
  readonly sessions: CampusSessions;
  /** Another replica over the same storage. */
  replica(): CampusSessions;
  /** Stores the student as registered, without asking the campus. */
  enroll(student: { userid: string; password: string; vpnPassword: string }): Promise<void>;
  /** Requests on the wire since the last reset, e.g. `vpn GET /por/login_auth.csp`. */
  wire(userid?: string): string[];
  close(): Promise<void>;
}

export const startCampusRig = async (
  /** `isimUrl`: another electricity site than that of the demo campus. */
  options: { isimUrl?: string; portal?: PortalKind } = {},
): Promise<CampusRig> => {
  const clock = new ManualClock();
  const { portal = sslVpn } = options;
  const campusClock = clock.view();
  // The pauses before a read is repeated, and between two looks at a lease.
  const ownClock = clock.skipping(300);
  const demo = await startDemoCampus({
    clock: campusClock,
    portalKeyPem: TEST_KEY_PEM,
    ...(portal.createDemo ? { createPortal: portal.createDemo } : {}),
  });
  const log = recordingLog();
  const folder = mkdtempSync(join(tmpdir(), 'campus-rig-'));
  const path = join(folder, 'campus.db');
  await writeMigratedDatabase(path);
  const storage = await createStorage({ url: `sqlite:${path}`, keys: [Buffer.alloc(32, 7)], log });
  const guard = new Guard({ guards: storage.guards, clock, log: silentLog, perDay: 4 });
  const callers = createCallers(new KeyedNames([Buffer.alloc(32, 7)]), { trustedCallers: [], trustedProxies: [] });
  const https: CampusHttp[] = [];
  const build = (): CampusSessions => {
    const { isimUrl = demo.wiring.isimUrl } = options;
    const wiring = { ...demo.wiring, isimUrl };
    const addresses = addressesOf(wiring, portal.create(wiring));
    const http = new CampusHttp({
      clock: ownClock,
      origins: addresses.origins,
      insecureOrigin: null,
      connections: 32,
      mostWaiting: 512,
    });
    https.push(http);
    return new CampusSessions({
      campus: {
        http,
        addresses,
        clock: ownClock,
        attemptMs: ATTEMPT_MS,
        slowAttemptMs: ATTEMPT_MS,
        pages: inlinePages,
        oddities: new SeenOddities(),
        log,
        tagOf: (userid) => `tag of ${userid}`,
      },
      vault: storage.sessions,
      leases: createLeases(storage.leases, ownClock),
      credentials: new Unattended({ accounts: keptIn(storage).accounts, guard, callers }),
      signInMs: 15_000,
    });
  };
  return {
    demo,
    clock,
    get delayed() {
      return campusClock.waiting;
    },
    storage,
    sessions: build(),
    replica: build,
    async enroll(student) {
      const code = `code-${student.userid}`;
      const now = clock.now();
      await storage.invites.createCode({ code, maxUses: 1, expiresAt: null, now });
      const { userid, password, vpnPassword } = student;
      const pair = { password, vpnPassword };
      const tokenHash = sha256(`token-${userid}`);
      await storage.accounts.register({
        userid,
        pair,
        invite: { hash: sha256(code), code, expiresAt: now + 60_000 },
        tokenHash,
        tokenExpiresAt: now + 60_000,
        tokenEndsAt: now + 60_000,
        tokenNetwork: '192.0.2.0/24',
        now,
      });
    },
    wire: (userid) =>
      demo.requests(userid === undefined ? {} : { userid }).map((r) => `${r.system} ${r.method} ${r.path}`),
    async close() {
      await Promise.all(https.map((http) => http.close()));
      await storage.close();
      await demo.close();
      rmSync(folder, { recursive: true });
    },
  };
};
