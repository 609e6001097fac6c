import { randomBytes } from 'node:crypto';
import { tokenId } from '../../lib/hash.ts';
import type { Clock } from '../../lib/time.ts';
import type { Student } from '../context.ts';
import { failures } from '../errors.ts';
import type { EventJournal } from '../events/ports.ts';
import type { Leases } from '../lease.ts';
import { limits, takeStored } from '../limits.ts';
import { type HookFormat, newHookSecret } from './formats.ts';
import type { Hook, HookChange, HookDelivery, HookStore, HookWish } from './ports.ts';
import type { TargetFault, Targets } from './targets.ts';

const MOST_HOOKS = 5;
export const MOST_DELIVERIES = 20;
/** Retry time where no copies are kept: asking sooner does not help. */
const RETRY_SECONDS = 3_600;

interface HooksDeps {
  /** Null: no copies are kept. */
  readonly store: HookStore | null;
  readonly journal: Pick<EventJournal, 'append'>;
  readonly leases: Leases;
  readonly targets: Targets;
  readonly clock: Clock;
  /** Delivers at once; null: no copies are kept. */
  readonly deliveries: { wake(): void; abortEnded(): Promise<void> } | null;
}

/** The addresses that a student wants told of change events. All methods throw `feeds-off` where no copies are kept. */
export class StudentHooks {
  readonly #deps: HooksDeps;

  constructor(deps: HooksDeps) {
    this.#deps = deps;
  }

  /** Null: nothing is wrong that can be seen before the address is called. */
  faultOf(url: string, format: HookFormat): TargetFault | null {
    this.#store();
    const target = this.#deps.targets.check(url, format);
    return typeof target === 'string' ? target : null;
  }

  /** Returns the hook with its secret, which is shown only once. @throws Failure `hook-limit` */
  async make(student: Student, wish: HookWish): Promise<{ readonly hook: Hook; readonly secret: string }> {
    const id = randomBytes(8).toString('hex');
    const secret = newHookSecret();
    const hook = { ...wish, id, secret, now: this.#deps.clock.now(), madeBy: tokenId(student.tokenHash ?? '') };
    const outcome = await this.#store().make(student.userid, hook, MOST_HOOKS);
    if (outcome === 'user-gone') throw failures.tokenUserGone();
    if (outcome === 'full') throw failures.hookLimit();
    return { hook: await this.find(student, id), secret };
  }

  /** The oldest first. */
  async list({ userid }: Student): Promise<Hook[]> {
    return this.#store().list(userid);
  }

  /** @throws Failure `hook-unknown` */
  async find({ userid }: Student, id: string): Promise<Hook> {
    const hook = (await this.#store().list(userid)).find((one) => one.id === id);
    if (hook === undefined) throw failures.hookUnknown();
    return hook;
  }

  /** @throws Failure `hook-unknown` */
  async change(student: Student, id: string, change: HookChange): Promise<Hook> {
    const { deliveries } = this.#deps;
    const by = tokenId(student.tokenHash ?? '');
    if (!(await this.#store().change(student.userid, id, change, by))) throw failures.hookUnknown();
    deliveries?.wake();
    if (change.state === 'paused') void deliveries?.abortEnded();
    return this.find(student, id);
  }

  /** @throws Failure `hook-unknown`, `rate-limited` {retryAfterSeconds} */
  async test(student: Student, id: string): Promise<void> {
    await this.find(student, id);
    await takeStored(this.#deps.leases, limits.hookTests, student.userid);
    const event = { type: 'test.ping', readAt: null, about: { hook_id: id }, ask: null, detail: {} } as const;
    await this.#deps.journal.append(student.userid, [event]);
    this.#deps.deliveries?.wake();
  }

  /** The newest first. @throws Failure `hook-unknown` */
  async deliveries({ userid }: Student, id: string): Promise<HookDelivery[]> {
    const found = await this.#store().deliveries(userid, id, MOST_DELIVERIES);
    if (found === null) throw failures.hookUnknown();
    return found;
  }

  /** @throws Failure `hook-unknown` */
  async end({ userid }: Student, id: string): Promise<void> {
    if (!(await this.#store().delete(userid, id))) throw failures.hookUnknown();
    void this.#deps.deliveries?.abortEnded();
  }

  #store(): HookStore {
    const { store } = this.#deps;
    if (store === null) throw failures.feedsOff(RETRY_SECONDS);
    return store;
  }
}

export type Hooks = Pick<StudentHooks, keyof StudentHooks>;
