import type { RawBuilder } from 'kysely';
import type { EvaluationStore } from '../domain/evaluation/types.ts';
import { hasValues, insertNew } from './database/rows.ts';
import { leaseTime } from './leases.ts';
import { Store } from './store.ts';

/** Every write names the revision that it replaces, so of two replicas that change a task at once one starts over. */
export class SqlEvaluationStore extends Store implements EvaluationStore {
  read(userid: string, now: number): ReturnType<EvaluationStore['read']> {
    return this.runner.first(
      'read evaluation task',
      (db) =>
        db
          .selectFrom('evaluation_tasks')
          .select(['userid', 'revision', 'snapshot', 'lease_owner as owner', 'expires_at as expiresAt'])
          .select(leaseTime(this.runner, now).isOver('lease_until', this.deps.numbers.processLifeMs).as('isOver'))
          .where('userid', '=', userid),
      // SQLite answers 0 or 1.
      ({ isOver, ...task }) => ({ ...task, hasDied: Boolean(isOver) }),
    );
  }

  write(task: Parameters<EvaluationStore['write']>[0]): ReturnType<EvaluationStore['write']> {
    const { userid, revision, snapshot, owner, lives, now, expiresAt } = task;
    const life = { lease_until: owner === null ? 0 : this.#lifeFrom(now) };
    const values = {
      snapshot,
      active: owner === null ? 0 : 1,
      lease_owner: owner,
      expires_at: expiresAt,
      ...(lives || owner === null ? life : {}),
    };
    return this.runner.run('write evaluation task', async (db) => {
      if (revision !== null) {
        const update = db.updateTable('evaluation_tasks').set({ ...values, revision: revision + 1 });
        const { numUpdatedRows } = await update.where(hasValues({ userid, revision })).executeTakeFirst();
        return numUpdatedRows > 0n ? revision + 1 : null;
      }
      const user = db.selectFrom('users').select('userid').where('userid', '=', userid).where('erased_at', 'is', null);
      if ((await user.executeTakeFirst()) === undefined) return null;
      const row = { userid, revision: 1, lease_until: 0, ...values };
      return (await insertNew(db, 'evaluation_tasks', row)) ? row.revision : null;
    });
  }

  beat(owner: string, userids: readonly string[], now: number): ReturnType<EvaluationStore['beat']> {
    return this.runner.run('evaluation runs live', (db) =>
      db
        .updateTable('evaluation_tasks')
        .set({ lease_until: this.#lifeFrom(now) })
        .where('userid', 'in', userids)
        .where('lease_owner', '=', owner)
        .returning(['userid', 'revision'])
        .execute(),
    );
  }

  #lifeFrom(now: number): RawBuilder<number> {
    return leaseTime(this.runner, now).end(this.deps.numbers.processLifeMs);
  }
}
