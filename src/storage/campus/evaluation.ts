import type { EvaluationStore, TaskWrite } from '../../domain/evaluation/types.ts';
import type { Runner } from '../database/run.ts';
import { leaseTime } from '../leases.ts';

/** A task as it is stored, under the names of the domain. */
const columns = ['userid', 'revision', 'snapshot', 'lease_owner as owner', 'expires_at as expiresAt'] as const;

const leaseColumns = (runner: Runner, lease: TaskWrite['lease']) => {
  if (lease === 'keep') return {};
  return lease === null
    ? { lease_owner: null, lease_until: 0 }
    : { lease_owner: lease.owner, lease_until: leaseTime(runner, lease.now).end(lease.lifeMs) };
};

/** Every write names the revision that it replaces, so of two replicas that change one task at once one starts over. */
export const createEvaluationStore = (runner: Runner): EvaluationStore => ({
  read: (userid) =>
    runner.one('read evaluation task', (db) =>
      db.selectFrom('evaluation_tasks').select(columns).where('userid', '=', userid),
    ),
  write({ userid, revision, snapshot, active, lease, expiresAt }) {
    const values = { snapshot, active: active ? 1 : 0, expires_at: expiresAt, ...leaseColumns(runner, lease) };
    return runner.run('write evaluation task', async (db) => {
      if (revision !== null) {
        const row = await db
          .updateTable('evaluation_tasks')
          .set({ ...values, revision: revision + 1 })
          .where('userid', '=', userid)
          .where('revision', '=', revision)
          .returning('revision')
          .executeTakeFirst();
        return row?.revision ?? null;
      }
      const user = await db.selectFrom('users').select('userid').where('userid', '=', userid).executeTakeFirst();
      if (user === undefined) return null;
      const row = await db
        .insertInto('evaluation_tasks')
        .values({ userid, revision: 1, lease_owner: null, lease_until: 0, ...values })
        .onConflict((conflict) => conflict.column('userid').doNothing())
        .returning('revision')
        .executeTakeFirst();
      return row?.revision ?? null;
    });
  },
  held: (owner) =>
    runner.run('read held evaluation tasks', (db) =>
      db
        .selectFrom('evaluation_tasks')
        .select(['userid', 'revision'])
        .where('active', '=', 1)
        .where('lease_owner', '=', owner)
        .execute(),
    ),
  async renew({ owner, now, lifeMs }, userids) {
    if (userids.length === 0) return [];
    return await runner.run('renew evaluation leases', (db) =>
      db
        .updateTable('evaluation_tasks')
        .set({ lease_until: leaseTime(runner, now).end(lifeMs) })
        .where('active', '=', 1)
        .where('lease_owner', '=', owner)
        .where('userid', 'in', userids)
        .returning(['userid', 'revision'])
        .execute(),
    );
  },
  claim: ({ owner, now, lifeMs }, limit) =>
    runner.run('claim evaluation tasks', (db) => {
      const time = leaseTime(runner, now);
      return (
        db
          .updateTable('evaluation_tasks')
          .set((to) => ({ lease_owner: owner, lease_until: time.end(lifeMs), revision: to('revision', '+', 1) }))
          .where('userid', 'in', (from) =>
            from
              .selectFrom('evaluation_tasks as free')
              .select('free.userid')
              .where('free.active', '=', 1)
              .where(time.isOver('free.lease_until', lifeMs))
              .orderBy('free.lease_until')
              .limit(limit),
          )
          // Again, for the row as it is once its lock is held: another replica may have been quicker.
          .where('active', '=', 1)
          .where(time.isOver('lease_until', lifeMs))
          .returning(columns)
          .execute()
      );
    }),
  release: (owner) =>
    runner.done('release evaluation leases', (db) =>
      db.updateTable('evaluation_tasks').set({ lease_owner: null, lease_until: 0 }).where('lease_owner', '=', owner),
    ),
  sweep: (now) =>
    runner.deletedInPieces('sweep evaluation tasks', 'evaluation_tasks', (to) =>
      to.and([to('active', '=', 0), to('expires_at', '<=', now)]),
    ),
});
