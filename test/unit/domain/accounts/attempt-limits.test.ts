import { beforeEach, describe, expect, it } from 'vitest';
import { AttemptLimits } from '../../../../src/domain/accounts/attempt-limits.ts';
import { callerNetwork } from '../../../../src/domain/accounts/caller-network.ts';
import { Failure } from '../../../../src/domain/errors.ts';
import { failureOf } from '../../../support/accounts-desk.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('the unit in which callers are counted', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::198.51.100.7', '64:ff9b:0:0::/64'],
    ['', ''],
    ['not an address', 'not an address'],
  ])('%s counts as %s', (address, network) => {
    expect(callerNetwork(address)).toBe(network);
  });
});

describe('limits per address', () => {
  const clock = new ManualClock();
  const here = '198.51.100.7';
  const signal = new AbortController().signal;
  let limits: AttemptLimits;
  beforeEach(() => {
    limits = new AttemptLimits({ failures: 3, windowMs: 60_000, callers: 4 }, clock);
  });

  const isCounted = (error: unknown) => error instanceof Failure && error.kind === 'credentials-refused';
  const fail = (address = here, kind: 'credentials-refused' | 'sign-in-unavailable' = 'credentials-refused') =>
    failureOf(limits.run(address, signal, isCounted, () => Promise.reject(new Failure(kind))));
  const succeed = (address = here) => limits.run(address, signal, isCounted, async () => 'done');

  it('count failures only', async () => {
    for (let i = 0; i < 10; i += 1) {
      expect(await succeed()).toBe('done');
      expect(await fail(here, 'sign-in-unavailable')).toBe('sign-in-unavailable');
    }
    for (let i = 0; i < 3; i += 1) expect(await fail()).toBe('credentials-refused');
    expect(await fail()).toBe('rate-limited 60s');
    expect(() => limits.check(here)).toThrow('rate-limited');
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

  it('keep addresses apart, but a /64 together', async () => {
    for (const host of ['1', '2', '3']) await fail(`2001:db8::${host}`);
    expect(await fail('2001:db8::4')).toBe('rate-limited 60s');
    expect(await fail('2001:db8:0:1::4')).toBe('credentials-refused');
  });

  it('remember a bounded number of callers, the latest ones', async () => {
    for (let i = 0; i < 3; i += 1) await fail('192.0.2.1');
    for (const host of ['2', '3', '4', '5', '6']) await fail(`192.0.2.${host}`);
    expect(limits.size).toBe(4);
    expect(() => limits.check('192.0.2.1')).not.toThrow();
  });

  it('remember nobody who never failed', async () => {
    await succeed();
    expect(limits.size).toBe(0);
  });

  it('firing many attempts at once gains nothing: no more run than may fail', async () => {
    let running = 0;
    let most = 0;
    const ends = Array.from({ length: 8 }, () =>
      failureOf(
        limits.run(here, signal, isCounted, async () => {
          running += 1;
          most = Math.max(most, running);
          await Promise.resolve();
          running -= 1;
          throw new Failure('credentials-refused');
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
    const running = Array.from({ length: 3 }, () => limits.run(here, signal, isCounted, () => held));
    const leaver = new AbortController();
    const leaving = failureOf(limits.run(here, leaver.signal, isCounted, async () => 'never'));
    const staying = succeed();
    leaver.abort(new Failure('client-gone'));
    expect(await leaving).toBe('client-gone');
    release('done');
    expect(await Promise.all([...running, staying])).toEqual(Array(4).fill('done'));
  });
});
