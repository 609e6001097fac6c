import { DAY_MS } from '../../lib/time.ts';
import type { EventType } from '../events/records.ts';
import type { HookFormat } from './formats.ts';
import type { Target } from './targets.ts';

/** `thin`: names and ids; `full`: also the details of the reading. */
export const hookDetails = ['thin', 'full'] as const;
export type HookDetail = (typeof hookDetails)[number];

/** How long the record of a delivery is kept. */
export const DELIVERY_LIFE_MS = 30 * DAY_MS;

/** `daily`: the service reads the term's scores, exams and timetable once a day. */
export const hookRefreshes = ['none', 'daily'] as const;
type HookRefresh = (typeof hookRefreshes)[number];

/**
 * Only a hook that is on receives events. The student has set one to `paused`, five days of nothing but failures to `failed`,
 * and a receiver that answered 410 to `gone`.
 */
export const hookStates = ['on', 'paused', 'failed', 'gone'] as const;
export type HookState = (typeof hookStates)[number];

export interface HookWish {
  readonly url: string;
  readonly types: readonly EventType[];
  readonly detail: HookDetail;
  readonly format: HookFormat;
  /** Threshold of `electricity.low`, in kWh; null if the hook does not want that event. */
  readonly lowKwh: number | null;
  readonly refresh: HookRefresh;
}

/** A hook as its owner sees it, without its secret. */
export interface Hook extends HookWish {
  readonly id: string;
  readonly state: HookState;
  readonly createdAt: number;
  /** When a delivery last arrived; null: none has. */
  readonly deliveredAt: number | null;
  /** Start of the failures since the last delivery that arrived; null: none. */
  readonly failingSince: number | null;
}

/** Why a delivery did not arrive, where there was no status. */
export const deliveryFaults = [
  'refused-target', // hooks may not call this address
  'unresolved', // its host has no address
  'private', // none of its addresses is public
  'not-connected',
  'timed-out',
  'broken',
  'not-accepted', // a 2xx whose reply says otherwise
  'switched-off', // the hook was switched off before
  'too-many', // others waited behind it
] as const;
type DeliveryFault = (typeof deliveryFaults)[number];

export interface HookDelivery {
  readonly id: string;
  readonly event: string;
  readonly type: EventType;
  readonly state: 'waiting' | 'delivered' | 'given-up';
  readonly createdAt: number;
  readonly attempts: number;
  /** When the last attempt was made; null: none yet. */
  readonly triedAt: number | null;
  readonly status: number | null;
  readonly fault: DeliveryFault | null;
  readonly ms: number | null;
  /** When the next attempt is due; null: none follows. */
  readonly nextAt: number | null;
}

/** This process alone may attempt it while its lease lasts. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly hook: string;
  readonly userid: string;
  /** Names the host of the hook, which cannot be read from it. */
  readonly host: string;
  readonly url: string;
  readonly format: HookFormat;
  /** Null: it cannot be opened. */
  readonly secret: string | null;
  readonly event: string;
  readonly type: EventType;
  readonly body: string;
  /** Attempts so far. */
  readonly attempts: number;
  /** A test that the student has asked for: it is attempted once. */
  readonly asked: boolean;
  /** Something has arrived at the hook, and nothing has failed since. */
  readonly verified: boolean;
}

export interface AttemptResult {
  readonly outcome: 'delivered' | 'failed' | 'gone';
  readonly status: number | null;
  readonly fault: DeliveryFault | null;
  readonly ms: number;
  readonly now: number;
  /** When the next one is due, after a failure; null: it is given up. */
  readonly nextAt: number | null;
}

export interface NewHook extends HookWish {
  readonly id: string;
  readonly now: number;
  readonly secret: string;
  /** Id of the session. */
  readonly madeBy: string;
}

export type HookChange = Partial<HookWish> & { readonly state?: Extract<HookState, 'on' | 'paused'> };

export interface HookStore {
  make(userid: string, hook: NewHook, most: number): Promise<'made' | 'full' | 'user-gone'>;
  /** The oldest first. */
  list(userid: string): Promise<Hook[]>;
  /**
   * False: the student has no such hook. Switched on, it begins without failures.
   * @param by id of the session that changes it: with another address it belongs to that one
   */
  change(userid: string, id: string, change: HookChange, by: string): Promise<boolean>;
  delete(userid: string, id: string): Promise<boolean>;
  /** The newest first; null: the student has no such hook. */
  deliveries(userid: string, id: string, most: number): Promise<HookDelivery[] | null>;
}

/** A delivery that may be attempted, as it stood when the outbox was looked through. */
export interface DueDelivery {
  readonly id: string;
  /** Names the host of its hook. */
  readonly host: string;
  readonly dueAt: number;
  readonly seq: number;
  /** The first attempt, to a hook that is verified. */
  readonly isQuick: boolean;
}

export interface LeaseTimes {
  readonly now: number;
  readonly lifeMs: number;
}

export interface DuePage extends LeaseTimes {
  /** Last of the page before. */
  readonly after: DueDelivery | null;
  readonly most: number;
  /** Those whose time a clock that was ahead has written, which no other look finds. */
  readonly areAhead?: boolean;
}

/** The outbox of all replicas. */
export interface DeliveryStore {
  /** A page of those that are due and under no lease, the one that has been due longest first. */
  due(page: DuePage): Promise<readonly DueDelivery[]>;
  /** The first of these that is still due, under a lease. Null: there is none. */
  claim(owner: string, ids: readonly string[], times: LeaseTimes): Promise<ClaimedDelivery | null>;
  /**
   * Stores the outcome of an attempt and its effect on the hook, unless the lease was lost or the hook or account is
   * gone. Returns the hook's new state if it changed.
   */
  settle(
    delivery: Pick<ClaimedDelivery, 'id' | 'hook'>,
    owner: string,
    result: AttemptResult,
  ): Promise<HookState | null>;
  /** Those of these deliveries that are still to be made: their hooks have not ended and are on. */
  waiting(ids: readonly string[]): Promise<readonly string[]>;
  /** Gives up the leases of a process that ends. */
  release(owner: string): Promise<void>;
}

export interface HookRequest {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From 1 on: each tries another address of the host. */
  readonly attempt: number;
}

/** The answer of a receiver, or the reason why there is none. */
export type HookCallResult =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter: string | null; readonly reply: string }
  | {
      readonly kind: 'no-answer';
      readonly fault: Exclude<DeliveryFault, 'not-accepted' | 'switched-off' | 'too-many'>;
    };

export interface HookSender {
  /** One attempt, within 15 s. Never rejects. */
  send(request: HookRequest, signal: AbortSignal): Promise<HookCallResult>;
}
