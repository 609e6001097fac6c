import type { ExpressionBuilder } from 'kysely';
import { type DueReadingStore, type DueStudent, FARTHEST_MS } from '../../domain/hooks/daily-readings.ts';
import { lockUser } from '../database/rows.ts';
import type { Tables } from '../schema.ts';
import { Store } from '../store.ts';

const DAY_MS = 86_400_000;

/** A hook of the student of the row is on and asks for it. */
const isAskedFor = (to: ExpressionBuilder<Tables, 'due_readings'>) =>
  to.exists(
    to
      .selectFrom('event_hooks')
      .select('event_hooks.id')
      .whereRef('event_hooks.userid', '=', 'due_readings.userid')
      .where('event_hooks.state', '=', 'on')
      .where('event_hooks.refresh', '=', 'daily'),
  );

/** When each student with a hook for `daily` is read next. */
export class SqlDueReadingStore extends Store implements DueReadingStore {
  unplanned(most: number): Promise<readonly string[]> {
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
      if (!(await lockUser(change, userid))) return;
      await change
        .insertInto('due_readings')
        .values({ userid, due_at: dueAt })
        .onConflict((conflict) => conflict.column('userid').doNothing())
        .execute();
    });
  }

  due(now: number): Promise<DueStudent | null> {
    return this.runner.first(
      'look for own readings',
      (db) =>
        db
          .selectFrom('due_readings')
          .selectAll()
          .where((to) => to.or([to('due_at', '<=', now), to('due_at', '>', now + FARTHEST_MS)]))
          .where(isAskedFor)
          .orderBy('due_at'),
      ({ userid, due_at: dueAt }) => ({ userid, dueAt }),
    );
  }

  async take({ userid, dueAt }: DueStudent, nextAt: number): Promise<boolean> {
    const taken = await this.runner.updated('take own reading', (db) =>
      db
        .updateTable('due_readings')
        .set({ due_at: nextAt })
        .where('userid', '=', userid)
        .where('due_at', '=', dueAt)
        .where(isAskedFor),
    );
    return taken > 0;
  }

  sweep(now: number): Promise<number> {
    return this.runner.deleted('sweep own readings', (db) =>
      db
        .deleteFrom('due_readings')
        .where('due_at', '<', now - DAY_MS)
        .where((to) => to.not(isAskedFor(to))),
    );
  }
}
