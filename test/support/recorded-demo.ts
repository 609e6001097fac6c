import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/campus/connect.ts';
import type { Manifest } from '../../src/campus/contract/manifest.ts';
import type { SessionAccess, UpstreamRequest } from '../../src/campus/contract/upstream-session.ts';
import { drivers } from '../../src/campus/drivers.ts';
import type { Exchange, Page, Reading, Recorded, Replay } from '../../src/campus/recordings/recording.ts';
import { Addresses } from '../../src/campus/session/addresses.ts';
import { SeenOddities } from '../../src/campus/session/seen-oddities.ts';
import { CampusSessions } from '../../src/campus/session/sessions.ts';
import { CampusHttp } from '../../src/campus/transport/http.ts';
import { openCampus } from '../../src/composition/campus.ts';
import { loadConfig } from '../../src/config/config.ts';
import { keyFiles } from '../../src/config/process-files.ts';
import { createCallers } from '../../src/domain/accounts/guard/callers.ts';
import { Guard } from '../../src/domain/accounts/guard/guard.ts';
import { Unattended } from '../../src/domain/accounts/sign-in/unattended.ts';
import { type Capability, portsOf } from '../../src/domain/capabilities.ts';
import { failures, isFailure } from '../../src/domain/errors.ts';
import { createLeases } from '../../src/domain/lease.ts';
import { KeyedNames, sha256 } from '../../src/lib/hash.ts';
import { KeyLock } from '../../src/lib/single-flight.ts';
import { createStorage } from '../../src/storage/storage.ts';
import { callContext, recordingLog } from './campus-rig.ts';
import { inlinePages, sessionOver } from './inline-pages.ts';
import { keptIn } from './kept.ts';
import { ManualClock } from './manual-clock.ts';
import { writeMigratedDatabase } from './migrated-database.ts';

type Call = Pick<Reading, 'page' | 'parameters'>;
type Ports = ReturnType<typeof portsOf>;

const term = '2025-2026-2-1';
const window = { start: '2026-02-23', end: '2026-08-31' };
const firstOf = (readings: readonly Reading[], page: Capability): Readonly<Record<string, unknown>> | undefined => {
  const record = readings.find((reading) => reading.page === page)?.record;
  return Array.isArray(record) ? record[0] : undefined;
};

/** What is asked, in this order; a function makes the parameters of what was read before, null: nothing to ask for. */
const plan: ReadonlyArray<readonly [Capability, (before: readonly Reading[]) => readonly unknown[] | null]> = [
  ['academics.terms', () => []],
  ['academics.summary', () => []],
  ['academics.studentFile', () => []],
  ['academics.trainingPlan', () => []],
  ['academics.planEntry', () => []],
  ['academics.scorePage', () => [{ termCode: '2025-2026-1-1', courseCode: '', courseName: '', page: 1, pageSize: 50 }]],
  ['academics.allScores', () => ['2025-2026-1-1']],
  ['academics.wholeRecord', () => []],
  ['academics.schedule', () => [term, null]],
  ['academics.currentScores', () => []],
  [
    'academics.scoreComponents',
    (before) => {
      const row = firstOf(before, 'academics.currentScores');
      if (row === undefined) return null;
      const { term_id: termCode, course_code: courseCode, course_class: courseClass, exam_time: examTime } = row;
      return [{ termCode, courseCode, courseClass, examTime }];
    },
  ],
  ['academics.courseSelection', () => []],
  ['academics.calendarText', () => []],
  ['academics.termStart', () => []],
  ['academics.exams', () => [{ now: Date.UTC(2026, 2, 18, 2), timeZone: 'Asia/Shanghai', term, window }]],
  ['academics.evaluationCourses', () => []],
  ['evaluation.season', () => []],
  ['offerings.offeringTerms', () => []],
  ['offerings.offerings', () => [term, 1]],
  ['offerings.classFilters', () => []],
  ['activityScore.total', () => []],
  ['activityScore.categories', () => []],
  ['laborClub.finishedCount', () => []],
  ['laborClub.joinedActivities', () => []],
  ['laborClub.joinedClubs', () => []],
  ['laborClub.directory', () => []],
  ['laborClub.clubApplications', () => []],
  ['competitions.record', () => []],
  ['card.balance', () => []],
  ['card.state', () => []],
  ['card.transactions', () => [{ from: '2026-02-17', to: '2026-03-18' }]],
  ['card.purchases', () => [{ from: '2026-02-17', to: '2026-03-18' }]],
];

