import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type CacheDirectives,
  type CallContext,
  noDirectives,
  type Student,
  withReads,
  withSignal,
} from '../../../../src/domain/context.ts';
import { type Failure, failures, isFailure } from '../../../../src/domain/errors.ts';
import { NotedReads } from '../../../../src/domain/reads/call-reads.ts';
import type { Reads } from '../../../../src/domain/reads/reads.ts';
import type { ReadRow } from '../../../../src/domain/reads/types.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { forAllRig, inTurn, studentOf, turns } from '../../../support/for-all-rig.ts';
import type { ManualClock } from '../../../support/manual-clock.ts';
import { plainMarks } from '../../../support/student-marks.ts';

const EVERY_MS = 5_000;
const row: ReadRow<string[]> = {
  ...{ name: 'list', application: 'academics', scope: 'campus', shape: 1, fresh: 600, isQuery: true },
};
const one = studentOf('1');
const two = studentOf('2');
const three = studentOf('3');

const busy = () => failures.campusBusy('academics');
const kindOf = (error: unknown) => (isFailure(error) ? error.kind : error);

let clock: ManualClock;
let shared: Awaited<ReturnType<typeof forAllRig>>;
beforeEach(async () => {
  shared = await forAllRig(EVERY_MS);
  clock = shared.clock;
});
afterEach(() => vi.restoreAllMocks());
const waitFor = <T>(work: Promise<T>): Promise<T> => shared.during(work);

describe('the campus queue', () => {
  const signal = new AbortController().signal;
  const turn = (isAwaited = true, userid = '1') => ({
    isQuery: true,
    userid,
    isAwaited,
    signal,
    doneMeanwhile: async () => undefined,
  });

  it('sends one request at a time over all replicas, each some time after the one before has ended', async () => {
    const replicas = [shared.queue(), shared.queue()];
    const times: Array<[number, number]> = [];
    const ask = (at: number) =>
      inTurn(replicas[at], turn(false), async () => {
        const begun = clock.now();
        await clock.wait(700);
        times.push([begun, clock.now()]);
      });
    await waitFor(Promise.all([ask(0), ask(1), ask(0), ask(1)]));
    const pauses = times.slice(1).map(([begun], at) => begun - (times[at]?.[1] ?? 0));
    expect(pauses).toHaveLength(3);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(EVERY_MS);
  });

  it.each([
    [EVERY_MS, 1_000],
    [500, 500],
  ])('takes another page after a second, or sooner where all come every %i ms', async (everyMs, pauseMs) => {
    const { clock, queue, during } = await forAllRig(everyMs);
    const line = queue();
    await inTurn(line, turn(), async () => {});
    const before = clock.now();
    clock.advance(250);
    await during(inTurn(line, { ...turn(), isQuery: false }, async () => {}));
    expect(clock.now() - before).toBe(pauseMs);
  });

  it('lets a call leave that no longer waits', async () => {
    const line = shared.queue();
    await inTurn(line, turn(), async () => {});
    const leaving = new AbortController();
    const left = inTurn(line, { ...turn(), signal: leaving.signal }, async () => 'done');
    await turns();
    leaving.abort(failures.clientGone());
    await expect(left).rejects.toMatchObject({ kind: 'client-gone' });
  });

  it('pauses when the campus was asked too often, twice as long each time, until it answers', async () => {
    const line = shared.queue();
    const waits: Array<number | undefined> = [];
    let asked = 0;
    const ask = (result?: Failure, isQuery = true) =>
      inTurn(line, { ...turn(), isQuery }, async () => {
        asked += 1;
        if (result) throw result;
      }).catch((error: Failure) => waits.push(error.retryAfterSeconds));
    for (let i = 0; i < 7; i += 1) {
      await waitFor(ask(busy()));
      const told = waits.at(-1) ?? 0;
      const before = asked;
      clock.advance(1_000);
      await ask();
      expect([waits.pop(), asked]).toEqual([told - 1, before]);
      clock.advance(told * 1_000);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300]);
    // A failure of another sort says nothing of it.
    await ask(failures.timedOut());
    await waitFor(ask(busy()));
    clock.advance(300_000);
    await waitFor(ask());
    await waitFor(ask(busy()));
    // Nor does another page.
    clock.advance(10_000);
    await waitFor(ask(undefined, false));
    await waitFor(ask(busy()));
    expect(waits.slice(7)).toEqual([undefined, 300, 10, 20]);
  });

  it('refuses the fourth student who would wait at once, and after twelve seconds one who waits too long', async () => {
    const line = shared.queue();
    const { promise, resolve } = Promise.withResolvers<void>();
    await inTurn(line, turn(), async () => {});
    const working = inTurn(line, turn(), () => promise);
    await turns();
    clock.advance(EVERY_MS);
    await turns();
    const waiting = ['2', '3', '4'].map((userid) => inTurn(line, turn(true, userid), async () => {}));
    const refused: unknown[] = [];
    for (const each of waiting) each.catch((error: unknown) => refused.push(error));
    await turns();
    await expect(inTurn(line, turn(true, '5'), async () => {})).rejects.toMatchObject({
      kind: 'campus-busy',
      retryAfterSeconds: 15,
    });
    clock.advance(11_999);
    await turns();
    expect(refused).toEqual([]);
    clock.advance(1);
    for (const each of waiting) await expect(each).rejects.toMatchObject({ kind: 'campus-busy' });
    resolve();
    await working;
    await waitFor(inTurn(line, turn(), async () => {}));
  });

  it('one student with many calls takes one place in it: others come in between, and their wait stays short', async () => {
    const line = shared.queue();
    const order: string[] = [];
    const call = (userid: string) =>
      inTurn(line, turn(true, userid), async () => {
        order.push(userid);
        await clock.wait(100);
      }).catch((error: unknown) => order.push(`${userid} ${kindOf(error)}`));
    const crowd = Array.from({ length: 6 }, () => call('crowd'));
    await turns();
    await waitFor(Promise.all([call('2'), call('3')]));
    expect(order.slice(0, 5)).toEqual(['crowd campus-busy', 'crowd campus-busy', 'crowd', '2', '3']);
    await waitFor(Promise.all(crowd));
  });
});

