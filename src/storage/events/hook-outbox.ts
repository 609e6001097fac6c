import { type Kysely, sql, type Transaction } from 'kysely';
import { eventTypeNames, isEventType } from '../../domain/events/records.ts';
import { formatNames } from '../../domain/hooks/formats.ts';
import { eventBody, isWanted } from '../../domain/hooks/message.ts';
import {
  deliveryFaults,
  type Hook,
  type HookDelivery,
  type HookStore,
  hookDetails,
  hookRefreshes,
  hookStates,
} from '../../domain/hooks/ports.ts';
import { FAILING_MS, LONGEST_PAUSE_MS } from '../../domain/hooks/schedule.ts';
import { randomToken, sha256 } from '../../lib/hash.ts';
import { countOf, has } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import { leaseTime } from '../leases.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull, type SealedPlace } from '../seal.ts';
import type { EventOutbox } from './journal.ts';

/** Deliveries that are over, of one hook. */
const KEPT = 20;

export type HookRow = Tables['event_hooks'];
export type Change = Transaction<Tables>;

/** Opens what a hook has sealed; null where it cannot be opened. */
export const opening =
  ({ sealer, log }: Pick<StoreDeps, 'sealer' | 'log'>) =>
  (sealed: string | null, place: SealedPlace, hook: string): string | null =>
    openOrNull(sealer, sealed, place, (fault) => log.warn({ hook, fault }, 'sealed hook cannot be opened'));

const oneOf = <T extends string>(words: readonly T[], word: string, otherwise: T): T =>
  words.find((each) => each === word) ?? otherwise;
export const newId = (): string => sha256(randomToken()).slice(0, 16);

/** Everything of a hook but its address. */
export const outlineOf = (row: HookRow): Omit<Hook, 'url'> => ({
  id: row.id,
  types: row.types.split(' ').filter(isEventType),
  detail: oneOf(hookDetails, row.detail, 'thin'),
  format: oneOf(formatNames, row.format, 'standard'),
  refresh: oneOf(hookRefreshes, row.refresh, 'none'),
  state: oneOf(hookStates, row.state, 'paused'),
  ...{ lowKwh: row.low_kwh, createdAt: row.created_at, deliveredAt: row.delivered_at },
  failingSince: row.failing_since,
});

export const deliveryOf = (row: Tables['hook_deliveries']): HookDelivery[] => {
  const { id, event, type, attempts, status, ms, created_at: createdAt, tried_at: triedAt, due_at: nextAt } = row;
  if (!isEventType(type)) return [];
  const state = oneOf(['waiting', 'delivered', 'given-up'], row.state, 'given-up');
  const fault = deliveryFaults.find((word) => word === row.fault) ?? null;
  return [{ id, event, type, attempts, status, ms, createdAt, triedAt, nextAt, state, fault }];
};