/** Calls a port as the student: `now` and the term of exams are data in a reading, and a function in the port. */
const askPort = async (ports: Ports, userid: string, { page, parameters }: Call): Promise<Reading> => {
  const [area = '', name = ''] = page.split('.');
  const given = parameters.map((parameter) =>
    page === 'academics.exams' && typeof parameter === 'object' && parameter !== null && 'term' in parameter
      ? { ...parameter, ofTerm: async () => ({ termCode: parameter.term, window }) }
      : parameter,
  );
  const methods: unknown = ports[area as keyof Ports];
  const method = (methods as Readonly<Record<string, (...all: unknown[]) => Promise<unknown>>>)[name];
  if (method === undefined) throw new Error(`no method ${page}`);
  const student = { userid, generation: 1 };
  try {
    const record = await method(student, ...given, callContext());
    return { page, parameters, record: JSON.parse(JSON.stringify(record)), failure: null };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { page, parameters, record: null, failure: error.kind };
  }
};

const pairsOf = (query: string): [string, string][] => [...new URLSearchParams(query)];

const requestOf = (system: string, page: Page, { method, path, form = [] }: UpstreamRequest) => {
  const [bare = '', query = ''] = path.split('?');
  return {
    page,
    system,
    product: system,
    method,
    path: bare,
    query: pairsOf(query),
    form: form.map(([n, v]) => [n, v] as const),
  };
};

