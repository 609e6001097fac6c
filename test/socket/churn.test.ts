import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryOf } from '../support/campus-rig.ts';
import { type CampusThread, startCampusThread } from '../support/campus-thread.ts';
import type { Student } from '../support/campus-thread-messages.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const STUDENTS = 210;
const PER_WAVE = 30;
const AT_ONCE = 16;
const WAVES = STUDENTS / PER_WAVE;
const WARM_UP = 3;
const IDLE_MS = 6 * 60_000;
/** Longer than anything is remembered of a student who has left. */
const LONG_AFTER_MS = 3 * 24 * 60 * 60_000;
/** Caches with a limit fill up to it; a session that stayed behind for each student would come to more. */
const MOST_BYTES_PER_STUDENT = 3_072;

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('no garbage collector to call');
  collect();
};

describe('210 students who come and go', () => {
  let campus: CampusThread;
  let gateway: Gateway;
  const clock = new ManualClock();
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);

  beforeAll(async () => {
    process.on('warning', warned);
    campus = await startCampusThread();
    const most = Number.MAX_SAFE_INTEGER;
    gateway = await startGateway({
      clock,
      silent: true,
      env: { ...campus.env, INVITE_CODES: `CHURN:${STUDENTS}` },
      app: {
        limits: { anonymousPerMinute: most, knownPerMinute: most },
        pressure: { maxEventLoopDelay: 0 },
      },
    });
  });
  afterAll(async () => {
    process.off('warning', warned);
    await gateway.close();
    await campus.close();
  });

  const must = (answer: Answer): Answer => {
    if (answer.status !== 200 || (answer.body.code ?? 200) !== 200) throw new Error(answer.text);
    return answer;
  };

  /** An hour of a student with the app, which leaves traces everywhere. */
  const visit = async (student: Student): Promise<string> => {
    const pair = entryOf(student);
    const invite = must(await gateway.a('/user/veryfy_invite_code', { invite_code: 'CHURN' }));
    const { invite_token } = invite.body.data;
    const token = must(await gateway.a('/user/register', { ...pair, invite_token })).body.data.authme_token;
    must(await gateway.b('GET', '/jwc/academic/info', { token }));
    must(await gateway.b('GET', '/aac/credit/info', { token }));
    must(await gateway.b('PUT', '/profile/user/update', { token, body: { nickname: pair.userid } }));
    must(await gateway.b('POST', '/auth/login/next', { body: pair }));
    return token;
  };

  const leave = async ({ password, vpnPassword }: Student, token: string): Promise<void> => {
    must(await gateway.b('DELETE', '/auth/account', { token, body: { password, vpn_password: vpnPassword } }));
  };

  const isAsked = (): boolean => [...gateway.services.watch.queues().values()].some(({ active }) => active > 0);

  const evaluate = async (token: string): Promise<void> => {
    must(await gateway.a('/jwc/evaluation/initialize', { token }));
    must(await gateway.a('/jwc/evaluation/start', { token }));
    let ended = false;
    const ending = gateway.a('/jwc/evaluation/terminate', { token }).finally(() => {
      ended = true;
    });
    while (!ended) {
      await new Promise((resolve) => setImmediate(resolve));
      // Not while the campus is asked: its answer would come too late by a clock that runs ahead.
      if (!isAsked()) clock.advance(10);
    }
    must(await ending);
  };

  const rowsByTable = (): Record<string, number> => {
    const { storage } = gateway.config;
    const database = new DatabaseSync(storage.kind === 'sqlite' ? storage.path : ':memory:', { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    const counts = tables.map(({ name }) => {
      const [row] = database.prepare(`SELECT count(*) AS rows FROM "${name}"`).all();
      return [String(name), Number(row?.rows)];
    });
    database.close();
    return Object.fromEntries(counts);
  };

  /** Everything that can be counted and must be the same whenever no student is there. */
  const sizes = () => {
    const { watch, evaluation } = gateway.services;
    return {
      sessions: watch.sessionsHeld(),
      lines: Object.fromEntries(watch.queues()),
      runs: evaluation.running,
      waitingForTime: clock.waiting,
      listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
      serverListeners: gateway.app.server.eventNames().length,
      rows: rowsByTable(),
    };
  };

  const handles = (type: string): number => process.getActiveResourcesInfo().filter((name) => name === type).length;

  const heapUsed = async (): Promise<number> => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };

  const wave = async (number: number): Promise<void> => {
    const students = Array.from({ length: PER_WAVE }, (_, index) => ({
      userid: `4${String(number).padStart(4, '0')}${String(index).padStart(4, '0')}`,
      password: 'pass',
      vpnPassword: 'vpn',
    }));
    await campus.admit(students);
    const tokens: string[] = [];
    // More newcomers at once than there are places and waiting room for them would be told to come back.
    for (let from = 0; from < PER_WAVE; from += AT_ONCE) {
      tokens.push(...(await Promise.all(students.slice(from, from + AT_ONCE).map(visit))));
    }
    expect(gateway.services.watch.sessionsHeld()).toBe(PER_WAVE);
    const [first = ''] = tokens;
    await evaluate(first);
    must(await gateway.b('POST', '/auth/logout', { token: tokens[1] ?? '' }));
    clock.advance(IDLE_MS);
    // No timer sweeps: the next visitor's call finds the others idle.
    must(await gateway.b('GET', '/jwc/academic/info', { token: first }));
    expect(gateway.services.watch.sessionsHeld()).toBe(1);
    const again = must(
      await gateway.b('POST', '/auth/login/next', {
        body: { userid: students[1]?.userid, password: 'pass', vpn_password: 'vpn' },
      }),
    );
    await Promise.all(
      students.map((student, index) => leave(student, index === 1 ? again.body.data.token : (tokens[index] ?? ''))),
    );
    clock.advance(LONG_AFTER_MS);
    await gateway.services.storage.sweep(clock.now());
  };

  it('leave nothing behind: sessions, lines, runs, waits, listeners and rows are as before', async () => {
    for (let number = 0; number < WARM_UP; number += 1) await wave(number);
    const before = sizes();
    expect(before.sessions).toBe(0);
    const heapBefore = await heapUsed();
    const timersBefore = handles('Timeout');
    for (let number = WARM_UP; number < WAVES; number += 1) {
      await wave(number);
      expect(sizes(), `after wave ${number}`).toEqual(before);
    }
    const grown = (await heapUsed()) - heapBefore;
    expect(grown / (STUDENTS - WARM_UP * PER_WAVE)).toBeLessThan(MOST_BYTES_PER_STUDENT);
    expect(handles('Timeout')).toBeLessThanOrEqual(timersBefore + 5);
    // Both ends of the calls of one wave, and what is kept open to the five systems that were asked.
    expect(handles('TCPSocketWrap')).toBeLessThanOrEqual(2 * PER_WAVE + 5 * gateway.config.campus.connections);
    expect(warnings).toEqual([]);
  }, 600_000);
});
