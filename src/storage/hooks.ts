import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { isEventType } from '../domain/events/records.ts';
import type { DueReadingStore, DueStudent } from '../domain/hooks/daily-readings.ts';
import { formatNames } from '../domain/hooks/formats.ts';
import {
  deliveryFaults,
  type Hook,
  type HookChange,
  type HookDelivery,
  type HookStore,
  hookDetails,
  hookRefreshes,
  hookStates,
  type NewHook,
} from '../domain/hooks/ports.ts';
import { hostName } from '../lib/address.ts';
import { HOUR_MS } from '../lib/time.ts';
import { hasValues, insertNew, lockUser } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { sealedPlaces } from './seal.ts';
import { Store } from './store.ts';

/** A clock that was ahead wrote any moment of a daily reading further ahead than this. */
const FARTHEST_MS = 48 * HOUR_MS;
/** Ended deliveries of a hook that are still shown. */
const KEPT = 20;

export type HookRow = Tables['event_hooks'];
export type HookTransaction = Transaction<Tables>;

const readWord = <T extends string>(words: readonly T[], word: string, otherwise: T): T =>
  words.find((each) => each === word) ?? otherwise;

export const outlineOf = (row: HookRow): Omit<Hook, 'url'> => ({
  id: row.id,
  types: row.types.split(' ').filter(isEventType),
  detail: readWord(hookDetails, row.detail, 'thin'),
  format: readWord(formatNames, row.format, 'standard'),
  refresh: readWord(hookRefreshes, row.refresh, 'none'),
  state: readWord(hookStates, row.state, 'paused'),
  lowKwh: row.low_kwh,
  createdAt: row.created_at,
  deliveredAt: row.delivered_at,
  failingSince: row.failing_since,
});

/** Empty for a type of event that only a later version knows. */
export const deliveryOf = (row: Tables['hook_deliveries']): HookDelivery[] => {
  const { id, event, type, attempts, status, ms, created_at: createdAt, tried_at: triedAt, due_at: nextAt } = row;
  if (!isEventType(type)) return [];
  const state = readWord(['waiting', 'delivered', 'given-up'], row.state, 'given-up');
  const fault = deliveryFaults.find((word) => word === row.fault) ?? null;
  return [{ id, event, type, attempts, status, ms, createdAt, triedAt, nextAt, state, fault }];
};

