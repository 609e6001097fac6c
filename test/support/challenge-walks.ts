import { expect } from 'vitest';
import type { DemoCampus, DemoMessage, DemoSecondFactor } from '../../src/demo/types.ts';
import { type CallContext, silentLog } from '../../src/domain/context.ts';
import { Deadline } from '../../src/lib/time.ts';
import { entryOf } from './campus-rig.ts';
import type { Answer, Gateway } from './gateway-rig.ts';

export const walkedKinds = ['captcha', 'sms', 'sms-two-phones', 'totp', 'sms-then-totp'] as const;
export type WalkedKind = (typeof walkedKinds)[number];

/** A network of students. */
export const HOME = '203.0.113.7';
export const publicUrl = 'https://campus.example.edu';

/** A call of the student's app. */
export const appCall = (address: string, bearer?: string): CallContext => ({
  traceId: '0'.repeat(32),
  signal: new AbortController().signal,
  deadline: new Deadline(30_000),
  log: silentLog,
  address,
  bearer,
  userAgent: 'CampusApp/2.3',
});

interface Student {
  readonly userid: string;
  readonly password: string;
  readonly vpnPassword: string;
}

/** The other parts of a test's world. */
export interface WalkWorld {
  readonly demo: DemoCampus;
  /** Told of everything that a phone, an authenticator or an image shows. */
  readonly shown: readonly DemoMessage[];
  /** The service that takes the next call. */
  next(): Gateway;
}

/** A student with an app, each of whose calls goes to the service that is next. */
export class WalkingStudent {
  readonly student: Student;
  readonly #world: WalkWorld;

  constructor(student: Student, world: WalkWorld) {
    this.student = student;
    this.#world = world;
  }

  get pair() {
    return entryOf(this.student);
  }

  get #switches() {
    return this.#world.demo.student(this.student.userid);
  }

  get messages(): readonly DemoMessage[] {
    return this.#world.demo.messages().filter(({ userid }) => userid === this.student.userid);
  }

  post(path: string, body: object, from = HOME, more: Record<string, string> = {}): Promise<Answer> {
    return this.#world.next().b('POST', path, { body, headers: { 'x-forwarded-for': from, ...more } });
  }

  ask(method: string, path: string, from = HOME): Promise<Answer> {
    return this.#world.next().b(method, path, { headers: { 'x-forwarded-for': from } });
  }

  read(token: string): Promise<Answer> {
    return this.#world.next().b('GET', '/jwc/academic/info', { token, headers: { 'cache-control': 'no-cache' } });
  }

  async register(): Promise<Answer> {
    const invite = await this.post('/auth/register/invite', { invite_code: 'DEMO-2026' });
    return this.post('/auth/register/next', { ...this.pair, invite_token: invite.body.data.invite_token });
  }

  login(from = HOME, more: Record<string, string> = {}): Promise<Answer> {
    return this.post('/auth/login/next', this.pair, from, more);
  }

  /** From now on the portal wants it, and nothing of the student's is live. */
  meets(kind: WalkedKind): void {
    if (kind === 'captcha') this.#world.demo.switches.captcha = 'always';
    else this.#switches.setSecondFactor(kind satisfies DemoSecondFactor);
    this.expires();
  }

  expires(): void {
    this.#switches.expirePortal();
    this.#switches.expireUnifiedLogin();
    this.#switches.expireService('jwc');
  }

  /** The code that the student reads off. */
  sees(kind: string): string {
    const { demo, shown } = this.#world;
    if (kind === 'totp') return demo.totp(this.student.userid);
    return (kind === 'captcha' ? shown : this.messages).at(-1)?.text ?? '';
  }

  /** Takes every step with the id, as an app does, and gives the last answer. */
  async walk(id: string): Promise<Answer> {
    const path = `/auth/challenges/${id}`;
    for (let steps = 1; ; steps += 1) {
      const { challenge } = (await this.ask('GET', path)).body.data;
      if (challenge.kind === 'sms') {
        expect([challenge.sent, this.messages.length]).toEqual(['unknown', 0]);
        const { targets } = (await this.ask('POST', `${path}/send`)).body.data.challenge;
        if (targets.length > 1) {
          expect(this.messages).toEqual([]);
          expect((await this.post(`${path}/send`, { target: 1 })).status).toBe(200);
          expect(this.messages.at(-1)?.phone).toBe('15912341111');
        }
      }
      const answer = await this.post(`${path}/answer`, { answer: this.sees(challenge.kind) });
      if (answer.status !== 428 || steps === 4) return answer;
    }
  }
}
