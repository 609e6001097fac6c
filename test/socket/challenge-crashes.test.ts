import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoMessage, DemoSecondFactor } from '../../src/demo/types.ts';
import { entryOf } from '../support/campus-rig.ts';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { writeMigratedDatabase } from '../support/migrated-database.ts';
import { enroll, newcomer, type Reply } from '../support/replicas.ts';
import { type AtEnd, startService, workingDirectory } from '../support/service-process.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

const program = join(import.meta.dirname, '../support/die-at.ts');
const MINUTE = 60_000;

type Step = 'login' | 'register' | 'renew' | 'send' | 'answer';
interface Walk {
  readonly wants: DemoSecondFactor | 'captcha';
  readonly steps: readonly [Step, ...Step[]];
}

/** Of the campus: an authenticator shows another code after half a minute. */
const clock = new ManualClock(Date.now());
let demo: DemoCampus;
const shown: DemoMessage[] = [];
beforeAll(async () => {
  demo = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM, onMessage: (message) => void shown.push(message) });
  // Each code that is asked for rings.
  demo.switches.smsCooldownSeconds = 0;
});
afterAll(() => demo.close());
afterEach(() => {
  demo.switches.captcha = 'off';
});

/** A student and his app, which knows what it was answered before the process died, and nothing else. */
class App {
  readonly student = newcomer(demo);
  readonly #walk: Walk;
  address = '';
  token = '';
  #invite = '';
  #id: string | null = null;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Requests of the portal that came for this student. */
  asked(path: string): number {
    return demo.requests({ userid: this.student.userid, path: `/por/${path}.csp` }).length;
  }

  get rings(): readonly DemoMessage[] {
    return demo.messages().filter(({ userid }) => userid === this.student.userid);
  }

