import type { HookStore } from '../../domain/hooks/ports.ts';
import { hostName } from '../../domain/hooks/targets.ts';
import { has, lockUser } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import { places } from '../schema.ts';
import {
  type Change,
  createHookOutbox,
  deliveryOf,
  giveUp,
  type HookRow,
  hooksOf,
  locked,
  opening,
  outlineOf,
} from './hook-outbox.ts';
import type { EventOutbox } from './journal.ts';

const hostOf = (url: string): string => (URL.canParse(url) ? hostName(new URL(url).hostname) : '');

/** Hooks, with the outbox of what they are to be told. */
export const createHookStore = (runner: Runner, deps: StoreDeps): HookStore & { readonly outbox: EventOutbox } => {
  const { sealer, names, erased } = deps;
  const open = opening(deps);
  const { outbox, ...others } = createHookOutbox(runner, deps);
  const urlColumns = (url: string, userid: string, id: string) => ({
    ...{ sealed_url: sealer.seal(url, places.hookUrl({ userid, id })), host: names.one('hook-host', hostOf(url)) },
  });

  const owned = async (change: Change, userid: string, id: string): Promise<HookRow | null> => {
    const row = await locked(change, id);
    return row?.userid === userid ? row : null;
  };

  return {
    outbox,
    ...others,
    make: (userid, { id, now, secret, madeBy, ...settings }, most) =>
      runner.transact('make hook', async (change) => {
        if (!(await lockUser(change, userid))) return 'user-gone';
        if ((await hooksOf(change, userid)).length >= most) return 'full';
        const { url, types, detail, format, lowKwh, refresh } = settings;
        const row = {
          ...{ id, userid, detail, format, types: types.join(' '), low_kwh: lowKwh, refresh },
          ...urlColumns(url, userid, id),
          sealed_secret: sealer.seal(secret, places.hookSecret({ userid, id })),
          ...{ state: 'on', made_by: madeBy, created_at: now },
          ...{ delivered_at: null, failing_since: null },
        };
        await change.insertInto('event_hooks').values(row).execute();
        return 'made';
      }),
    list: (userid) =>
      runner.all(
        'list hooks',
        (db) => db.selectFrom('event_hooks').selectAll().where(has({ userid })).orderBy('created_at').orderBy('id'),
        (row) => ({ ...outlineOf(row), url: open(row.sealed_url, places.hookUrl(row), row.id) ?? '' }),
      ),
    change: (userid, id, { state, url, types, detail, format, lowKwh, refresh }, by) =>
      runner.transact('change hook', async (change) => {
        const hook = await owned(change, userid, id);
        if (hook === null) return false;
        const begun = state === 'on' && hook.state !== 'on' ? { failing_since: null } : {};
        const before = open(hook.sealed_url, places.hookUrl(hook), id);
        const tellsOthers = (url !== undefined && url !== before) || (detail !== undefined && detail !== hook.detail);
        // Columns that are undefined stay as they are.
        const columns = {
          ...{ types: types?.join(' '), detail, format, low_kwh: lowKwh, refresh, state, ...begun },
          // It ends with the session that decided whom it tells, and how much.
          ...(tellsOthers ? { made_by: by } : {}),
          ...(url === undefined ? {} : urlColumns(url, userid, id)),
        };
        if (Object.values(columns).some((value) => value !== undefined))
          await change.updateTable('event_hooks').set(columns).where('id', '=', id).execute();
        if (state === 'paused') await giveUp(change, id, 'switched-off');
        return true;
      }),
    async delete(userid, id) {
      const deleted = await runner.deleted('delete hook', (db) =>
        db.deleteFrom('event_hooks').where(has({ userid, id })),
      );
      if (deleted > 0) erased();
      return deleted > 0;
    },
    deliveries: (userid, id, most) =>
      runner.run('list deliveries', async (db) => {
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
      }),
  };
};
