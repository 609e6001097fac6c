import { describe, expect, it } from 'vitest';
import { SignInQueues } from '../../../../src/campus/session/sign-ins.ts';
import type { SignInQueue } from '../../../../src/domain/accounts/ports.ts';
import { QueueFull } from '../../../../src/lib/queues.ts';

const owner: SignInQueue = { queue: 'owner' };
const stranger = (network?: string): SignInQueue => ({
  queue: 'stranger',
  ...(network === undefined ? {} : { network }),
});
const registration = (network?: string): SignInQueue => ({
  queue: 'registration',
  ...(network === undefined ? {} : { network }),
});

/** Sign-ins that last until the test ends them. */
const world = () => {
  const queues = new SignInQueues();
  const under: Array<{ readonly who: SignInQueue; end(): void }> = [];
  const turns = () => new Promise((resolve) => setImmediate(resolve));
  const begin = async (who: SignInQueue, signal = new AbortController().signal) => {
    using _place = await queues.enter(who, signal);
    await new Promise<void>((resolve) => under.push({ who, end: resolve }));
  };
  return {
    queues,
    begin,
    /** Begins many, and ignores which are refused. */
    many: async (who: SignInQueue, count: number) => {
      for (let i = 0; i < count; i += 1) begin(who).catch(() => {});
      await turns();
    },
    active: (queue: SignInQueue['queue']) => under.filter(({ who }) => who.queue === queue).length,
    async endOne(queue: SignInQueue['queue']) {
      const at = under.findIndex(({ who }) => who.queue === queue);
      under.splice(at, 1)[0]?.end();
      await turns();
    },
  };
};

describe('the places of sign-ins', () => {
  it('are six, and owners may use them all', async () => {
    const { many, active, queues } = world();
    await many(owner, 9);
    expect(active('owner')).toBe(6);
    expect(queues.state).toEqual({ active: 6, waiting: 3 });
  });

  it('are four for registrations, while two stay free for owners', async () => {
    const { many, active } = world();
    await many(registration(), 8);
    expect(active('registration')).toBe(4);
    await many(owner, 3);
    expect([active('registration'), active('owner')]).toEqual([4, 2]);
  });

  it('are handed on: a crowd of strangers never takes more than two from owners', async () => {
    const { many, active, endOne } = world();
    await many(stranger(), 20);
    await many(owner, 20);
    expect([active('stranger'), active('owner')]).toEqual([2, 4]);
    for (let i = 0; i < 6; i += 1) {
      await endOne('owner');
      expect([active('stranger'), active('owner')]).toEqual([2, 4]);
    }
    await endOne('stranger');
    expect([active('stranger'), active('owner')]).toEqual([2, 4]);
  });

  it('that owners have borrowed come back to strangers, two and no more', async () => {
    const { many, active, endOne } = world();
    await many(owner, 20);
    await many(stranger(), 5);
    for (let i = 0; i < 4; i += 1) await endOne('owner');
    expect([active('stranger'), active('owner')]).toEqual([2, 4]);
  });

  it('that fall free go to a registration that may have them, past strangers who may not', async () => {
    const { many, active, endOne } = world();
    await many(owner, 2);
    await many(stranger(), 4);
    await many(registration(), 1);
    expect([active('stranger'), active('registration')]).toEqual([2, 0]);
    await endOne('owner');
    expect([active('stranger'), active('registration')]).toEqual([2, 1]);
  });

  it('are given back when the work fails', async () => {
    const { queues } = world();
    const failing = async () => {
      using _place = await queues.enter(owner, new AbortController().signal);
      throw new Error('no');
    };
    for (let i = 0; i < 7; i += 1) await expect(failing()).rejects.toThrow('no');
    expect(queues.state).toEqual({ active: 0, waiting: 0 });
  });
});

describe('the queues before them', () => {
  it('hold 200 owners', async () => {
    const { many, begin, queues } = world();
    await many(owner, 206);
    expect(queues.state.waiting).toBe(200);
    await expect(begin(owner)).rejects.toThrow(QueueFull);
  });

  it('hold twenty strangers and registrations together, and owners all the same', async () => {
    const { many, begin, queues } = world();
    await many(stranger(), 12);
    await many(registration(), 12);
    expect(queues.state).toEqual({ active: 4, waiting: 20 });
    await expect(begin(stranger())).rejects.toThrow(QueueFull);
    await expect(begin(registration())).rejects.toThrow(QueueFull);
    await many(owner, 1);
    expect(queues.state).toEqual({ active: 5, waiting: 20 });
  });

  it('hold three strangers of one network, and those of another', async () => {
    const { many, begin, queues } = world();
    await many(stranger('10.0.0'), 5);
    await expect(begin(stranger('10.0.0'))).rejects.toThrow(QueueFull);
    await many(stranger('10.0.1'), 1);
    expect(queues.state.waiting).toBe(4);
  });

  it('hold twelve registrations of one network, its strangers counted apart', async () => {
    const { many, begin, queues } = world();
    await many(registration('10.0.0'), 16);
    await expect(begin(registration('10.0.0'))).rejects.toThrow(QueueFull);
    await many(stranger('10.0.0'), 1);
    expect(queues.state.waiting).toBe(13);
  });

  it('are left at once by a caller who hangs up', async () => {
    const { many, begin, queues, endOne, active } = world();
    await many(owner, 6);
    const caller = new AbortController();
    const waiting = expect(begin(owner, caller.signal)).rejects.toThrow('gone');
    caller.abort(new Error('gone'));
    await waiting;
    expect(queues.state.waiting).toBe(0);
    await endOne('owner');
    expect(active('owner')).toBe(5);
    await expect(begin(owner, caller.signal)).rejects.toThrow('gone');
  });
});