  async call(method: string, path: string, body?: object | undefined, dieAt = ''): Promise<Reply> {
    const answer = await fetch(this.address + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        'cache-control': 'no-cache',
        ...(dieAt !== '' && { 'x-die-at': dieAt }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  read(): Promise<Reply> {
    return this.call('GET', '/jwc/academic/info');
  }

  async invite(): Promise<void> {
    this.#invite = (await this.call('POST', '/auth/register/invite', { invite_code: 'SCALE' })).body.data.invite_token;
  }

  #typed(): string {
    const { wants } = this.#walk;
    if (wants === 'totp') return demo.totp(this.student.userid);
    return (wants === 'captcha' ? shown : this.rings).at(-1)?.text ?? '';
  }

  /** One thing that the student does. Rejects when the process dies before it has answered. */
  async does(step: Step, dieAt = ''): Promise<Reply> {
    const pair = entryOf(this.student);
    const calls: Readonly<Record<Step, readonly [string, object | undefined]>> = {
      login: ['/auth/login/next', pair],
      register: ['/auth/register/next', { ...pair, invite_token: this.#invite }],
      renew: ['/auth/challenges', undefined],
      send: [`/auth/challenges/${this.#id}/send`, undefined],
      answer: [`/auth/challenges/${this.#id}/answer`, { answer: this.#typed() || '000000' }],
    };
    const reply = await this.call('POST', ...calls[step], dieAt);
    const { challenge, token } = reply.body.data ?? {};
    if (typeof challenge?.id === 'string') this.#id = challenge.id;
    if (typeof token === 'string') this.token = token;
    return reply;
  }

  /** The student continues after the process has died. True: he is in. */
  async goesOn(): Promise<boolean> {
    const [begins] = this.#walk.steps;
    if (this.#id === null) {
      const begun = await this.does(begins);
      // The account was created before the process died, and the invite token is used up.
      const isCreated = begins === 'register' && begun.body.error?.code === 'TOKEN_INVALID';
      const again = isCreated ? await this.does('login') : begun;
      return (again.status === 200 && !again.body.data.challenge) || again.body.error?.code === 'CHALLENGE_NEEDLESS';
    }
    const seen = await this.call('GET', `/auth/challenges/${this.#id}`);
    const { kind, sent } = seen.body.data?.challenge ?? {};
    // A reader of "perhaps" waits for it first.
    if (kind === 'sms' && (sent === 'unknown' || this.rings.length === 0)) await this.does('send');
    const { status } = seen.status === 404 ? seen : await this.does('answer');
    // The outcome of an answer whose process died is unknown: the student begins again.
    if (status === 404) this.#id = null;
    return status === 200;
  }
}

/** Walks until the process dies at that moment of that step, and on with the next process. Null: it lived. */
const killed = async (walk: Walk, at: number, moment: string, atEnd: AtEnd) => {
  const folder = workingDirectory(atEnd);
  await writeMigratedDatabase(join(folder, 'campus.db'));
  const env = {
    DATABASE_URL: `sqlite:${join(folder, 'campus.db')}`,
    SECRET_KEY: Buffer.alloc(32, 11).toString('base64'),
    PUBLIC_URL: 'https://campus.example.edu',
    INVITE_CODES: 'SCALE:100',
    ...wiringEnv(demo.wiring),
  };
  const app = new App(walk);
  demo.switches.captcha = 'off';
  if (walk.steps[0] !== 'register') {
    // So long ago that the campus is asked about the passwords again.
    const before = await startGateway({ demo, env, clock: new ManualClock(Date.now() - 10 * MINUTE) });
    app.token = await enroll(before.url, app.student);
    await before.close();
  }
  const { userid } = app.student;
  demo.student(userid).expirePortal();
  demo.student(userid).expireUnifiedLogin();
  demo.student(userid).expireService('jwc');
  if (walk.wants === 'captcha') demo.switches.captcha = 'always';
  else demo.student(userid).setSecondFactor(walk.wants);

  const service = await startService(folder, env, atEnd, program);
  app.address = service.address;
  if (walk.steps[0] === 'register') await app.invite();
  demo.resetRequests();
  for (const step of walk.steps.slice(0, at)) await app.does(step);
  const lived = await app.does(walk.steps[at] ?? 'login', moment).then(
    () => true,
    () => false,
  );
  if (lived) return null;
  expect((await service.ended).signal).toBe('SIGKILL');

  clock.advance(31_000);
  const passwords = app.asked('login_psw');
  const answered = app.asked('login_sms1') + app.asked('login_token') + app.rings.length;
  const next = await startGateway({ demo, env, clock: new ManualClock(Date.now() + MINUTE + 1_000) });
  atEnd(() => next.close());
  app.address = next.url;
  // No student is there at first.
  if (app.token !== '') for (let times = 0; times < 3; times += 1) await app.read();
  const unattended = app.asked('login_psw') - passwords;
  expect(app.asked('login_sms1') + app.asked('login_token') + app.rings.length).toBe(answered);
  let steps = 0;
  while (!(await app.goesOn())) {
    steps += 1;
    if (steps > 6) throw new Error(`no end after moment ${moment}`);
  }
  return {
    passwords: [passwords, unattended, app.asked('login_psw')],
    rings: app.rings.length,
    codes: app.asked('login_sms1') + app.asked('login_token'),
    read: (await app.read()).status,
  };
};

const walks = {
  'a code': { wants: 'sms', steps: ['login', 'send', 'answer'] },
  'an image': { wants: 'captcha', steps: ['login', 'answer'] },
  'a registration': { wants: 'totp', steps: ['register', 'answer'] },
  'a renewal': { wants: 'totp', steps: ['renew', 'answer'] },
} as const satisfies Record<string, Walk>;

describe('kill -9 of the process, then another one:', () => {
  /** Passwords at the portal: before the kill, while no student is there, and after all of it. */
  const once = [1, 0, 1];
  const startedOver = [1, 0, 2];
  it.each([
    // No process knows yet that a step is wanted, and the portal's answer is lost: one more is sent, and no third.
    ['a code', 0, 'after /por/login_psw.csp', [1, 1, 3]],
    // The app does not know the id: the student logs in once more, and is not rung again for the first one.
    ['a code', 0, 'answer', [1, 0, 2]],
    ['a code', 1, 'after /por/login_sms.csp', once],
    // The outcome of the answer is unknown: nothing is sent again before the student starts over.
    ['a code', 2, 'after /por/login_sms1.csp', startedOver],
    ['an image', 1, 'after /por/login_psw.csp', startedOver],
    ['a registration', 1, 'after /por/login_token.csp', startedOver],
    ['a renewal', 1, 'after /por/login_token.csp', startedOver],
  ] as const)('%s, step %i, %s: passwords %j', async (name, at, moment, passwords) => {
    const walk = walks[name];
    const seen = await killed(walk, at, moment, onTestFinished);
    const startsOver = passwords === startedOver;
    const [rings, codes] = { sms: [startsOver ? 2 : 1, startsOver ? 2 : 1], totp: [0, 2], captcha: [0, 0] }[walk.wants];
    expect(seen).toEqual({ passwords, rings, codes, read: 200 });
  });

  const everyStep = Object.entries(walks).flatMap(([name, walk]) =>
    walk.steps.map((step, at) => [name, at, step, walk] as const),
  );
  // `KILLS=every`: 100 processes, three minutes.
  it.runIf(process.env.KILLS === 'every').each(everyStep)(
    '%s, step %i (%s): at every moment of it',
    async (_name, at, _step, walk) => {
      const ends: Array<() => void | Promise<void>> = [];
      for (let moment = 1; ; moment += 1) {
        const seen = await killed(walk, at, String(moment), (work) => void ends.push(work));
        for (const end of ends.splice(0).toReversed()) await end();
        if (seen === null) break;
        const [before = 0, unattended = 0, all = 0] = seen.passwords;
        const told = `moment ${moment}: ${JSON.stringify(seen)}`;
        // Before the app knows the id the student logs in once more.
        if (at === 0) expect([unattended <= 1, all <= before + unattended + 1], told).toEqual([true, true]);
        else expect([unattended, all <= before + 1], told).toEqual([0, true]);
        expect([seen.rings <= 2, seen.codes <= 2], told).toEqual([true, true]);
      }
    },
    600_000,
  );
});
