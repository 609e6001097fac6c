import type { HookStore, HookWish } from '../../domain/hooks/ports.ts';
import { lockUser } from '../database/rows.ts';
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
  newId,
  opening,
  outlineOf,
  untried,
} from './hook-outbox.ts';
import type { EventOutbox } from './journal.ts';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** Hooks, with the outbox of what they are to be told. */
export const createHookStore = (runner: Runner, deps: StoreDeps): HookStore & { readonly outbox: EventOutbox } => {
  const { sealer, names, erased } = deps;
  const open = opening(deps);
  const outbox = createHookOutbox(runner, deps);
  const nameOf = (host: string): string => names.one('hook-host', host);

  const settingColumns = (
    userid: string,
    id: string,
    { url, types, detail, format, lowKwh, refresh }: Partial<HookWish>,
  ) => ({
    ...(url !== undefined && {
      sealed_url: sealer.seal(url, places.hookUrl({ userid, id })),
      host: nameOf(hostOf(url)),
    }),
    ...{ types: types?.join(' '), detail, format, low_kwh: lowKwh, refresh },
  });

  const owned = async (change: Change, userid: string, id: string): Promise<HookRow | null> => {
    const row = await locked(change, id);
    return row?.userid === userid ? row : null;
  };

  return {
    outbox,
    ...{ claim: outbox.claim, settle: outbox.settle, waiting: outbox.waiting },
    ...{ release: outbox.release, sweep: outbox.sweep },
    make: (userid, { id, now, secret, madeBy, ...settings }, most) =>
      runner.transact('make hook', async (change) => {
        if (!(await lockUser(change, userid))) return 'user-gone';
        if ((await hooksOf(change, userid)).length >= most) return 'full';
        const { url, types, detail, format, lowKwh, refresh } = settings;
        await change
          .insertInto('event_hooks')
          .values({
            ...{ id, userid, detail, format, types: types.join(' '), low_kwh: lowKwh, refresh },
            host: nameOf(hostOf(url)),
            sealed_url: sealer.seal(url, places.hookUrl({ userid, id })),
            sealed_secret: sealer.seal(secret, places.hookSecret({ userid, id })),
            ...{ sealed_old_secret: null, old_secret_until: null, state: 'on', made_by: madeBy, created_at: now },
            ...{ delivered_at: null, failing_since: null },
          })
          .execute();
        return 'made';
      }),
    list: (userid) =>
      runner.all(
        'list hooks',
        (db) =>
          db.selectFrom('event_hooks').selectAll().where('userid', '=', userid).orderBy('created_at').orderBy('id'),
        (row) => ({ ...outlineOf(row), url: open(row.sealed_url, places.hookUrl(row), row.id) ?? '' }),
      ),
    change: (userid, id, { state, ...settings }) =>
      runner.transact('change hook', async (change) => {
        const hook = await owned(change, userid, id);
        if (hook === null) return false;
        const begun = state === 'on' && hook.state !== 'on' ? { failing_since: null } : {};
        // What is undefined stays as it is.
        const columns = { ...settingColumns(userid, id, settings), state, ...begun };
        if (Object.values(columns).some((value) => value !== undefined))
          await change.updateTable('event_hooks').set(columns).where('id', '=', id).execute();
        if (state === 'paused') await giveUp(change, id, 'switched-off');
        return true;
      }),
    rotate: (userid, id, secret, oldUntil) =>
      runner.transact('rotate hook', async (change) => {
        const hook = await owned(change, userid, id);
        if (hook === null) return false;
        const before = open(hook.sealed_secret, places.hookSecret(hook), id);
        await change
          .updateTable('event_hooks')
          .set({
            sealed_secret: sealer.seal(secret, places.hookSecret(hook)),
            sealed_old_secret: before === null ? null : sealer.seal(before, places.hookOldSecret(hook)),
            old_secret_until: before === null ? null : oldUntil,
          })
          .where('id', '=', id)
          .execute();
        return true;
      }),
    async delete(userid, id) {
      const deleted = await runner.deleted('delete hook', (db) =>
        db.deleteFrom('event_hooks').where((to) => to.and({ userid, id })),
      );
      if (deleted > 0) erased();
      return deleted > 0;
    },
    deliveries: (userid, id, most) =>
      runner.run('list deliveries', async (db) => {
        const hook = await db
          .selectFrom('event_hooks')
          .select('id')
          .where((to) => to.and({ userid, id }))
          .executeTakeFirst();
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
    again: (userid, id, delivery, now) =>
      runner.transact('repeat delivery', async (change) => {
        if ((await owned(change, userid, id)) === null) return false;
        const row = await change
          .selectFrom('hook_deliveries')
          .selectAll()
          .where('hook', '=', id)
          .where('id', '=', delivery)
          .executeTakeFirst();
        const body = row && open(row.sealed_body, places.delivery(row), id);
        if (row === undefined || body == null) return false;
        const next = newId();
        await change
          .insertInto('hook_deliveries')
          .values({
            ...{ ...row, ...untried, id: next, asked: 1, created_at: now, due_at: now },
            sealed_body: sealer.seal(body, places.delivery({ userid, id: next })),
          })
          .execute();
        return true;
      }),
  };
};
