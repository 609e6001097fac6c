import { type Kysely, type SqlBool, sql } from 'kysely';
import { eventTypeNames, isEventType } from '../domain/events/records.ts';
import type {
  AttemptResult,
  ClaimedDelivery,
  DeliveryStore,
  DueDelivery,
  DuePage,
  HookState,
  LeaseTimes,
} from '../domain/hooks/ports.ts';
import { DAY_MS } from '../lib/time.ts';
import { hasValues } from './database/rows.ts';
import { forgetOld, giveUp, type HookRow, lockHook, outlineOf } from './hooks.ts';
import { leaseTime } from './leases.ts';
import type { Tables } from './schema.ts';
import { type SealedPlace, sealedPlaces } from './seal.ts';
import { Store } from './store.ts';

/** After nothing but failures for this long a hook is switched off. */
const FAILING_MS = 5 * DAY_MS;

const stateAfter = (hook: HookRow, outcome: AttemptResult['outcome'], failingMs: number): string => {
  if (hook.state !== 'on') return hook.state;
  if (outcome === 'gone') return 'gone';
  return failingMs >= FAILING_MS ? 'failed' : 'on';
};

/** The outbox of hooks. Rows are locked in the order users, hooks, deliveries. */
export class SqlDeliveryStore extends Store implements DeliveryStore {
  due({ after, most, areAhead = false, ...times }: DuePage): Promise<readonly DueDelivery[]> {
    return this.runner.run('look for due deliveries', async (db) => {
      const { dueAt = -1, seq = 0, id = '' } = after ?? {};
      const isBehind = sql<SqlBool>`(d.due_at, d.seq, d.id) > (${dueAt}, ${seq}, ${id})`;
      const rows = await this.#selectClaimable(db, times)
        .select(['d.id', 'd.due_at', 'd.seq', 'd.attempts', 'h.host', 'h.failing_since', 'h.delivered_at'])
        // A clock that was ahead wrote any row due later than the longest pause.
        .where('d.due_at', areAhead ? '>' : '<=', times.now + (areAhead ? this.deps.numbers.longestPauseMs : 0))
        .$if(after !== null, (query) => query.where(isBehind))
        .orderBy('d.due_at')
        .orderBy('d.seq')
        .orderBy('d.id')
        .limit(most)
        .execute();
      return rows.map((row) => ({
        ...{ id: row.id, host: row.host, dueAt: row.due_at ?? 0, seq: row.seq },
        isQuick: row.attempts === 0 && row.failing_since === null && row.delivered_at !== null,
      }));
    });
  }

  claim(owner: string, ids: readonly string[], times: LeaseTimes): Promise<ClaimedDelivery | null> {
    return this.runner.run('claim delivery', async (db) => {
      const isDue = sql<SqlBool>`(d.due_at <= ${times.now} or d.due_at > ${times.now + this.deps.numbers.longestPauseMs})`;
      const first = this.#selectClaimable(db, times)
        .select('d.id')
        .where('d.id', 'in', ids)
        .where(isDue)
        .orderBy('d.due_at')
        .orderBy('d.seq')
        .orderBy('d.id')
        .limit(1)
        .$if(this.runner.kind === 'postgres', (query) => query.forUpdate('d').skipLocked());
      const row = await db
        .updateTable('hook_deliveries')
        .set({ lease_owner: owner, lease_until: leaseTime(this.runner, times.now).end(times.lifeMs) })
        .where('id', 'in', first)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      const hook = await db.selectFrom('event_hooks').selectAll().where('id', '=', row.hook).executeTakeFirst();
      return hook === undefined ? null : this.#toClaimed(row, hook);
    });
  }

  settle(
    { id, hook: hookId }: Pick<ClaimedDelivery, 'id' | 'hook'>,
    owner: string,
    { outcome, status, fault, ms, now, nextAt }: AttemptResult,
  ): Promise<HookState | null> {
    return this.runner.transact('settle delivery', async (change) => {
      const hook = await lockHook(change, hookId);
      if (hook === undefined) return null;
      const tried = await change
        .updateTable('hook_deliveries')
        .set((to) => ({
          attempts: to('attempts', '+', 1),
          tried_at: now,
          status,
          fault,
          ms,
          due_at: nextAt,
          lease_owner: null,
          lease_until: 0,
          state: outcome === 'delivered' ? 'delivered' : nextAt === null ? 'given-up' : 'waiting',
        }))
        .where(hasValues({ id, lease_owner: owner }))
        .where('due_at', 'is not', null)
        .executeTakeFirst();
      if (tried.numUpdatedRows === 0n) return null;
      const since = outcome === 'delivered' ? null : Math.min(hook.failing_since ?? now, now);
      const state = stateAfter(hook, outcome, now - (since ?? now));
      await change
        .updateTable('event_hooks')
        .set({ failing_since: since, state, ...(outcome === 'delivered' && { delivered_at: now }) })
        .where('id', '=', hookId)
        .execute();
      if (state !== 'on') await giveUp(change, hookId, 'switched-off');
      else if (nextAt === null) await forgetOld(change, hookId);
      return state === hook.state ? null : outlineOf({ ...hook, state }).state;
    });
  }

  waiting(ids: readonly string[]): Promise<readonly string[]> {
    return this.runner.all(
      'look at deliveries under way',
      (db) => db.selectFrom('hook_deliveries').select('id').where('id', 'in', ids).where('due_at', 'is not', null),
      ({ id }) => id,
    );
  }

  release(owner: string): Promise<void> {
    return this.runner.finish('release deliveries', (db) =>
      db.updateTable('hook_deliveries').set({ lease_owner: null, lease_until: 0 }).where('lease_owner', '=', owner),
    );
  }

  /** Deliveries under no lease whose hook wants them. */
  #selectClaimable(db: Kysely<Tables>, { now, lifeMs }: LeaseTimes) {
    return (
      db
        .selectFrom('hook_deliveries as d')
        .innerJoin('event_hooks as h', 'h.id', 'd.hook')
        // A later version may know more types.
        .where('d.type', 'in', eventTypeNames)
        .where(leaseTime(this.runner, now).isOver('d.lease_until', lifeMs))
        .where((to) => to.or([to('h.state', '=', 'on'), to('d.asked', '=', 1)]))
    );
  }

  #toClaimed(row: Tables['hook_deliveries'], hook: HookRow): ClaimedDelivery | null {
    if (!isEventType(row.type)) return null;
    const { userid, id } = hook;
    const unseal = (sealed: string, place: SealedPlace): string | null =>
      this.unseal(sealed, place, 'sealed hook cannot be opened', () => ({ hook: id }));
    const secret = unseal(hook.sealed_secret, sealedPlaces.hookSecret(hook));
    const url = unseal(hook.sealed_url, sealedPlaces.hookUrl(hook));
    const body = unseal(row.sealed_body, sealedPlaces.delivery(row));
    return {
      id: row.id,
      hook: id,
      userid,
      host: hook.host,
      event: row.event,
      type: row.type,
      // A delivery that cannot be opened goes nowhere, and is tried again like any other failure.
      url: secret === null || body === null ? '' : (url ?? ''),
      format: outlineOf(hook).format,
      secret,
      body: body ?? '',
      attempts: row.attempts,
      asked: row.asked === 1,
      verified: hook.failing_since === null && hook.delivered_at !== null,
    };
  }
}