describe('reads for everybody', () => {
  let asked: string[];
  let answer: (student: Student, context: CallContext) => Promise<string[]>;
  let reads: Reads;
  beforeEach(() => {
    asked = [];
    answer = async () => ['a'];
    reads = shared.reads();
  });
  const read = (student: Student, params: readonly string[] = ['p']) => ({
    row,
    params,
    ask: (context: CallContext) => {
      asked.push(student.userid);
      return answer(student, context);
    },
  });
  const saying = (directives: Partial<CacheDirectives>, context = callContext()) => {
    const notes = new NotedReads({ ...noDirectives, ...directives });
    return { notes, context: withReads(context, notes) };
  };
  const ask = (student: Student, directives: Partial<CacheDirectives> = {}, from = reads, params?: readonly string[]) =>
    waitFor(from.read(student, saying(directives).context, read(student, params)));
  const known = async () => {
    await ask(one);
    expect(asked.splice(0)).toEqual(['1']);
  };

  it('the first reading answers everybody: two students see the same, what the page of the first one showed', async () => {
    answer = async ({ userid }) => (userid === '1' ? ['a'] : ['a', 'b']);
    expect([await ask(one), await ask(two), await ask(three)]).toEqual([['a'], ['a'], ['a']]);
    expect(asked).toEqual(['1']);
    clock.advance(600_000);
    expect([await ask(two), await ask(one)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(asked).toEqual(['1', '2']);
  });

  it('of one read never answers another one with the same parameters', async () => {
    await known();
    const other = { ...read(one), row: { ...row, name: 'other' }, ask: async () => ['other'] };
    const seen: string[][] = [];
    for (const student of [one, two, three]) seen.push(await waitFor(reads.read(student, saying({}).context, other)));
    expect([...seen, await ask(three)]).toEqual([['other'], ['other'], ['other'], ['a']]);
    clock.advance(700_000);
    const both = [reads.read(one, saying({}).context, other), reads.read(one, saying({}).context, read(one))];
    expect(await waitFor(Promise.all(both))).toEqual([['other'], ['a']]);
  });

  it('fifty students who want the newest within a minute are one request', async () => {
    await known();
    clock.advance(60_000);
    const students = Array.from({ length: 50 }, (_, at) => studentOf(`s${at}`));
    await Promise.all(students.map((student) => ask(student, { noCache: true })));
    clock.advance(30_000);
    await Promise.all(students.map((student) => ask(student, { maxAge: 0 })));
    const { context, notes } = saying({ noCache: true });
    await reads.read(one, context, read(one));
    expect([asked.length, notes.summary()?.source]).toEqual([1, 'copy']);
  });

  it('a value that one replica has read is answered by another one', async () => {
    await known();
    const other = shared.reads();
    expect(await ask(two, {}, other)).toEqual(['a']);
    clock.advance(700_000);
    answer = async () => ['b'];
    await ask(one);
    expect(await ask(two, { onlyIfCached: true }, other)).toEqual(['b']);
    expect(asked).toEqual(['1']);
    const looks = vi.spyOn(shared.values, 'get');
    await ask(three, {}, other);
    expect(looks).not.toHaveBeenCalled();
    clock.advance(700_000);
    const calls = [saying({ noCache: true }), saying({ noCache: true })] as const;
    const { promise, resolve } = Promise.withResolvers<string[]>();
    answer = () => promise;
    const reading = reads.read(one, calls[0].context, read(one));
    await turns();
    clock.advance(250);
    const waiting = other.read(two, calls[1].context, read(two));
    await turns();
    resolve(['c']);
    await waitFor(Promise.all([reading, waiting]));
    expect(asked).toHaveLength(2);
    expect(calls.map(({ notes }) => notes.summary()?.source)).toEqual(['asked-on-request', 'joined']);
  });

  it('a call that waits for a reading without a session reads on its own session', async () => {
    await ask(one);
    clock.advance(700_000);
    answer = async (_, { unattended }) => {
      if (unattended) throw failures.sessionLost(undefined);
      return ['b'];
    };
    const [before, after] = await Promise.all([ask(one, { staleWhileRevalidate: 300 }), ask(one)]);
    expect([before, after, asked]).toEqual([['a'], ['b'], ['1', '1', '1']]);
  });

  it('of several values the newest are found, wherever they were read; what could not be stored is not lost', async () => {
    const other = shared.reads();
    await known();
    const kept = async (from: Reads, directives: Partial<CacheDirectives> = {}) =>
      (await from.readCached(one, saying(directives).context, row, [['p'], ['q']])).map(
        (found) => found && [...found.value, found.isStale, found.isDue],
      );
    expect(await kept(other)).toEqual([['a', false, false], null]);
    clock.advance(700_000);
    expect(await kept(other)).toEqual([['a', true, true], null]);
    expect(await kept(other, { staleWhileRevalidate: 300 })).toEqual([['a', true, true], null]);
    expect(await kept(other, { maxStale: 300 })).toEqual([['a', true, false], null]);
    answer = async () => ['b'];
    await ask(one);
    await ask(one, {}, reads, ['q']);
    expect(await kept(other)).toEqual([
      ['b', false, false],
      ['b', false, false],
    ]);
    clock.advance(700_000);
    answer = async () => ['c'];
    const store = vi.spyOn(shared.values, 'set').mockImplementation(() => {
      throw failures.storageFailed();
    });
    expect(await ask(one)).toEqual(['c']);
    expect(store).toHaveBeenCalledOnce();
    clock.advance(700_000);
    expect(await ask(two, { onlyIfCached: true, maxStale: 900 })).toEqual(['c']);
    expect((await kept(reads)).map((found) => found?.[0])).toEqual(['c', 'b']);
  });

  it('a value that is too long is answered, and not stored', async () => {
    answer = async () => ['中'.repeat(350_000)];
    expect((await ask(one))[0]).toHaveLength(350_000);
    expect(shared.values.size).toBe(0);
    await ask(two);
    expect(asked).toEqual(['1']);
  });

  it('the trouble of the student whose session was borrowed is told to that student alone', async () => {
    await known();
    clock.advance(700_000);
    answer = async ({ userid }) => {
      if (userid === '1') throw failures.storedCredentialsRefused('portal');
      return ['b'];
    };
    const [mine, other] = await Promise.allSettled([ask(one), ask(two)]);
    expect(mine.status === 'rejected' && kindOf(mine.reason)).toBe('stored-credentials-refused');
    expect(other).toMatchObject({ status: 'fulfilled', value: ['b'] });
    expect(asked).toEqual(['1', '2']);
  });

  it('a set-aside pair is refused, and an account that is gone, also where a copy is stored', async () => {
    await known();
    const refused: Student = { userid: '4', marks: plainMarks({ refusedStep: 'portal' }) };
    await expect(ask(refused, { onlyIfCached: true })).rejects.toMatchObject({ kind: 'stored-credentials-refused' });
    shared.gone.add('5');
    await expect(ask({ userid: '5' }, { onlyIfCached: true })).rejects.toMatchObject({ kind: 'token-user-gone' });
    expect(await ask({ userid: '6' }, { onlyIfCached: true })).toEqual(['a']);
  });

  it('a call that leaves cancels nothing', async () => {
    const leaving = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string[]>();
    answer = () => promise;
    const { context } = saying({});
    const left = reads.read(one, withSignal(context, leaving.signal), read(one));
    left.catch(() => {});
    await turns();
    leaving.abort(failures.clientGone());
    await expect(left).rejects.toMatchObject({ kind: 'client-gone' });
    resolve(['a']);
    await turns();
    expect(await ask(one, { onlyIfCached: true })).toEqual(['a']);
    expect(asked).toEqual(['1']);
  });

  it('a reading lasts a minute at most, and no longer than the service; it counts as asked by the call that began it', async () => {
    let inner: CallContext | undefined;
    let ended = 0;
    answer = async (_, context) => {
      inner = context;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      await turns();
      ended += 1;
      throw context.signal.reason;
    };
    const { context } = saying({}, Object.assign(callContext(), { trail: { askedCampus: false } }));
    const late = reads.read(one, context, read(one));
    late.catch(() => {});
    await turns();
    expect(inner?.trail).toBe(context.trail);
    clock.advance(59_999);
    await turns();
    expect(ended).toBe(0);
    clock.advance(1);
    await expect(late).rejects.toMatchObject({ kind: 'timed-out' });
    const cut = reads.read(one, context, read(one));
    cut.catch(() => {});
    await turns();
    clock.advance(EVERY_MS);
    await turns();
    await reads.close();
    expect(ended).toBe(2);
    await expect(cut).rejects.toMatchObject({ kind: 'overloaded' });
  });

  it('one student causes 120 readings an hour; beyond, a copy where the call allows one, in words, or 429', async () => {
    await ask(one);
    for (let i = 1; i < 120; i += 1) await ask(one, {}, reads, [String(i)]);
    expect(asked).toHaveLength(120);
    await expect(ask(one, {}, reads, ['more'])).rejects.toMatchObject({ kind: 'rate-limited' });
    clock.advance(900_000);
    await expect(ask(one, {}, reads, ['119'])).rejects.toMatchObject({ kind: 'rate-limited' });
    const { context, notes } = saying({ staleIfError: 3_600 });
    await reads.read(one, context, read(one, ['119']));
    expect(notes.summary()).toMatchObject({ source: 'stale-if-error', oldSince: expect.any(Number) });
    await expect(ask(one, { noCache: true }, reads, ['119'])).rejects.toMatchObject({ kind: 'rate-limited' });
    expect(asked).toHaveLength(120);
    expect(await ask(two, {}, reads, ['more'])).toEqual(['a']);
  });

  it('a call that is refused before its turn spends nothing', async () => {
    answer = () => Promise.reject(busy());
    await expect(ask(one)).rejects.toMatchObject({ kind: 'campus-busy' });
    const widget: Student = { ...one, personal: { name: 'x', scopes: [], copiesOnly: false } };
    for (let i = 0; i < 200; i += 1)
      await expect(ask(widget, {}, reads, [String(i)])).rejects.toMatchObject({ kind: 'campus-busy' });
    expect(asked).toHaveLength(1);
    clock.advance(10_000);
    answer = async () => ['a'];
    expect(await ask(widget)).toEqual(['a']);
  });

  it('a personal token counts in its own budget as well, and one for copies causes nothing', async () => {
    const personal = { name: 'x', scopes: [], copiesOnly: false };
    const widget: Student = { ...one, personal };
    for (let i = 0; i < 60; i += 1) await ask(widget, {}, reads, [String(i)]);
    await expect(ask(widget, {}, reads, ['more'])).rejects.toMatchObject({ kind: 'rate-limited' });
    await expect(ask({ ...one, personal: { ...personal, copiesOnly: true } })).rejects.toMatchObject({
      kind: 'no-copy',
    });
    expect(asked).toHaveLength(60);
  });

  it.each([
    [{}, 'asked', 2],
    [{ onlyIfCached: true }, 'copy', 1],
    [{ staleWhileRevalidate: 300 }, 'revalidating', 2],
    [{ staleWhileRevalidate: 300, noStore: true }, 'copy', 1],
    [{ noCache: true }, 'asked-on-request', 2],
  ] as const)('a value of 700 s and two calls that say %j', async (directives, source, requests) => {
    await ask(one);
    clock.advance(700_000);
    answer = async () => ['b'];
    const { context, notes } = saying(directives);
    await waitFor(Promise.all([context, saying(directives).context].map((each) => reads.read(one, each, read(one)))));
    await turns();
    clock.advance(EVERY_MS);
    await turns();
    expect([notes.summary()?.source, asked.length]).toEqual([source, requests]);
    expect(await ask(one, { onlyIfCached: true })).toEqual([requests === 2 ? 'b' : 'a']);
  });

  it('a stale copy is served when the campus fails, as old as the call allows', async () => {
    await ask(one);
    clock.advance(700_000);
    answer = () => Promise.reject(failures.timedOut());
    const { context, notes } = saying({ staleIfError: 700 });
    const told = vi.spyOn(notes, 'allowStaleIfError');
    expect(await reads.read(one, context, read(one))).toEqual(['a']);
    expect([notes.summary()?.source, told.mock.calls.length]).toEqual(['stale-if-error', 1]);
    await expect(ask(one, { staleIfError: 699 })).rejects.toMatchObject({ kind: 'timed-out' });
    answer = () => Promise.reject(failures.storedCredentialsRefused('portal'));
    await expect(ask(one, { staleIfError: 900 })).rejects.toMatchObject({ kind: 'stored-credentials-refused' });
  });

  it('two prefetches are one request', async () => {
    const { context } = saying({});
    await waitFor(Promise.all([one, two].map((student) => reads.prefetch(student, context, read(student)))));
    expect(asked).toEqual(['1']);
  });

  it('stores nothing for a call that says no-store', async () => {
    await ask(one, { noStore: true });
    expect(shared.values.size).toBe(0);
    await expect(ask(one, { onlyIfCached: true })).rejects.toMatchObject({ kind: 'no-copy' });
    await Promise.all([ask(one), ask(one, { noStore: true })]);
    expect([shared.values.size, asked.length]).toEqual([1, 2]);
  });
});
