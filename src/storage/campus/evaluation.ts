import { type EvaluationStore, PROCESS_LIFE_MS } from '../../domain/evaluation/types.ts';
import type { Runner } from '../database/run.ts';
import { leaseTime } from '../leases.ts';

/** Rows of a process that died this long ago are forgotten, because their student has not come back. */
const DEAD_MS = 86_400_000;

/** Every write names the revision that it replaces, so of two replicas that change one task at once one starts over. */
export const createEvaluationStore = (runner: Runner): EvaluationStore => ({
  read: (userid, now) =>
    runner.first(
      'read evaluation task',
      (db) =>
        db
          .selectFrom('evaluation_tasks')
          .select(['revision', 'snapshot', 'lease_owner', 'expires_at'])
          .select(leaseTime(runner, now).isOver('lease_until', PROCESS_LIFE_MS).as('is_over'))
          .where('userid', '=', userid),
      ({ revision, snapshot, lease_owner: owner, expires_at: expiresAt, is_over }) => ({
        ...{ userid, revision, snapshot, owner, expiresAt },
        hasDied: Boolean(is_over),
      }),
    ),
  write({ userid, revision, snapshot, owner, lives, now, expiresAt }) {
    const life = { lease_until: owner === null ? 0 : leaseTime(runner, now).end(PROCESS_LIFE_MS) };
    const values = {
      ...{ snapshot, active: owner === null ? 0 : 1, lease_owner: owner, expires_at: expiresAt },
      ...(lives || owner === null ? life : {}),
    };
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
        .values({ userid, revision: 1, lease_until: 0, ...values })
        .onConflict((conflict) => conflict.column('userid').doNothing())
        .returning('revision')
        .executeTakeFirst();
      return row?.revision ?? null;
    });
  },
  beat: (owner, userids, now) =>
    runner.run('evaluation runs live', (db) =>
      db
        .updateTable('evaluation_tasks')
        .set({ lease_until: leaseTime(runner, now).end(PROCESS_LIFE_MS) })
        .where('userid', 'in', userids)
        .where('lease_owner', '=', owner)
        .returning(['userid', 'revision'])
        .execute(),
    ),
  sweep: (now) =>
    runner.deletedInPieces('sweep evaluation tasks', 'evaluation_tasks', (to) =>
      to.or([
        to.and([to('active', '=', 0), to('expires_at', '<=', now)]),
        to.and([to('active', '=', 1), to('lease_until', '<=', now - DEAD_MS)]),
      ]),
    ),
});