/** Locks the hook until the transaction ends. */
export const lockHook = (change: HookTransaction, id: string): Promise<HookRow | undefined> =>
  change
    .updateTable('event_hooks')
    .set((to) => ({ created_at: to.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const hooksOf = (db: Kysely<Tables>, userid: string): Promise<HookRow[]> =>
  db.selectFrom('event_hooks').selectAll().where(hasValues({ userid })).execute();

/** Forgets all but the newest ended deliveries of a hook. */
export const forgetOld = async (change: HookTransaction, hook: string): Promise<void> => {
  const over = change.selectFrom('hook_deliveries').select('id').where('hook', '=', hook).where('due_at', 'is', null);
  const kept = over.orderBy('created_at', 'desc').orderBy('seq', 'desc').limit(KEPT);
  const all = change.deleteFrom('hook_deliveries').where('hook', '=', hook).where('due_at', 'is', null);
  await all.where('id', 'not in', kept).execute();
};

/** Gives up the deliveries that wait at a hook, or the oldest of them. */
export const giveUp = async (
  change: HookTransaction,
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

const hostOf = (url: string): string => (URL.canParse(url) ? hostName(new URL(url).hostname) : '');

export class SqlHookStore extends Store implements HookStore {
  make(userid: string, hook: NewHook, most: number): Promise<'made' | 'full' | 'user-gone'> {
    return this.runner.transact('make hook', async (change) => {
      if (!(await lockUser(change, userid))) return 'user-gone';
      if ((await hooksOf(change, userid)).length >= most) return 'full';
      const { id, now, secret, madeBy, url, types, detail, format, lowKwh, refresh } = hook;
      const row: HookRow = {
        id,
        userid,
        ...this.#urlColumns(url, userid, id),
        sealed_secret: this.deps.sealer.seal(secret, sealedPlaces.hookSecret({ userid, id })),
        types: types.join(' '),
        detail,
        format,
        low_kwh: lowKwh,
        refresh,
        state: 'on',
        made_by: madeBy,
        created_at: now,
        delivered_at: null,
        failing_since: null,
      };
      await change.insertInto('event_hooks').values(row).execute();
      return 'made';
    });
  }

  list(userid: string): Promise<Hook[]> {
    return this.runner.all(
      'list hooks',
      (db) => db.selectFrom('event_hooks').selectAll().where(hasValues({ userid })).orderBy('created_at').orderBy('id'),
      (row) => ({ ...outlineOf(row), url: this.#urlOf(row) ?? '' }),
    );
  }

  change(
    userid: string,
    id: string,
    { state, url, types, detail, format, lowKwh, refresh }: HookChange,
    by: string,
  ): Promise<boolean> {
    return this.runner.transact('change hook', async (change) => {
      const hook = await lockHook(change, id);
      if (hook?.userid !== userid) return false;
      const isOtherUrl = url !== undefined && url !== this.#urlOf(hook);
      // Columns that are undefined stay as they are.
      const columns = {
        types: types?.join(' '),
        detail,
        format,
        low_kwh: lowKwh,
        refresh,
        state,
        ...(state === 'on' && hook.state !== 'on' && { failing_since: null }),
        // A hook ends with the session that chose its receiver, whoever has changed anything else of it since.
        ...(isOtherUrl && { made_by: by, ...this.#urlColumns(url, userid, id) }),
      };
      if (Object.values(columns).some((value) => value !== undefined))
        await change.updateTable('event_hooks').set(columns).where('id', '=', id).execute();
      if (state === 'paused') await giveUp(change, id, 'switched-off');
      return true;
    });
  }

  delete(userid: string, id: string): Promise<boolean> {
    return this.erase('delete hook', (db) => db.deleteFrom('event_hooks').where(hasValues({ userid, id })));
  }

  deliveries(userid: string, id: string, most: number): Promise<HookDelivery[] | null> {
    return this.runner.run('list deliveries', async (db) => {
      const hook = await db.selectFrom('event_hooks').select('id').where(hasValues({ userid, id })).executeTakeFirst();
      if (hook === undefined) return null;
      const rows = await db
        .selectFrom('hook_deliveries')
        .selectAll()
        .where('hook', '=', id)
        .orderBy('created_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(most)
        .execute();
      return rows.flatMap(deliveryOf);
    });
  }

  /** Deliveries are spread over hosts by the keyed hash. */
  #urlColumns(url: string, userid: string, id: string): Pick<HookRow, 'sealed_url' | 'host'> {
    const { sealer, names } = this.deps;
    return {
      sealed_url: sealer.seal(url, sealedPlaces.hookUrl({ userid, id })),
      host: names.one('hook-host', hostOf(url)),
    };
  }

  #urlOf(row: HookRow): string | null {
    return this.unseal(row.sealed_url, sealedPlaces.hookUrl(row), 'sealed hook cannot be opened', () => ({
      hook: row.id,
    }));
  }
}

/** A hook that is on asks for the reading of this row. */
export const isAskedFor = (to: ExpressionBuilder<Tables, 'due_readings'>) =>
  to.exists(
    to
      .selectFrom('event_hooks')
      .select('event_hooks.id')
      .whereRef('event_hooks.userid', '=', 'due_readings.userid')
      .where('event_hooks.state', '=', 'on')
      .where('event_hooks.refresh', '=', 'daily'),
  );

export class SqlDueReadingStore extends Store implements DueReadingStore {
  listUnplanned(most: number): Promise<readonly string[]> {
    return this.runner.all(
      'look for hooks to plan',
      (db) =>
        db
          .selectFrom('event_hooks')
          .leftJoin('due_readings', 'due_readings.userid', 'event_hooks.userid')
          .select('event_hooks.userid')
          .distinct()
          .where('event_hooks.refresh', '=', 'daily')
          .where('event_hooks.state', '=', 'on')
          .where('due_readings.due_at', 'is', null)
          .limit(most),
      ({ userid }) => userid,
    );
  }

  plan(userid: string, dueAt: number): Promise<void> {
    return this.runner.transact('plan own reading', async (change) => {
      if (await lockUser(change, userid)) await insertNew(change, 'due_readings', { userid, due_at: dueAt });
    });
  }

  due(now: number): Promise<DueStudent | null> {
    return this.runner.one('look for own readings', (db) =>
      db
        .selectFrom('due_readings')
        .select(['userid', 'due_at as dueAt'])
        .where((to) => to.or([to('due_at', '<=', now), to('due_at', '>', now + FARTHEST_MS)]))
        .where(isAskedFor)
        .orderBy('due_at'),
    );
  }

  take({ userid, dueAt }: DueStudent, nextAt: number): Promise<boolean> {
    return this.runner.hasUpdated('take own reading', (db) =>
      db
        .updateTable('due_readings')
        .set({ due_at: nextAt })
        .where(hasValues({ userid, due_at: dueAt }))
        .where(isAskedFor),
    );
  }
}
