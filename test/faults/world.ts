import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { vi } from 'vitest';
import type { DemoFault } from '../../src/demo/types.ts';
import { raceSignal } from '../../src/lib/single-flight.ts';
import { systemClock } from '../../src/lib/time.ts';
import { type Answer, type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { systemNames } from '../support/system-names.ts';
import { type FaultCampus, faultsOf } from './campuses.ts';
import { DELAY_MS, isEndless } from './kinds.ts';

export interface Student {
  readonly userid: string;
  readonly password: string;
  readonly vpnPassword: string;
  /** Empty until registered. */
  readonly token: string;
}

/** The student id that may refresh the list of rooms. */
export const ADMINISTRATOR = '3100000001';

/** The lists in which the guard remembers sign-ins for a while, emptied. */
const untilLater = { troubles: '[]' };
const untilStep = { mark: 'null', challenges: '[]', codes: '[]' };

/** The line that requests to a simulated system wait in. */
const lineNames: Readonly<Record<string, string>> = { ...systemNames, lakeside: 'academics' };

/** Turns of the event loop without a request to the campus, after which the service must be waiting for time. */
const QUIET_TURNS = 100;
const PASS_MS = 250;
/** Longer than every pause, cool-down, breaker and cache of a student's data lasts. */
const ALL_OVER_MS = 301_000;

/** No call takes longer, whatever happens at the campus. */
const CALL_MS = 30_000;
const LATE_TURNS = 100;

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The gateway of a world whose time stands still. */
export const stillGateway = async ({ env, ...options }: GatewayOptions): Promise<Gateway> => {
  const gateway = await startGateway({
    ...options,
    // A copy in its place would hide that a person is needed.
    env: { LOG_LEVEL: 'error', ADMIN_USER_IDS: ADMINISTRATOR, STALE_IF_PERSON_SECONDS: '0', ...env },
  });
  // Its leaps add up to weeks; what the campus shows stays that of the first day.
  gateway.demo.switches.datesMove = false;
  return gateway;
};

/** From now on timers and deadlines pass only when a test lets them. */
export const stopTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.spyOn(systemClock, 'wait').mockImplementation(async (ms, signal) => {
    // The short pauses before something is tried again; minutes until the next sweep never pass.
    for (let i = 0; i < 10; i += 1) await turn();
    if (ms > 60_000) await raceSignal(new Promise<never>(() => {}), signal ?? new AbortController().signal);
  });
};

/**
 * A gateway in front of a demo campus where no time passes by itself: neither on the clock of the two nor for the
 * timers of deadlines. A call is driven instead: while the campus keeps it waiting, time is moved.
 */
export class FaultWorld {
  readonly gateway: Gateway;
  readonly campus: FaultCampus;
  readonly clock: ManualClock;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** When names were last taken from the guard's memory. */
  #students = 0;

  protected constructor(gateway: Gateway, clock: ManualClock) {
    this.gateway = gateway;
    this.campus = faultsOf(gateway);
    this.clock = clock;
    const { storage } = gateway.config;
    this.#database = new DatabaseSync(storage.kind === 'sqlite' ? storage.path : ':memory:');
    this.#database.exec('PRAGMA synchronous = off');
  }

  static async start(env: Readonly<Record<string, string>> = {}, options: GatewayOptions = {}): Promise<FaultWorld> {
    const clock = new ManualClock();
    const gateway = await stillGateway({ silent: true, ...options, clock, env });
    stopTime();
    return new FaultWorld(gateway, clock);
  }

  /** A student of the campus without an account here. */
  newcomer(): Student {
    this.#students += 1;
    return this.#admit(`30${String(this.#students).padStart(6, '0')}`);
  }

  async registered(): Promise<Student> {
    return this.#register(this.newcomer());
  }

  /** The student with that number: the same account every time. */
  registeredAs(userid: string): Promise<Student> {
    return this.once(`student ${userid}`, () => this.#register(this.#admit(userid)));
  }

  /** The first result of `make`. */
  async once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(name);
    if (known !== undefined) return known as Promise<T>;
    const made = make();
    this.#made.set(name, made);
    return made;
  }

