import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DemoCampus, DemoMessage } from '../../src/demo/types.ts';
import type { Challenge } from '../../src/domain/challenge.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { Failure } from '../../src/domain/errors.ts';
import { first } from '../support/campus-rig.ts';
import { appCall } from '../support/challenge-walks.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOME = '198.51.100.7';
const context = (address = HOME, bearer?: string): CallContext => appCall(address, bearer);

let clock: ManualClock;
let demo: DemoCampus;
let gateway: Gateway;
let shown: DemoMessage[];
beforeEach(async () => {
  clock = new ManualClock();
  shown = [];
  gateway = await startGateway({ clock, silent: true, onMessage: (message) => void shown.push(message) });
  ({ demo } = gateway);
  // A code that is asked for, or that the password brings along, rings each time.
  Object.assign(demo.switches, { smsCooldownSeconds: 0, smsSender: 'login_psw' });
});
afterEach(() => gateway.close());

/** Ever another network. */
const elsewhere = (at: number): string => `10.${(at >> 8) & 255}.${at & 255}.1`;

const { userid, password, vpnPassword } = first;
const pair = { password, vpnPassword };
const accounts = () => gateway.services.accounts;
const desk = () => gateway.services.challenges;
const asked = (path: string): number => demo.requests({ path: `/por/${path}.csp` }).length;
const lastShown = (phone?: string): string => shown.filter((one) => !phone || one.phone === phone).at(-1)?.text ?? '';

/** Enrolled at home; all but the first by hand. */
const enroll = async (student = first): Promise<string> => {
  const { inviteToken } = await accounts().verifyInviteCode('DEMO-2026', context());
  const entry = { userid: student.userid, pair: { password: student.password, vpnPassword: student.vpnPassword } };
  return (await accounts().register({ ...entry, inviteToken }, context())).token;
};
const expire = (): void => {
  const student = demo.student(userid);
  student.expirePortal();
  student.expireUnifiedLogin();
  student.expireService('jwc');
};

/** With a token, in place of a session that has ended. */
const begin = async (token: string, from: string): Promise<End> => {
  const me = await accounts().authenticate(token, from);
  return endOf(
    desk()
      .begin(me, context(from))
      .then((challenge) => {
        if (challenge) throw new Failure('login-challenge', { challenge });
      }),
  );
};
type End = 'in' | Challenge | Failure;
/** How a call ends that may come to a challenge. */
const endOf = async (call: Promise<unknown>): Promise<End> => {
  try {
    await call;
    return 'in';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.challenge ?? error;
  }
};
const isChallenge = (end: End): end is Challenge => end !== 'in' && !(end instanceof Failure);
const login = (from: string, submitted = pair, id = userid): Promise<End> =>
  endOf(accounts().login({ userid: id, pair: submitted }, context(from)));
const wrong = (at: number) => ({ password: `no-${at}`, vpnPassword: `no-${at}` });

/** Every budget is over within a day, and begins anew with the next. */
const DAYS = 10;

describe('for ten days', () => {
  it('strangers with wrong passwords: none is offered a step, and no phone rings for it', async () => {
    await enroll();
    demo.student(userid).setSecondFactor('sms');
    let offers = 0;
    let passwords = 0;
    let most = 0;
    for (let day = 0; day < DAYS; day += 1) {
      demo.resetRequests();
      for (let hour = 0; hour < 24; hour += 3, clock.advance(3 * HOUR)) {
        const at = 24 * day + hour;
        // With one of the two right, and with none.
        for (const guess of [wrong(at), { ...wrong(at), password }]) {
          if (isChallenge(await login(elsewhere(at), guess))) offers += 1;
        }
      }
      passwords += asked('login_psw');
      most = Math.max(most, asked('login_psw'));
    }
    expect({ offers, rings: demo.messages().length, most }).toEqual({ offers: 0, rings: 0, most: 2 });
    expect(passwords).toBeGreaterThan(1.5 * DAYS);
  }, 60_000);
});

it.each(['all the time', 'while the owner is at it'])(
  "a thief with the owner's token who begins sign-ins %s",
  async (when) => {
    const token = await enroll();
    clock.advance(5 * MINUTE);
    demo.student(userid).setSecondFactor('sms');
    expire();
    let at = 0;
    const steals = async (): Promise<void> => {
      at += 1;
      const from = elsewhere(at);
      const end = await begin(token, from);
      if (isChallenge(end)) await endOf(desk().answer(end.id, '000000', context(from)));
    };
    const tries: Array<number | string> = [];
    const rings: number[] = [];
    for (let day = 0; day < 3; day += 1) {
      const before = demo.messages().length;
      for (let step = 0; step < 144; step += 1, clock.advance(10 * MINUTE)) {
        if (when === 'all the time') await steals();
        // Three times a day the owner is at home and wants to read.
        if (![54, 90, 126].includes(step)) continue;
        expire();
        for (let tried = 1; ; tried += 1) {
          const own = await begin(token, HOME);
          if (own === 'in') throw new Error('no step was wanted');
          if (own instanceof Failure) {
            tries.push(own.kind);
            break;
          }
          await steals();
          if ((await endOf(desk().answer(own.id, lastShown(), context()))) !== 'in') continue;
          tries.push(tried);
          break;
        }
        expire();
      }
      rings.push(demo.messages().length - before);
    }
    // The token alone rings four times a day, and ends nothing that was begun at home.
    expect({ tries, rings }).toEqual({
      tries: Array(9).fill(1),
      rings: Array(3).fill(when === 'all the time' ? 7 : 3),
    });
  },
  60_000,
);
