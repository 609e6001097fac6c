import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { bindRoom, callRead, type ReadName, readNames, studentReads } from '../support/student-reads.ts';
import { springNoon } from '../support/study-reads.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const CALLS = 2_000;
/** Every so many calls an application fails for half of them. */
const TROUBLE_EVERY = 100;
const AT_ONCE = 16;

/** The same numbers in every run, from 0 up to `below`. */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** Most calls are answered from memory; the others take every other way. */
const many = Array.from({ length: 44 }, (_, at) => (at % 6 === 0 ? '' : 'max-age=600'));
const stale = Array.from({ length: 5 }, () => 'stale-if-error=86400');
const wishes = [...many, ...stale, 'no-cache', 'max-age=3', 'max-stale', 'only-if-cached', 'no-store'];
const systems = ['jwc', 'aac', 'ldjlb', 'isim', 'competition'] as const;

/** One of two students: what each read answers, and the tag of that answer. */
interface Known {
  readonly token: string;
  readonly data: ReadonlyMap<ReadName, unknown>;
  readonly tags: ReadonlyMap<ReadName, string>;
}

let demo: DemoCampus;
let gateway: Gateway;
const clock = new ManualClock(springNoon);

beforeAll(async () => {
  demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  gateway = await startGateway({ clock, demo, silent: true, env: { FRESH_SECONDS: '10' } });
});
afterAll(async () => {
  await gateway.close();
  await demo.close();
});

const learn = async (student: typeof first, room: string, evaluations: number): Promise<Known> => {
  demo.student(student.userid).setEvaluation(evaluations);
  const token = await gateway.register(student);
  await bindRoom(gateway, token, room);
  const data = new Map<ReadName, unknown>();
  const tags = new Map<ReadName, string>();
  for (const name of readNames) {
    const answer = await callRead(gateway.url, studentReads[name], token);
    expect(answer.body.code ?? answer.status, `${name}: ${answer.text}`).toBe(200);
    data.set(name, answer.body.data);
    tags.set(name, answer.headers.get('etag') ?? '');
  }
  return { token, data, tags };
};

it('two students who read at once are never answered with the data of the other, in 2,000 calls', async () => {
  const students = [await learn(first, '010101', 2), await learn(second, '010102', 3)] as const;
  const [one, two] = students;
  const alike = readNames.filter((name) => isDeepStrictEqual(one.data.get(name), two.data.get(name)));
  // The calendar is that of the campus, and neither has signed in anywhere.
  expect(alike).toEqual(['currentTerm', 'signItems']);

  const next = numbers(15);
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  const call = async (): Promise<void> => {
    const at = next(2);
    const own = at === 0 ? one : two;
    const other = at === 0 ? two : one;
    const drawn = readNames[next(readNames.length)] ?? 'summary';
    const name = own.data.has(drawn) ? drawn : 'summary';
    const wish = wishes[next(wishes.length)] ?? '';
    // One browser in front of both: it may offer the tag of either.
    const offered = [undefined, own.tags.get(name), other.tags.get(name)][next(3)];
    const { status, body, headers, text } = await callRead(gateway.url, studentReads[name], own.token, {
      ...(wish === '' ? {} : { 'cache-control': wish }),
      ...(offered ? { 'if-none-match': offered } : {}),
    });
    const from = headers.get('cache-status') ?? 'failure';
    seen.set(`${status} ${from}`, (seen.get(`${status} ${from}`) ?? 0) + 1);
    // 429: the student has asked the campus too often this minute.
    const failed = status === 429 || status >= 500 || (status === 200 && body.code >= 400);
    const isOwn =
      status === 304 ? offered === own.tags.get(name) : failed || isDeepStrictEqual(body.data, own.data.get(name));
    if (!isOwn || ![200, 304, 429, 502, 504].includes(status) || (failed && body.data !== null)) {
      wrong.push(`student ${at + 1}, ${name}, ${wish}: ${status} ${from} ${text.slice(0, 200)}`);
    }
    if (status === 304 && from.includes('stale')) wrong.push(`a stand-in as 304: ${name}`);
  };

  let left = CALLS;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (left % 15 === 0) clock.advance(1_000);
      // Every now and then an application fails for a while.
      if (left % TROUBLE_EVERY === TROUBLE_EVERY / 2) {
        const system = systems[next(systems.length)] ?? 'jwc';
        demo.fault({ system, fault: { kind: 'status', status: 500 } });
      }
      if (left % TROUBLE_EVERY === 0) demo.clearFaults();
      await call();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(wrong.slice(0, 10)).toEqual([]);
  // All ways to an answer have been taken.
  const ways = [...seen.keys()].toSorted().join('\n');
  for (const way of ['200 campus-gateway; hit', '304 campus-gateway; hit', 'fwd=miss; collapsed', 'fwd=request']) {
    expect(ways).toContain(way);
  }
  expect(ways).toContain('fwd=stale; detail=REMOTE_SERVICE_ERROR');
}, 180_000);
