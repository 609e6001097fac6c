import { randomToken, sha256 } from '../../lib/hash.ts';
import type { Clock } from '../../lib/time.ts';
import { sessionId } from '../accounts/personal-tokens.ts';
import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { EventJournal } from '../events/ports.ts';
import type { LeaseStore } from '../lease.ts';
import { type HookFormat, newHookSecret } from './formats.ts';
import type { Hook, HookDelivery, HookState, HookStore, HookWish } from './ports.ts';
import type { TargetFault, Targets } from './targets.ts';

export const MOST_HOOKS = 5;
export const MOST_DELIVERIES = 20;
/** Tests of a student within an hour. */
const MOST_ASKED = 10;
const HOUR_MS = 3_600_000;
/** Where no copies are kept there is nothing to make events of; asking again sooner does not help. */
const RETRY_SECONDS = 3_600;

export interface MadeHook {
  readonly hook: Hook;
  /** Shown only once. */
  readonly secret: string;
}

export type HookChange = Partial<HookWish> & { readonly state?: Extract<HookState, 'on' | 'paused'> };

interface HooksDeps {
  /** Null: no copies are kept. */
  readonly store: HookStore | null;
  readonly journal: Pick<EventJournal, 'append'>;
  readonly leases: LeaseStore;
  readonly targets: Targets;
  readonly clock: Clock;
  /** There is something to deliver. */
  readonly wake: () => void;
  /** A hook has ended, or was switched off. */
  readonly ended: () => void;
}

/** The student's own addresses that are told of change events. All throw `feeds-off` where no copies are kept. */
export const createHooks = (deps: HooksDeps) => {
  const { store, journal, leases, targets, clock, wake, ended } = deps;
  const kept = (): HookStore => {
    if (store === null) throw new Failure('feeds-off', { retryAfterSeconds: RETRY_SECONDS });
    return store;
  };
  const mustExist = (found: boolean): void => {
    if (!found) throw new Failure('hook-unknown');
  };
  /** @throws Failure `hook-unknown` */
  const find = async ({ userid }: Student, id: string): Promise<Hook> => {
    const hook = (await kept().list(userid)).find((one) => one.id === id);
    if (hook === undefined) throw new Failure('hook-unknown');
    return hook;
  };

  /** Over all replicas, also where hooks come and go. */
  const countAsked = async ({ userid }: Student): Promise<void> => {
    for (let place = 1; place <= MOST_ASKED; place += 1) {
      if (await leases.acquire(`hook-asked-${place}:${userid}`, randomToken(), clock.now(), HOUR_MS)) return;
    }
    throw new Failure('rate-limited', { retryAfterSeconds: HOUR_MS / 1000, reason: 'hook tests' });
  };

  return {
    /** Says what is wrong with an address; null: nothing that can be seen before it is called. */
    faultOf(url: string, format: HookFormat): TargetFault | null {
      kept();
      const target = targets.check(url, format);
      return typeof target === 'string' ? target : null;
    },
    /** @throws Failure `hook-limit` */
    async make(student: Student, wish: HookWish): Promise<MadeHook> {
      const [id, secret] = [sha256(randomToken()).slice(0, 16), newHookSecret()];
      const madeBy = sessionId(student.tokenHash ?? '');
      const outcome = await kept().make(student.userid, { ...wish, id, now: clock.now(), secret, madeBy }, MOST_HOOKS);
      if (outcome === 'user-gone') throw new Failure('token-user-gone');
      if (outcome === 'full') throw new Failure('hook-limit');
      return { hook: await find(student, id), secret };
    },
    /** The oldest first. */
    list: async ({ userid }: Student): Promise<Hook[]> => kept().list(userid),
    find,
    /** @throws Failure `hook-unknown` */
    async change(student: Student, id: string, change: HookChange): Promise<Hook> {
      const by = sessionId(student.tokenHash ?? '');
      mustExist(await kept().change(student.userid, id, change, by));
      wake();
      if (change.state === 'paused') ended();
      return find(student, id);
    },
    /** @throws Failure `hook-unknown`, `rate-limited` {retryAfterSeconds} */
    async test(student: Student, id: string): Promise<void> {
      await find(student, id);
      await countAsked(student);
      const event = { type: 'test.ping', readAt: null, about: { hook_id: id }, ask: null, detail: {} } as const;
      await journal.append(student.userid, [event]);
      wake();
    },
    /** The newest first. @throws Failure `hook-unknown` */
    async deliveries({ userid }: Student, id: string): Promise<HookDelivery[]> {
      const found = await kept().deliveries(userid, id, MOST_DELIVERIES);
      if (found === null) throw new Failure('hook-unknown');
      return found;
    },
    /** @throws Failure `hook-unknown` */
    async end({ userid }: Student, id: string): Promise<void> {
      mustExist(await kept().delete(userid, id));
      ended();
    },
  };
};

export type Hooks = ReturnType<typeof createHooks>;