/** Takes the lock of the hook until the transaction ends. */
export const locked = (change: Change, id: string): Promise<HookRow | undefined> =>
  change
    .updateTable('event_hooks')
    .set((to) => ({ created_at: to.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const hooksOf = (db: Kysely<Tables>, userid: string): Promise<HookRow[]> =>
  db.selectFrom('event_hooks').selectAll().where(has({ userid })).execute();

const deliveriesOf = (change: Change, hook: string) => change.selectFrom('hook_deliveries').where('hook', '=', hook);
const waitingAt = (change: Change, hook: string) => deliveriesOf(change, hook).where('due_at', 'is not', null);

/** Of those that are over, the newest are shown and the others of no use. */
const thin = async (change: Change, hook: string): Promise<void> => {
  const over = deliveriesOf(change, hook).select('id').where('due_at', 'is', null);
  const kept = over.orderBy('created_at', 'desc').orderBy('seq', 'desc').limit(KEPT);
  const all = change.deleteFrom('hook_deliveries').where('hook', '=', hook).where('due_at', 'is', null);
  await all.where('id', 'not in', kept).execute();
};

/** Deliveries waiting at a hook, or the oldest of them, are attempted no more. */
export const giveUp = async (
  change: Change,
  hook: string,
  fault: 'switched-off' | 'too-many',
  most?: number,
): Promise<void> => {
  const waiting = waitingAt(change, hook).select('id').orderBy('created_at').orderBy('seq');
  await change
    .updateTable('hook_deliveries')
    .set({ state: 'given-up', due_at: null, fault })
    .where('id', 'in', most === undefined ? waiting : waiting.limit(most))
    .execute();
  await thin(change, hook);
};

/** Of a delivery that begins. */
export const untried = {
  ...{ state: 'waiting', attempts: 0, lease_owner: null, lease_until: 0 },
  ...{ tried_at: null, status: null, fault: null, ms: null },
};

/** Deliveries that wait, of one hook; beyond these the oldest are given up. */
const MOST_WAITING = 500;
const KEPT_MS = 30 * 86_400_000;

/** Stores the deliveries that are due. Rows are locked in the order users, hooks, deliveries. */
export const createHookOutbox = (
  runner: Runner,
  { sealer, log, timeZone }: Pick<StoreDeps, 'sealer' | 'log' | 'timeZone'>,
): { outbox: EventOutbox } & Pick<HookStore, 'claim' | 'settle' | 'waiting' | 'release' | 'sweep'> => {
  const open = opening({ sealer, log });
  const outbox: EventOutbox = {
    async put(change, userid, entries) {
      const hooks = (await hooksOf(change, userid)).map(outlineOf);
      for (const hook of hooks) {
        const wanted = entries.filter(
          (entry) => (hook.state === 'on' || entry.type === 'test.ping') && isWanted(hook, entry),
        );
        if (wanted.length === 0) continue;
        const rows = wanted.slice(-MOST_WAITING).map((entry) => {
          const id = newId();
          const sealed_body = sealer.seal(eventBody(entry, hook.detail, timeZone), places.delivery({ userid, id }));
          const { id: event, type, seq, occurredAt: at } = entry;
          const asked = type === 'test.ping' ? 1 : 0;
          return {
            id,
            userid,
            hook: hook.id,
            event,
            type,
            seq,
            sealed_body,
            asked,
            created_at: at,
            due_at: at,
            ...untried,
          };
        });
        await change.insertInto('hook_deliveries').values(rows).execute();
        const count = await countOf(waitingAt(change, hook.id));
        if (count > MOST_WAITING) await giveUp(change, hook.id, 'too-many', count - MOST_WAITING);
      }
    },
    async thresholds(change, userid) {
      const hooks = (await hooksOf(change, userid)).map(outlineOf);
      const wanted = hooks.filter(({ state, types }) => state === 'on' && types.includes('electricity.low'));
      return [...new Set(wanted.flatMap(({ lowKwh }) => lowKwh ?? []))];
    },
  };
  return {
    outbox,
    async claim(owner, { now, lifeMs, busy, quickOnly }) {
      const time = leaseTime(runner, now);
      // A row that is due later than anything can be was written by a clock that was ahead.
      const isDue = (column: string) =>
        sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + LONGEST_PAUSE_MS})`;
      return runner.run('claim delivery', async (db) => {
        let due = db
          .selectFrom('hook_deliveries as d')
          .innerJoin('event_hooks as h', 'h.id', 'd.hook')
          .select('d.id')
          .where(isDue('d.due_at'))
          // A later version may know more types.
          .where('d.type', 'in', eventTypeNames)
          .where(time.isOver('d.lease_until', lifeMs))
          .where((to) => to.or([to('h.state', '=', 'on'), to('d.asked', '=', 1)]))
          .orderBy('d.due_at')
          .orderBy('d.seq')
          .limit(1);
        if (busy.length > 0) due = due.where('h.host', 'not in', busy);
        const isQuick = sql<boolean>`d.attempts = 0 and h.failing_since is null and h.delivered_at is not null`;
        if (quickOnly) due = due.where(isQuick);
        if (runner.kind === 'postgres') due = due.forUpdate('d').skipLocked();
        const row = await db
          .updateTable('hook_deliveries')
          .set({ lease_owner: owner, lease_until: time.end(lifeMs) })
          .where('id', 'in', due)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined || !isEventType(row.type)) return null;
        const hook = await db.selectFrom('event_hooks').selectAll().where('id', '=', row.hook).executeTakeFirst();
        if (hook === undefined) return null;
        const { userid, id } = hook;
        const secret = open(hook.sealed_secret, places.hookSecret(hook), id);
        const url = open(hook.sealed_url, places.hookUrl(hook), id);
        const body = open(row.sealed_body, places.delivery(row), id);
        return {
          ...{ id: row.id, hook: id, userid, host: hook.host, event: row.event, type: row.type },
          // An address that cannot be opened leads nowhere, and is tried again like any other failure.
          url: secret === null || body === null ? '' : (url ?? ''),
          format: outlineOf(hook).format,
          secret,
          body: body ?? '',
          attempts: row.attempts,
          asked: row.asked === 1,
          proven: hook.failing_since === null && hook.delivered_at !== null,
        };
      });
    },
    settle: ({ id, hook: hookId }, owner, { outcome, status, fault, ms, now, nextAt }) =>
      runner.transact('settle delivery', async (change) => {
        const hook = await locked(change, hookId);
        if (hook === undefined) return null;
        const tried = await change
          .updateTable('hook_deliveries')
          .set((to) => ({
            attempts: to('attempts', '+', 1),
            ...{ tried_at: now, status, fault, ms, due_at: nextAt, lease_owner: null, lease_until: 0 },
            state: outcome === 'delivered' ? 'delivered' : nextAt === null ? 'given-up' : 'waiting',
          }))
          .where(has({ id, lease_owner: owner }))
          .where('due_at', 'is not', null)
          .executeTakeFirst();
        if (tried.numUpdatedRows === 0n) return null;
        const since = outcome === 'delivered' ? null : Math.min(hook.failing_since ?? now, now);
        const hasFailed = since !== null && now - since >= FAILING_MS;
        const state = hook.state !== 'on' ? hook.state : outcome === 'gone' ? 'gone' : hasFailed ? 'failed' : 'on';
        await change
          .updateTable('event_hooks')
          .set({ failing_since: since, state, ...(outcome === 'delivered' ? { delivered_at: now } : {}) })
          .where('id', '=', hookId)
          .execute();
        if (state !== 'on') await giveUp(change, hookId, 'switched-off');
        else if (nextAt === null) await thin(change, hookId);
        return state === hook.state ? null : outlineOf({ ...hook, state }).state;
      }),
    waiting: (ids) =>
      runner.all(
        'look at deliveries under way',
        (db) => db.selectFrom('hook_deliveries').select('id').where('id', 'in', ids).where('due_at', 'is not', null),
        ({ id }) => id,
      ),
    release: (owner) =>
      runner.done('release deliveries', (db) =>
        db.updateTable('hook_deliveries').set({ lease_owner: null, lease_until: 0 }).where('lease_owner', '=', owner),
      ),
    sweep: (now) =>
      runner.deletedInPieces('sweep deliveries', 'hook_deliveries', (to) => to('created_at', '<', now - KEPT_MS)),
  };
};
