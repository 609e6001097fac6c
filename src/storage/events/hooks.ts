import type { Hook, HookChange, HookDelivery, HookStore, NewHook } from '../../domain/hooks/ports.ts';
import { hostName } from '../../domain/hooks/targets.ts';
import { has, lockUser } from '../database/rows.ts';
import { places } from '../schema.ts';
import { Store } from '../store.ts';
import { deliveryOf, giveUp, type HookRow, hooksOf, lockHook, outlineOf } from './hook-rows.ts';

const hostOf = (url: string): string => (URL.canParse(url) ? hostName(new URL(url).hostname) : '');

/** The hooks of students. */
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
        sealed_secret: this.deps.sealer.seal(secret, places.hookSecret({ userid, id })),
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
      (db) => db.selectFrom('event_hooks').selectAll().where(has({ userid })).orderBy('created_at').orderBy('id'),
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
      const isOtherDetail = detail !== undefined && detail !== hook.detail;
      // Columns that are undefined stay as they are.
      const columns = {
        types: types?.join(' '),
        detail,
        format,
        low_kwh: lowKwh,
        refresh,
        state,
        ...(state === 'on' && hook.state !== 'on' && { failing_since: null }),
        // It ends with the session that decided whom it tells, and how much.
        ...((isOtherUrl || isOtherDetail) && { made_by: by }),
        ...(url !== undefined && this.#urlColumns(url, userid, id)),
      };
      if (Object.values(columns).some((value) => value !== undefined))
        await change.updateTable('event_hooks').set(columns).where('id', '=', id).execute();
      if (state === 'paused') await giveUp(change, id, 'switched-off');
      return true;
    });
  }

  delete(userid: string, id: string): Promise<boolean> {
    return this.erase('delete hook', (db) => db.deleteFrom('event_hooks').where(has({ userid, id })));
  }

  deliveries(userid: string, id: string, most: number): Promise<HookDelivery[] | null> {
    return this.runner.run('list deliveries', async (db) => {
      const hook = await db.selectFrom('event_hooks').select('id').where(has({ userid, id })).executeTakeFirst();
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

  /** The host is stored as a keyed hash: deliveries are spread over hosts by it. */
  #urlColumns(url: string, userid: string, id: string): Pick<HookRow, 'sealed_url' | 'host'> {
    const { sealer, names } = this.deps;
    return { sealed_url: sealer.seal(url, places.hookUrl({ userid, id })), host: names.one('hook-host', hostOf(url)) };
  }

  #urlOf(row: HookRow): string | null {
    return this.unseal(row.sealed_url, places.hookUrl(row), 'hook', { hook: row.id });
  }
}
