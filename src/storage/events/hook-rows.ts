import type { Kysely, Transaction } from 'kysely';
import { isEventType } from '../../domain/events/records.ts';
import { formatNames } from '../../domain/hooks/formats.ts';
import {
  deliveryFaults,
  type Hook,
  type HookDelivery,
  hookDetails,
  hookRefreshes,
  hookStates,
} from '../../domain/hooks/ports.ts';
import { has } from '../database/rows.ts';
import type { Tables } from '../schema.ts';

/** Deliveries of a hook that are over and still shown. */
const KEPT = 20;

export type HookRow = Tables['event_hooks'];
export type Change = Transaction<Tables>;

const oneOf = <T extends string>(words: readonly T[], word: string, otherwise: T): T =>
  words.find((each) => each === word) ?? otherwise;

/** Everything of a hook but its address. */
export const outlineOf = (row: HookRow): Omit<Hook, 'url'> => ({
  id: row.id,
  types: row.types.split(' ').filter(isEventType),
  detail: oneOf(hookDetails, row.detail, 'thin'),
  format: oneOf(formatNames, row.format, 'standard'),
  refresh: oneOf(hookRefreshes, row.refresh, 'none'),
  state: oneOf(hookStates, row.state, 'paused'),
  lowKwh: row.low_kwh,
  createdAt: row.created_at,
  deliveredAt: row.delivered_at,
  failingSince: row.failing_since,
});

/** None for a type of event that only a later version knows. */
export const deliveryOf = (row: Tables['hook_deliveries']): HookDelivery[] => {
  const { id, event, type, attempts, status, ms, created_at: createdAt, tried_at: triedAt, due_at: nextAt } = row;
  if (!isEventType(type)) return [];
  const state = oneOf(['waiting', 'delivered', 'given-up'], row.state, 'given-up');
  const fault = deliveryFaults.find((word) => word === row.fault) ?? null;
  return [{ id, event, type, attempts, status, ms, createdAt, triedAt, nextAt, state, fault }];
};

/** Takes the lock of the hook until the transaction ends. */
export const lockHook = (change: Change, id: string): Promise<HookRow | undefined> =>
  change
    .updateTable('event_hooks')
    .set((to) => ({ created_at: to.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const hooksOf = (db: Kysely<Tables>, userid: string): Promise<HookRow[]> =>
  db.selectFrom('event_hooks').selectAll().where(has({ userid })).execute();

/** Forgets all but the newest deliveries of a hook that are over. */
export const forgetOld = async (change: Change, hook: string): Promise<void> => {
  const over = change.selectFrom('hook_deliveries').select('id').where('hook', '=', hook).where('due_at', 'is', null);
  const kept = over.orderBy('created_at', 'desc').orderBy('seq', 'desc').limit(KEPT);
  const all = change.deleteFrom('hook_deliveries').where('hook', '=', hook).where('due_at', 'is', null);
  await all.where('id', 'not in', kept).execute();
};

/** Gives up the deliveries that wait at a hook, or the oldest of them. */
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
  await forgetOld(change, hook);
};
