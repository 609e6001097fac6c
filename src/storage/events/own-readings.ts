import { type ExpressionBuilder, sql } from 'kysely';
import type { RefreshStore } from '../../domain/hooks/ports.ts';
import { FARTHEST_MS } from '../../domain/hooks/refresh.ts';
import { has, lockUser } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import type { Tables } from '../schema.ts';
import { hooksOf, outlineOf } from './hook-outbox.ts';

const nothingRead = { daily_at: null, signal_at: null, day: '', readings: 0, sign_ins: 0, revision: 0 };

type Refresh = 'daily' | 'signal';

/** A hook of the student of the row is on and asks for it. */
const hasHook = (to: ExpressionBuilder<Tables, 'own_readings'>, ...refresh: readonly Refresh[]) =>
  to.exists(
    to
      .selectFrom('event_hooks')
      .select('event_hooks.id')
      .whereRef('event_hooks.userid', '=', 'own_readings.userid')
      .where('event_hooks.state', '=', 'on')
      .where('event_hooks.refresh', 'in', refresh),
  );

export const createRefreshStore = (runner: Runner): RefreshStore => {
  const plan = async (userid: string, column: 'daily_at' | 'signal_at', at: number): Promise<void> => {
    await runner.transact('plan own reading', async (change) => {
      if (!(await lockUser(change, userid))) return;
      await change
        .insertInto('own_readings')
        .values({ userid, ...nothingRead, [column]: at })
        .onConflict((conflict) =>
          conflict
            .column('userid')
            .doUpdateSet((to) => ({ [column]: at, revision: to('own_readings.revision', '+', 1) }))
            .where(`own_readings.${column}`, 'is', null),
        )
        .execute();
    });
  };

  return {
    unplanned: (most) =>
      runner.all(
        'look for hooks to plan',
        (db) =>
          db
            .selectFrom('event_hooks')
            .leftJoin('own_readings', 'own_readings.userid', 'event_hooks.userid')
            .select('event_hooks.userid')
            .distinct()
            .where('event_hooks.refresh', '=', 'daily')
            .where('event_hooks.state', '=', 'on')
            .where('own_readings.daily_at', 'is', null)
            .limit(most),
        ({ userid }) => userid,
      ),
    planDaily: (userid, at) => plan(userid, 'daily_at', at),
    planSignal: (userid, at) => plan(userid, 'signal_at', at),
    due: (now) =>
      runner.run('look for own readings', async (db) => {
        const row = await db
          .selectFrom('own_readings')
          .selectAll()
          .where((to) => {
            const due = (column: 'daily_at' | 'signal_at') =>
              to.or([to(column, '<=', now), to(column, '>', now + FARTHEST_MS)]);
            return to.or([
              to.and([due('daily_at'), hasHook(to, 'daily')]),
              to.and([due('signal_at'), hasHook(to, 'signal')]),
            ]);
          })
          // A signal is of use while it is new.
          .orderBy(sql`coalesce(signal_at, daily_at)`)
          .limit(1)
          .executeTakeFirst();
        if (row === undefined) return null;
        const { userid, revision, day, readings, sign_ins: signIns } = row;
        const hooks = (await hooksOf(db, userid))
          .map(outlineOf)
          .filter(({ state, refresh }) => state === 'on' && refresh !== 'none');
        const typesOf = (wanted: Refresh) => hooks.flatMap(({ refresh, types }) => (refresh === wanted ? types : []));
        const copies = db.selectFrom('copies').select(['read', 'params', 'read_at as readAt']).where(has({ userid }));
        const student = await db
          .selectFrom('users')
          .leftJoin('credentials', 'credentials.userid', 'users.userid')
          .leftJoin('room_bindings', 'room_bindings.userid', 'users.userid')
          .leftJoin('evaluation_tasks', 'evaluation_tasks.userid', 'users.userid')
          .select(['credentials.refused_step', 'room_bindings.room_code', 'evaluation_tasks.active'])
          .where('users.userid', '=', userid)
          .executeTakeFirst();
        return {
          ...{ userid, revision },
          plan: { dailyAt: row.daily_at, signalAt: row.signal_at, day, readings, signIns },
          types: { daily: typesOf('daily'), signal: typesOf('signal') },
          hook: hooks[0]?.id ?? '',
          readings: await copies.execute(),
          room: student?.room_code ?? null,
          isRefused: student === undefined || student.refused_step !== null,
          isEvaluating: student?.active === 1,
        };
      }),
    async book({ userid, revision }, { dailyAt, signalAt, day, readings, signIns }) {
      const booked = await runner.updated('book own readings', (db) =>
        db
          .updateTable('own_readings')
          .set({ daily_at: dailyAt, signal_at: signalAt, day, readings, sign_ins: signIns, revision: revision + 1 })
          .where(has({ userid, revision }))
          .where((to) => hasHook(to, 'daily', 'signal')),
      );
      return booked > 0;
    },
    async bookSignIn(userid, most) {
      const booked = await runner.updated('book own sign-in', (db) =>
        db
          .updateTable('own_readings')
          .set((to) => ({ sign_ins: to('sign_ins', '+', 1), revision: to('revision', '+', 1) }))
          .where('userid', '=', userid)
          .where('sign_ins', '<', most)
          .where((to) => hasHook(to, 'daily', 'signal')),
      );
      return booked > 0;
    },
    sweep: (before) =>
      runner.deleted('sweep own readings', (db) =>
        db
          .deleteFrom('own_readings')
          .where('day', '<', before)
          .where((to) => to.not(hasHook(to, 'daily', 'signal'))),
      ),
  };
};