  #admit(userid: string): Student {
    const student = { userid, password: 'pass', vpnPassword: 'vpn' };
    this.campus.addStudent(student);
    return { ...student, token: '' };
  }

  async #register(student: Student): Promise<Student> {
    return { ...student, token: await this.drive(this.gateway.register(student)) };
  }

  /** The list of rooms has to be read again. */
  dropRooms(): void {
    this.#database.exec('DELETE FROM room_trees');
  }

  /**
   * Ends the consequences of one fault before the next one comes: those that take an hour or a person are forgotten at
   * once.
   */
  allOver(): void {
    this.clock.advance(ALL_OVER_MS);
    this.#forget({ ...untilLater, ...untilStep });
  }

  /** As if no sign-in had ever needed a person. */
  forgetSteps(): void {
    this.#forget(untilStep);
  }

  #forget(members: Readonly<Record<string, string>>): void {
    const values = Object.entries(members).map(([name, value]) => `'$.${name}', json('${value}')`);
    const own = `memory <> '' AND name <> 'gateway'`;
    if (this.#isThere(`guard_rows WHERE ${own}`)) {
      // Most students have met nothing. No member of these names stands deeper in a row.
      const met = Object.entries(members).map(([name, value]) => `instr(memory, '"${name}":${value}') = 0`);
      const update = `UPDATE guard_rows SET memory = json_set(memory, ${values.join(', ')})`;
      this.#prepared(`${update} WHERE ${own} AND (${met.join(' OR ')})`).run();
      // The troubles of three students must not open the breaker of another world.
      this.#prepared(`DELETE FROM guard_rows WHERE name = 'gateway'`).run();
    }
    if (this.#isThere('login_challenges')) this.#prepared('DELETE FROM login_challenges').run();
  }

  #isThere(rows: string): boolean {
    return this.#prepared(`SELECT 1 FROM ${rows} LIMIT 1`).get() !== undefined;
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  async inviteToken(): Promise<string> {
    const answer = await this.drive(this.gateway.a('/user/veryfy_invite_code', { invite_code: 'DEMO-2026' }));
    return answer.body.data.invite_token;
  }

  /** The student's next call has to sign in at the campus. */
  forget(student: Student): Promise<void> {
    return this.gateway.services.sessions.forget(student.userid);
  }

  /** Awaits `work`, and moves time when it can do nothing but wait. Returns how much time that took. */
  async timed<T>(work: Promise<T>, fault?: DemoFault, system?: string): Promise<{ result: T; ms: number }> {
    const startedAt = this.clock.now();
    let settled = false;
    const end = () => {
      settled = true;
    };
    work.then(end, end);
    for (let quiet = 0, turns = 1; !settled; quiet += 1, turns += 1) {
      await turn();
      if (settled) break;
      const { held, all } = this.#active(system);
      // Once every deadline has passed, the answer is on its way, and may take its turns on a busy machine.
      const isLate = this.clock.now() - startedAt > CALL_MS && turns % LATE_TURNS !== 0;
      if (held > 0 && fault && isEndless(fault)) this.pass(isLate ? 0 : 1_000);
      else if (fault?.kind === 'delay' && this.clock.waiting > 0 && held > 0) this.pass(DELAY_MS);
      else if (all > 0) quiet = 0;
      else if (quiet >= QUIET_TURNS) {
        this.pass(PASS_MS);
        quiet = 0;
      }
    }
    return { result: await work, ms: this.clock.now() - startedAt };
  }

  async drive<T>(work: Promise<T>): Promise<T> {
    return (await this.timed(work)).result;
  }

  /** Awaits what still is on its way to the campus, such as work that continues after its caller was answered. */
  async drain(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await turn();
      if (this.#active().all === 0) continue;
      quiet = 0;
      this.pass(PASS_MS);
    }
  }

  call(method: string, path: string, options: { token: string; body?: unknown }): Promise<Answer> {
    const { gateway } = this;
    if (options.body instanceof FormData) return gateway.form(method, path, options.token, options.body);
    return path.startsWith('/api/v1/')
      ? gateway.a(path.slice('/api/v1'.length), options.body)
      : gateway.b(method, path, { ...options, ...(options.token === '' ? { token: 'none' } : {}) });
  }

  /** Requests on their way to that system, and to any. */
  #active(system?: string): { readonly held: number; readonly all: number } {
    const name = system === undefined ? undefined : lineNames[system];
    let [held, all] = [0, 0];
    for (const [line, { active }] of this.gateway.services.watch.queues()) {
      if (line === 'login') continue;
      all += active;
      if (name === undefined || line.split('+').includes(name)) held += active;
    }
    return { held, all };
  }

  protected pass(ms: number): void {
    this.clock.advance(ms);
    vi.advanceTimersByTime(ms);
  }

  async close(): Promise<void> {
    vi.useRealTimers();
    vi.restoreAllMocks();
    this.#database.close();
    await this.gateway.close();
  }
}
