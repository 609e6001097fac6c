import { describe, expect, it, vi } from 'vitest';
import { QueueFull, Semaphore } from '../../../src/lib/queues.ts';
import { KeyLock, raceSignal, SingleFlight } from '../../../src/lib/single-flight.ts';

const never = new AbortController().signal;

describe('single flight', () => {
  it('shares one run per key and starts again afterwards', async () => {
    const flights = new SingleFlight<number>();
    const gate = Promise.withResolvers<number>();
    let runs = 0;
    const work = () => {
      runs += 1;
      return gate.promise;
    };
    const all = [flights.run('a', work), flights.run('a', work), flights.run('b', work)];
    gate.resolve(7);
    expect(await Promise.all(all)).toEqual([7, 7, 7]);
    expect(runs).toBe(2);
    await flights.run('a', work);
    expect(runs).toBe(3);
    expect(flights.size).toBe(0);
  });

  it('hands a failure to all callers that wait, and forgets it', async () => {
    const flights = new SingleFlight<number>();
    const gate = Promise.withResolvers<number>();
    const all = [flights.run('a', () => gate.promise), flights.run('a', () => gate.promise)];
    gate.reject(new Error('no'));
    expect((await Promise.allSettled(all)).map((r) => r.status)).toEqual(['rejected', 'rejected']);
    expect(await flights.run('a', () => Promise.resolve(1))).toBe(1);
  });

  it('a waiter that leaves does not disturb the others', async () => {
    const gate = Promise.withResolvers<number>();
    const leaver = new AbortController();
    const leaving = raceSignal(gate.promise, leaver.signal);
    const staying = raceSignal(gate.promise, never);
    leaver.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    gate.resolve(3);
    expect(await staying).toBe(3);
    // A failure after all callers have left reaches none of them, and ends no process.
    const late = raceSignal(Promise.reject(new Error('late')), leaver.signal);
    await expect(late).rejects.toThrow('gone');
  });
});

const runIn = async <T>(semaphore: Semaphore, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  using _place = await semaphore.enter(signal);
  return await work();
};

describe('semaphore', () => {
  it('admits its limit, keeps a line in order and refuses beyond it', async () => {
    const semaphore = new Semaphore(1, 2);
    const order: number[] = [];
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const runs = gates.map((gate, i) =>
      runIn(semaphore, never, async () => {
        order.push(i);
        await gate.promise;
      }),
    );
    await expect(runIn(semaphore, never, () => Promise.resolve())).rejects.toThrow(QueueFull);
    expect([semaphore.active, semaphore.waiting]).toEqual([1, 2]);
    for (const gate of gates) gate.resolve();
    await Promise.all(runs);
    expect(order).toEqual([0, 1, 2]);
    expect([semaphore.active, semaphore.waiting]).toEqual([0, 0]);
  });

  it('frees the place of a waiter that gives up', async () => {
    const semaphore = new Semaphore(1, 1);
    const gate = Promise.withResolvers<void>();
    const first = runIn(semaphore, never, () => gate.promise);
    const leaver = new AbortController();
    const second = runIn(semaphore, leaver.signal, () => Promise.resolve());
    leaver.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    const third = runIn(semaphore, never, () => Promise.resolve('in'));
    gate.resolve();
    await first;
    expect(await third).toBe('in');
  });
});

const runAlone = async <T>(lock: KeyLock, key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  using _place = await lock.enter(key, signal);
  return await work();
};

describe('key lock', () => {
  it('runs one work per key at a time, in order, and different keys side by side', async () => {
    const lock = new KeyLock();
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const a1 = runAlone(lock, 'a', never, async () => {
      await gate.promise;
      order.push('a1');
    });
    const a2 = runAlone(lock, 'a', never, () => Promise.resolve(order.push('a2')));
    await runAlone(lock, 'b', never, () => Promise.resolve(order.push('b')));
    gate.resolve();
    await Promise.all([a1, a2]);
    expect(order).toEqual(['b', 'a1', 'a2']);
  });

  it('who arrives while the second works waits for it, although the first is over', async () => {
    const lock = new KeyLock();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const order: string[] = [];
    const workOf = (name: string, end: Promise<void>) => async () => {
      order.push(`${name} begins`);
      await end;
      order.push(`${name} ends`);
    };
    const first = runAlone(lock, 'a', never, workOf('first', gates[0].promise));
    const second = runAlone(lock, 'a', never, workOf('second', gates[1].promise));
    gates[0].resolve();
    await first;
    await vi.waitFor(() => expect(order).toContain('second begins'));
    const third = runAlone(lock, 'a', never, workOf('third', Promise.resolve()));
    await new Promise((resolve) => setImmediate(resolve));
    gates[1].resolve();
    await Promise.all([second, third]);
    expect(order.slice(2)).toEqual(['second begins', 'second ends', 'third begins', 'third ends']);
  });

  it('a waiter that leaves lets no other begin early, neither its successor nor one that comes later', async () => {
    const lock = new KeyLock();
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = runAlone(lock, 'a', never, async () => {
      await gate.promise;
      order.push('first');
    });
    const leaver = new AbortController();
    const second = runAlone(lock, 'a', leaver.signal, () => Promise.resolve());
    const third = runAlone(lock, 'a', never, () => Promise.resolve(order.push('third')));
    const last = runAlone(lock, 'a', leaver.signal, () => Promise.resolve());
    last.catch(() => {});
    leaver.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    const fourth = runAlone(lock, 'a', never, () => Promise.resolve(order.push('fourth')));
    gate.resolve();
    await Promise.all([first, third, fourth]);
    expect(order).toEqual(['first', 'third', 'fourth']);
    await Promise.resolve();
    expect(lock.size).toBe(0);
  });
});
