import { beforeEach, describe, expect, it } from 'vitest';
import { type RefusalLimit, RefusalLimits } from '../../../../../src/domain/accounts/guard/refusal-limits.ts';
import { failureOf, failures, isFailure } from '../../../../../src/domain/errors.ts';
import { failureOf as failureIn } from '../../../../support/accounts-rig.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

describe('limits per address', () => {
  const clock = new ManualClock();
  const here = '198.51.100.7';
  const signal = new AbortController().signal;
  let limits: RefusalLimits;
  beforeEach(() => {
    limits = new RefusalLimits(clock);
  });

  const run = async <T>(
    all: readonly RefusalLimit[],
    leaving: AbortSignal,
    counts: (error: unknown) => boolean,
    work: () => Promise<T>,
  ): Promise<T> => {
    using attempt = await limits.enter(all, leaving);
    return await attempt.counting(counts, work());
  };
  const three = (name: string) => [{ name, callers: 'login', most: 3 } as const];
  const isCounted = (error: unknown) => isFailure(error) && error.kind === 'credentials-refused';
  const fail = (address = here, kind: 'credentials-refused' | 'sign-in-unavailable' = 'credentials-refused') =>
    failureIn(run(three(address), signal, isCounted, () => Promise.reject(failureOf(kind))));
  const succeed = (address = here) => run(three(address), signal, isCounted, async () => 'done');

  it('count failures only', async () => {
    for (let i = 0; i < 10; i += 1) {
      expect(await succeed()).toBe('done');
      expect(await fail(here, 'sign-in-unavailable')).toBe('sign-in-unavailable');
    }
    for (let i = 0; i < 3; i += 1) expect(await fail()).toBe('credentials-refused');
    expect(await fail()).toBe('rate-limited 60s');
  });

  it('say when the oldest failure leaves the window', async () => {
    await fail();
    clock.advance(20_500);
    await fail();
    await fail();
    expect(await fail()).toBe('rate-limited 40s');
    clock.advance(39_500);
    expect(await fail()).toBe('credentials-refused');
    expect(await fail()).toBe('rate-limited 21s');
  });

  it('of several limits the one that is used up counts, and each counts by itself', async () => {
    const both = (student: string) => [
      { name: here, callers: 'login' as const, most: 5 },
      { name: `${here} ${student}`, callers: 'login' as const, most: 2 },
    ];
    const refused = (student: string) =>
      failureIn(run(both(student), signal, isCounted, () => Promise.reject(failures.credentialsRefused(undefined))));
    for (const student of ['a', 'a', 'b', 'b']) expect(await refused(student)).toBe('credentials-refused');
    expect(await refused('a')).toBe('rate-limited 60s');
    expect(await refused('c')).toBe('credentials-refused');
    expect(await refused('d')).toBe('rate-limited 60s');
    expect(await failureIn(run([], signal, isCounted, async () => 'no limit at all'))).toBe('no failure');
  });

  it('remember the latest 20,000 callers who failed, and none who did not', async () => {
    const others = Array.from({ length: 20_000 }, (_, at) => `2001:db8::${at}`);
    for (let i = 0; i < 3; i += 1) await fail();
    for (const other of others) await succeed(other);
    expect(await fail()).toBe('rate-limited 60s');
    for (const other of others) await fail(other);
    expect(await fail()).toBe('credentials-refused');
  });

  it('firing many attempts at once gains nothing: no more run than may fail', async () => {
    let running = 0;
    let most = 0;
    const ends = Array.from({ length: 8 }, () =>
      failureIn(
        run(three(here), signal, isCounted, async () => {
          running += 1;
          most = Math.max(most, running);
          await Promise.resolve();
          running -= 1;
          throw failures.credentialsRefused(undefined);
        }),
      ),
    );
    const counts = Object.groupBy(await Promise.all(ends), (end) => end);
    expect(most).toBe(3);
    expect(counts['credentials-refused']).toHaveLength(3);
    expect(counts['rate-limited 60s']).toHaveLength(5);
  });

  it('many students who sign in at once behind one address all get in', async () => {
    const ends = await Promise.all(Array.from({ length: 20 }, () => succeed()));
    expect(ends).toEqual(Array(20).fill('done'));
  });

  it('a waiting caller who leaves does not stop the others', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<string>();
    const running = Array.from({ length: 3 }, () => run(three(here), signal, isCounted, () => held));
    const leaver = new AbortController();
    const leaving = failureIn(run(three(here), leaver.signal, isCounted, async () => 'never'));
    const staying = succeed();
    leaver.abort(failures.clientGone());
    expect(await leaving).toBe('client-gone');
    release('done');
    expect(await Promise.all([...running, staying])).toEqual(Array(4).fill('done'));
  });
});