const exchangeOf = (request: ReturnType<typeof requestOf>, text: string): Exchange => ({
  ...request,
  status: 200,
  location: null,
  cookies: [],
  charset: 'utf-8',
  contentType: /^\s*[[{\]]/.test(text) ? 'application/json' : 'text/html',
  body: Buffer.from(text),
  text,
});

const names = (pairs: Exchange['query']): string => pairs.map(([name]) => name).join('&');
const values = ({ path, query, form }: Pick<Exchange, 'path' | 'query' | 'form'>): string =>
  JSON.stringify([path, query, form]);
/** Where a request may go, with the parts of a path that differ from session to session left open. */
const placeOf = ({
  page,
  system,
  method,
  path,
  query,
  form,
}: Omit<Exchange, 'body' | 'text'> | ReturnType<typeof requestOf>): string => {
  const steps = path.split('/');
  const last = steps.at(-1) ?? '';
  return [page, system, method, steps.length, /\d/.test(last) ? '*' : last, names(query), names(form)].join(' ');
};

/** Runs the drivers over exchanges. */
export const replayOf =
  (manifest: Manifest): Replay =>
  async (exchanges, calls, userid) => {
    let page: Page = 'sign-in';
    let memo = new Map<string, string>();
    const left = new Map<string, Exchange[]>();
    for (const exchange of exchanges) {
      const place = placeOf(exchange);
      left.set(place, [...(left.get(place) ?? []), exchange]);
    }
    const locks = new KeyLock();
    const sessions: SessionAccess = {
      with: async (_student, application, context, work) => {
        const session = sessionOver({ userid, memo, locks }, context, async (request) => {
          const asked = requestOf(application, page, request);
          const waiting = left.get(placeOf(asked)) ?? [];
          const at = Math.max(
            waiting.findIndex((one) => values(one) === values(asked)),
            0,
          );
          const [found] = waiting.splice(at, 1);
          if (found === undefined) throw failures.upstreamUnavailable('academics', 'unknown request');
          const text = found.text.trim();
          if (request.expect === 'json' || (request.alive?.(text) ?? true)) return text;
          if (request.optional) return '';
          throw failures.upstreamUnreadable('academics', 'page without its mark');
        });
        try {
          return await work(session);
        } catch (error) {
          if (isFailure(error)) throw error;
          throw failures.sessionLost('academics', String(error));
        }
      },
    };
    const readings: Reading[] = [];
    for (const call of calls) {
      page = call.page;
      memo = new Map();
      // The client of a driver may remember what it has learned of the campus.
      const ports = portsOf(connect(manifest, drivers).supplies({ sessions, clock: new ManualClock() }));
      readings.push(await askPort(ports, userid, call));
    }
    return readings;
  };

export interface RecordedDemo {
  readonly recorded: Recorded;
  readonly replay: Replay;
}

/** Records a student of a demo campus as the command does: signed in, every read once. */
export const recordDemo = async (
  campus: string,
  student: { readonly userid: string; readonly password: string; readonly vpnPassword: string },
): Promise<RecordedDemo> => {
  const clock = new ManualClock();
  const config = loadConfig(
    { CAMPUS: campus, DATABASE_URL: 'sqlite:/nowhere', SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    keyFiles,
  );
  const opened = await openCampus(config, { clock: clock.view() });
  const { manifest } = opened;
  const folder = mkdtempSync(join(tmpdir(), 'recorded-demo-'));
  const path = join(folder, 'campus.db');
  await writeMigratedDatabase(path);
  const ownClock = clock.skipping(300);
  const log = recordingLog();
  const storage = await createStorage({ url: `sqlite:${path}`, keys: [Buffer.alloc(32, 7)], log });
  const now = clock.now();
  const { userid, password, vpnPassword } = student;
  await storage.invites.createCode({ code: 'code', maxUses: 1, expiresAt: null, now });
  const expiry = now + 60_000;
  await storage.accounts.register({
    userid,
    pair: { password, vpnPassword },
    invite: { hash: sha256('code'), code: 'code', expiresAt: expiry },
    ...{ tokenHash: sha256('token'), tokenExpiresAt: expiry, tokenEndsAt: expiry, tokenNetwork: '192.0.2.0/24', now },
  });
  const connection = connect(manifest, drivers);
  const addresses = new Addresses(connection);
  const { origins } = addresses;
  const http = new CampusHttp({ clock: ownClock, origins, insecureOrigin: null, connections: 8, mostWaiting: 64 });
  const guard = new Guard({ guards: storage.guards, clock, perDay: 4 });
  const callers = createCallers(new KeyedNames([Buffer.alloc(32, 7)]), { trustedCallers: [], trustedProxies: [] });
  const sessions = new CampusSessions({
    campus: {
      ...{ http, addresses, clock: ownClock, attemptMs: 12_000, slowAttemptMs: 12_000, pages: inlinePages, log },
      oddities: new SeenOddities(),
      tagOf: (id) => `tag of ${id}`,
    },
    vault: storage.sessions,
    leases: createLeases(storage.leases, ownClock),
    credentials: new Unattended({ accounts: keptIn(storage).accounts, guard, callers }),
    signInMs: 15_000,
  });
  const exchanges: Exchange[] = [];
  let page: Page = 'sign-in';
  let memo = new Map<string, string>();
  const locks = new KeyLock();
  const recording: SessionAccess = {
    with: (asking, application, context, work, options) =>
      sessions.with(
        asking,
        application,
        context,
        (live) =>
          work(
            sessionOver({ userid, memo, locks }, context, async (request) => {
              const { text } = await live.text(request);
              exchanges.push(exchangeOf(requestOf(application, page, request), text));
              return text;
            }),
          ),
        options,
      ),
  };
  try {
    const supplied = connection.supplies({ sessions: recording, clock });
    const offered = new Set(
      supplied.flatMap((each) =>
        Object.entries(each).flatMap(([area, methods]) => Object.keys(methods ?? {}).map((name) => `${area}.${name}`)),
      ),
    );
    const readings: Reading[] = [];
    for (const [name, make] of plan) {
      const parameters = offered.has(name) ? make(readings) : null;
      if (parameters === null) continue;
      page = name;
      memo = new Map();
      readings.push(
        await askPort(portsOf(connection.supplies({ sessions: recording, clock })), userid, { page: name, parameters }),
      );
    }
    const recorded: Recorded = {
      ...{ origin: 'demo', version: '0.0.0', now, timeZone: 'Asia/Shanghai', userid, exchanges, readings },
      products: manifest.applications.map(({ driver }) => ({ system: driver, product: driver })),
      secrets: [userid, password, vpnPassword].filter((secret) => secret !== ''),
    };
    return { recorded, replay: replayOf(manifest) };
  } finally {
    await Promise.all([http.close(), storage.close()]);
    await opened.close();
    rmSync(folder, { recursive: true });
  }
};
