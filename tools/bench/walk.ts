import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CampusHttp } from '../../src/campus/transport/http.ts';
import type { DemoWiring } from '../../src/demo/types.ts';
import { first as student } from '../../test/support/campus-rig.ts';
import { startGateway } from '../../test/support/gateway-rig.ts';
import { enroll } from '../../test/support/replicas.ts';
import { wiringEnv } from '../../test/support/wiring-env.ts';

/** Functions that one call runs more often than this are named. */
const OFTEN = 10;
const ROUNDS = 8;
const AFTER_MS = 50;
const path = '/jwc/score/2025-2026-1-1/list';

interface Called {
  readonly place: string;
  readonly name: string;
  readonly count: number;
}

const isOwn = (url: string): boolean => url.includes('/src/') && !/\/(?:node_modules|src\/demo)\//.test(url);
const pathOf = (url: string): string => url.slice(url.lastIndexOf('/src/') + 1);

/** Lists the functions called while `work` runs, by precise coverage: own code, without the demo campus. */
const walked = async (session: Session, work: () => Promise<void>): Promise<readonly Called[]> => {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await work();
  // Work that is left once the answer has gone.
  await setTimeout(AFTER_MS);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  return result
    .filter(({ url }) => isOwn(url))
    .flatMap(({ url, functions }) =>
      functions.flatMap(({ functionName: name, ranges: [range] }) =>
        range && range.count > 0 && range.startOffset > 0
          ? [{ place: pathOf(url), name: name || `anonymous:${range.startOffset}`, count: range.count }]
          : [],
      ),
    );
};

/** Own functions that wait for a request at the campus, from the outermost inwards; a reading that may be shared begins one. */
const waitingFor = async (work: () => Promise<void>): Promise<string> => {
  const { send } = CampusHttp.prototype;
  let stack = '';
  Error.stackTraceLimit = 100;
  CampusHttp.prototype.send = function (this: CampusHttp, request) {
    stack = new Error().stack ?? '';
    return send.call(this, request);
  };
  try {
    await work();
  } finally {
    CampusHttp.prototype.send = send;
  }
  const frame = /at (?:async )?(?:(\S+) \()?\S*\/src\/(\S+?\.ts)/;
  const names = stack.split('\n').flatMap((line) => {
    const [, name = '', place] = frame.exec(line) ?? [];
    return place === undefined ? [] : [`${place.replace(/^.*\//, '')}${name && ` ${name}`}`];
  });
  return names.toReversed().join(' → ');
};

const sum = (called: readonly Called[]): number => called.reduce((total, { count }) => total + count, 0);

const by = (called: readonly Called[], roomOf: (place: string) => string): string =>
  [...Map.groupBy(called, ({ place }) => roomOf(place))]
    .map(([room, inside]) => ({ room, calls: sum(inside) }))
    .toSorted((a, b) => b.calls - a.calls)
    .map(({ room, calls }) => `${room} ${calls}`)
    .join(', ');

const room = (place: string): string => place.split('/').slice(1, -1).slice(0, 2).join('/') || 'top';

const linesOf = (title: string, called: readonly Called[], isDetailed: boolean): string[] => {
  const often = called.filter(({ count }) => count >= OFTEN).toSorted((a, b) => b.count - a.count);
  return [
    `${title}: ${new Set(called.map(({ place }) => place)).size} files, ${called.length} functions, ${sum(called)} calls`,
    `  without rows and cells of pages: ${sum(called.filter(({ place }) => !place.startsWith('src/campus/parsing/')))} calls`,
    `  by folder: ${by(called, room)}`,
    ...often.map(({ place, name, count }) => `  ${String(count).padStart(6)} ${name} (${place})`),
    ...(isDetailed
      ? [...Map.groupBy(called, ({ place }) => place)].map(
          ([place, inside]) =>
            `    ${String(sum(inside)).padStart(4)} ${place}: ${inside.map(({ name, count }) => `${name} ${count}`).join(', ')}`,
        )
      : []),
  ];
};

/** Own code that one call runs through: files, functions and calls of them. An async function counts once more per await. */
export const measureWalk = async (isDetailed: boolean): Promise<string[]> => {
  // In a separate process: it calls functions of `src/lib` as well.
  const campus = fork(join(import.meta.dirname, 'campus-process.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [wiring]: DemoWiring[] = await once(campus, 'message');
  if (wiring === undefined) throw new Error('the campus says no addresses');
  const gateway = await startGateway({ silent: true, env: { ...wiringEnv(wiring), INVITE_CODES: 'SCALE:10' } });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  try {
    const { userid, password, vpnPassword } = student;
    const token = await enroll(gateway.url, student);
    const read = async (headers: Record<string, string> = {}): Promise<void> => {
      const { status, text } = await gateway.b('GET', path, { token, headers });
      if (status !== 200) throw new Error(`${path}: ${text}`);
    };
    const logIn = async (): Promise<void> => {
      const body = { userid, password, vpn_password: vpnPassword };
      const { status, text } = await gateway.b('POST', '/auth/login/next', { body });
      if (status !== 200) throw new Error(`login: ${text}`);
    };
    const forgotten = () => gateway.services.sessions.forget(userid);
    const nothing = () => Promise.resolve();
    const walks = [
      ['Scores, asked at the campus with a live session', () => read(), nothing],
      ['Scores, kept', () => read({ 'cache-control': 'max-stale' }), nothing],
      ['Login without a session', logIn, forgotten],
    ] as const;
    await read();
    const lines: string[] = [`A reading: ${await waitingFor(read)}`];
    for (const [title, work, before] of walks) {
      const found: Array<readonly Called[]> = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await before();
        found.push(await walked(session, work));
      }
      // Background work can only add to it.
      const [least = []] = found.toSorted((a, b) => sum(a) - sum(b));
      lines.push(...linesOf(title, least, isDetailed));
    }
    return lines;
  } finally {
    session.disconnect();
    await gateway.close();
    campus.disconnect();
  }
};
