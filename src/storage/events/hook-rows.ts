import type { Selectable, Transaction } from 'kysely';
import { isEventType } from '../../domain/events/types.ts';
import { formatNames } from '../../domain/hooks/formats.ts';
import {
  deliveryFaults,
  type Hook,
  type HookDelivery,
  hookDetails,
  hookRefreshes,
  hookStates,
} from '../../domain/hooks/ports.ts';
import { randomToken, sha256 } from '../../lib/hash.ts';
import type { StoreDeps } from '../database/run.ts';
import type { Tables } from '../schema.ts';
import { openOrNull, type SealedPlace } from '../seal.ts';

/** Deliveries that are over, of one hook. */
const KEPT = 20;

export type HookRow = Selectable<Tables['event_hooks']>;
export type Change = Transaction<Tables>;

/** Opens what a hook has sealed; null where that cannot be had. */
export const opening =
  ({ sealer, log }: Pick<StoreDeps, 'sealer' | 'log'>) =>
  (sealed: string | null, place: SealedPlace, hook: string): string | null =>
    openOrNull(sealer, sealed, place, (fault) => log.warn({ hook, fault }, 'sealed hook cannot be opened'));

const oneOf = <T extends string>(words: readonly T[], word: string, otherwise: T): T =>
  words.find((known) => known === word) ?? otherwise;
export const newId = (): string => sha256(randomToken()).slice(0, 16);

/** What is shown of a hook but its address. */
export const outlineOf = (row: HookRow): Omit<Hook, 'url'> => ({
  id: row.id,
  types: row.types.split(' ').filter(isEventType),
  detail: oneOf(hookDetails, row.detail, 'thin'),
  format: oneOf(formatNames, row.format, 'standard'),
  lowKwh: row.low_kwh,
  refresh: oneOf(hookRefreshes, row.refresh, 'none'),
  state: oneOf(hookStates, row.state, 'paused'),
  createdAt: row.created_at,
  deliveredAt: row.delivered_at,
  failingSince: row.failing_since,
  oldSecretUntil: row.old_secret_until,
});

export const deliveryOf = (row: Tables['hook_deliveries']): HookDelivery[] => {
  const { id, event, type, attempts, status, ms } = row;
  if (!isEventType(type)) return [];
  return [
    {
      ...{ id, event, type, attempts, status, ms },
      state: oneOf(['waiting', 'delivered', 'given-up'], row.state, 'given-up'),
      createdAt: row.created_at,
      triedAt: row.tried_at,
      fault: deliveryFaults.find((fault) => fault === row.fault) ?? null,
      nextAt: row.due_at,
    },
  ];
};

/** Takes the lock of the hook until the transaction ends. */
export const locked = (change: Change, id: string): Promise<HookRow | undefined> =>
  change
    .updateTable('event_hooks')
    .set((to) => ({ created_at: to.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const hooksOf = (change: Change, userid: string): Promise<HookRow[]> =>
  change.selectFrom('event_hooks').selectAll().where('userid', '=', userid).execute();

/** What is waiting at a hook, or the oldest of it, is attempted no more. */
export const giveUp = async (
  change: Change,
  hook: string,
  fault: 'switched-off' | 'too-many',
  most?: number,
): Promise<void> => {
  const waiting = change
    .selectFrom('hook_deliveries')
    .select('id')
    .where('hook', '=', hook)
    .where('due_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('seq');
  await change
    .updateTable('hook_deliveries')
    .set({ state: 'given-up', due_at: null, fault })
    .where('id', 'in', most === undefined ? waiting : waiting.limit(most))
    .execute();
};

/** Of what is over, the newest are shown and the others of no use. */
export const thin = async (change: Change, hook: string): Promise<void> => {
  const kept = change
    .selectFrom('hook_deliveries')
    .select('id')
    .where('hook', '=', hook)
    .where('due_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(KEPT);
  await change
    .deleteFrom('hook_deliveries')
    .where('hook', '=', hook)
    .where('due_at', 'is', null)
    .where('id', 'not in', kept)
    .execute();
};

/** Of a delivery that begins. */
export const untried = {
  ...{ state: 'waiting', attempts: 0, lease_owner: null, lease_until: 0 },
  ...{ tried_at: null, status: null, fault: null, ms: null },
};
