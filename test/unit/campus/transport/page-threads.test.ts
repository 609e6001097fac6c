import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UpstreamRequest } from '../../../../src/campus/contract/upstream-session.ts';
import { parsePlanCompletion } from '../../../../src/campus/products/urp/parse-plan-page.ts';
import { parseSections } from '../../../../src/campus/products/urp/parse-schedule.ts';
import { homeAlive, parseHome } from '../../../../src/campus/products/urp/parse-terms.ts';
import { largestAtOnce, PageThreads } from '../../../../src/campus/transport/page-threads.ts';
import type { Failure } from '../../../../src/domain/errors.ts';
import { type Clock, systemClock } from '../../../../src/lib/time.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { registeredReaders } from '../registered-readers.ts';

const folder = new URL('../../../../src/campus/', import.meta.url);
const mebibyte = 1_048_576;
const never = new AbortController().signal;
const of = { system: 'academics', signal: never } as const;

const started = (clock: Clock = systemClock): PageThreads => {
  const pages = new PageThreads(clock);
  onTestFinished(() => pages.close());
  return pages;
};

/** The slowest home page to read. */
const nested = '<ul><li><a>'.repeat(mebibyte / 2 / 11);

/** How often everything else had its turn before the work ended. */
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let [turns, ended] = [0, false];
  void work
    .catch(() => {})
    .then(() => {
      ended = true;
    });
  while (!ended) {
    await nextTurn();
    turns += 1;
  }
  return turns;
};

const failureOf = async (work: () => unknown): Promise<Pick<Failure, 'kind' | 'system' | 'reason'> | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    const { kind, system, reason } = error as Failure;
    return { kind, system, reason };
  }
};

describe('a page', () => {
  it('is parsed on the main thread up to 256 KiB', () => {
    const pages = started();
    const text = '<ul>'.repeat(largestAtOnce / 4);
    expect(pages.read(homeAlive, text, of)).toBe(homeAlive(text));
  });

  it('is parsed without holding up anything else when it is larger', async () => {
    const pages = started();
    // The thread is there already.
    await pages.read(homeAlive, nested, of);
    const reading = Promise.resolve(pages.read(homeAlive, nested, of));
    expect(await turnsDuring(reading)).toBeGreaterThan(20);
    expect(await reading).toBe(homeAlive(nested));
  });

  it('starts no thread after the end, also where none was started before', async () => {
    const pages = started();
    await pages.close();
    expect(await failureOf(() => pages.read(homeAlive, nested, of))).toMatchObject({ kind: 'upstream-unreadable' });
  });

  it('gives the same result on a worker thread, with every parser', async () => {
    const pages = started();
    const tried = new Set<string>();
    for (const { name, read, sample } of registeredReaders) {
      tried.add(name);
      const text = sample + ' '.repeat(largestAtOnce);
      const [beside, here] = [() => pages.read(read, text, of), () => read(text)];
      const failure = await failureOf(here);
      expect(await failureOf(beside), name).toEqual(failure);
      if (failure === null) expect(await beside(), name).toEqual(here());
    }
    expect(tried.size).toBeGreaterThan(40);
  });

  it('is unreadable when it takes too long, and the next one is parsed', async () => {
    const clock = new ManualClock();
    const pages = started(clock);
    const reading = failureOf(() => pages.read(parseHome, nested, of));
    await nextTurn();
    clock.advance(10_000);
    expect(await reading).toEqual({
      kind: 'upstream-unreadable',
      system: 'academics',
      reason: 'reading of a page was ended',
    });
    expect(await pages.read(homeAlive, nested, of)).toBe(homeAlive(nested));
  });

  it('waits behind two others, and is refused when the queue is full', async () => {
    const pages = started();
    const leaving = new AbortController();
    const waiting = Array.from({ length: 34 }, () =>
      failureOf(() => pages.read(homeAlive, nested, { ...of, signal: leaving.signal })),
    );
    expect(await failureOf(() => pages.read(homeAlive, nested, of))).toMatchObject({ kind: 'overloaded' });
    leaving.abort(new Error('left'));
    const outcomes = await Promise.all(waiting);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(2);
  });

  it('is given up when the service closes', async () => {
    const pages = started();
    const reading = failureOf(() => pages.read(parseHome, nested, of));
    await nextTurn();
    await pages.close();
    expect(await reading).toMatchObject({ kind: 'upstream-unreadable' });
  });

  it('never appears in an error', async () => {
    const pages = started();
    const text = `{"secret-page": ${' '.repeat(largestAtOnce)}`;
    const error: unknown = await Promise.resolve(pages.read(parseSections, text, of)).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ kind: 'upstream-unreadable', system: 'academics' });
    expect(JSON.stringify([String(error), error])).not.toContain('secret-page');
  });

  it('comes back complete when it holds a long plan', async () => {
    const pages = started();
    const page = readFileSync(new URL('../../../fixtures/urp/plan-inline.html', import.meta.url), 'utf8');
    const [node = ''] = /\{[^{}]*"flagType":"kch"[^{}]*\}/.exec(page) ?? [];
    const nodes = Array.from({ length: 1_700 }, (_, id) => node.replace(/"id":"\d+"/, `"id":"x${id}"`));
    const long = page.replace(node, [node, ...nodes].join(','));
    expect(long.length).toBeGreaterThan(largestAtOnce);
    const here = parsePlanCompletion(long);
    expect(here).toMatchObject({ kind: 'tree', completion: { totalCourses: 1_704 } });
    expect(await pages.read(parsePlanCompletion, long, of)).toEqual(here);
  });
});

describe('the clients', () => {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));

  it('pass only parsers that a worker thread can import', () => {
    const request: UpstreamRequest = {
      ...{ page: 'any', method: 'GET', path: '/', expect: 'page' },
      // @ts-expect-error: no other thread finds it
      alive: (text: string): boolean => text === '',
    };
    expect(request.alive).not.toHaveProperty('place');
  });

  it('parse no page outside their session', () => {
    const direct = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:parse[A-Z]\w*|readForm)\(\s*(?:await\s+)?(?:this\.#|\w+\.)?(?:text|session\.text)\b/g)]
        .filter(([call]) => call.includes('await'))
        .map(([call]) => `${file}: ${call}`),
    );
    expect(direct).toEqual([]);
  });
});
