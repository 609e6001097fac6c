import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SignInQueue } from '../../src/domain/accounts/ports.ts';
import {
  asStranger,
  type CampusRig,
  callContext,
  first,
  provingRead,
  startCampusRig,
  textOf,
} from '../support/campus-rig.ts';
import { inTurn } from '../support/in-turn.ts';

const pair = { password: 'guessed', vpnPassword: 'guessed' };

let rig: CampusRig;
beforeEach(async () => {
  rig = await startCampusRig();
  await rig.enroll(first);
  // Every sign-in stays under way until the test lets time pass.
  rig.demo.fault({ system: 'vpn', path: '/por/login_auth.csp', fault: { kind: 'delay', ms: 500 } });
});
afterEach(() => rig.close());

const read = () => rig.sessions.with(first, 'jwc', callContext(), (session) => textOf(session, provingRead.jwc));

const prove = (userid: string, options: SignInQueue = asStranger) =>
  inTurn(rig.sessions, [userid, pair, callContext(), options], (signIn) => signIn()).then(
    () => 'verified',
    (error) => error.kind,
  );

/** The first two are at the campus, the others wait. */
const strangers = (count: number): Array<Promise<string>> =>
  Array.from({ length: count }, (_, index) => prove(`3000${String(index).padStart(4, '0')}`));

/** Lets all sign-ins end. */
const finish = async (work: Promise<unknown>): Promise<void> => {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    if (rig.delayed > 0) rig.clock.advance(500);
  }
  await ended;
};

describe('unverified pairs', () => {
  it('are asked about two at a time, and never stand in front of a student whose session is renewed', async () => {
    const crowd = strangers(12);
    await vi.waitFor(() => expect(rig.delayed).toBe(2));
    expect(rig.sessions.signIns.queue).toEqual({ active: 2, waiting: 10 });
    const reading = read();
    await vi.waitFor(() => expect(rig.delayed).toBe(3));
    rig.clock.advance(500);
    expect(await reading).toContain('courseNum');
    await finish(Promise.all(crowd));
  });

  it('are confirmed when it is their turn, not before, and nothing is sent when that fails', async () => {
    const crowd = strangers(2);
    await vi.waitFor(() => expect(rig.delayed).toBe(2));
    const confirm = vi.fn(() => Promise.reject(new Error('paused')));
    const guess = inTurn(rig.sessions, [first.userid, pair, callContext(), asStranger], confirm);
    await vi.waitFor(() => expect(rig.sessions.signIns.queue.waiting).toBe(1));
    expect(confirm).not.toHaveBeenCalled();
    const failing = expect(guess).rejects.toThrow('paused');
    await finish(Promise.all([...crowd, failing]));
    expect(rig.wire(first.userid)).toEqual([]);
  });
});
