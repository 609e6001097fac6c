import type { ExpressionBuilder } from 'kysely';
import type { GuardState, GuardStore } from '../domain/accounts/ports.ts';
import type { Runner } from './run.ts';
import type { Tables } from './schema.ts';

/** How long the length of the last pause is remembered after its end, so the next one can be longer. */
const pauseMemoryMs = 86_400_000;

const isEmpty = (state: GuardState): boolean =>
  state.loginCoolDownUntil === null &&
  state.registrationCoolDownUntil === null &&
  state.pauseUntil === null &&
  state.pauseSeconds === 0;

export class SqlGuardStore implements GuardStore {
  readonly #runner: Runner;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  read(userid: string): Promise<GuardState> {
    return this.#runner.run('read guard', async (db) => {
      const row = await db.selectFrom('guards').selectAll().where('userid', '=', userid).executeTakeFirst();
      return {
        loginCoolDownUntil: row?.login_cool_down_until ?? null,
        registrationCoolDownUntil: row?.registration_cool_down_until ?? null,
        pauseUntil: row?.pause_until ?? null,
        pauseSeconds: row?.pause_seconds ?? 0,
      };
    });
  }

  async write(userid: string, state: GuardState): Promise<void> {
    await this.#runner.run('write guard', async (db) => {
      if (isEmpty(state)) {
        await db.deleteFrom('guards').where('userid', '=', userid).execute();
        return;
      }
      const columns = {
        login_cool_down_until: state.loginCoolDownUntil,
        registration_cool_down_until: state.registrationCoolDownUntil,
        pause_until: state.pauseUntil,
        pause_seconds: state.pauseSeconds,
      };
      await db
        .insertInto('guards')
        .values({ userid, ...columns })
        .onConflict((conflict) => conflict.column('userid').doUpdateSet(columns))
        .execute();
    });
  }

  sweep(now: number): Promise<number> {
    const over = (
      to: ExpressionBuilder<Tables, 'guards'>,
      column: 'login_cool_down_until' | 'registration_cool_down_until' | 'pause_until',
      moment: number,
    ) => to.or([to(column, 'is', null), to(column, '<=', moment)]);
    return this.#runner.run('sweep guards', async (db) => {
      const { numDeletedRows } = await db
        .deleteFrom('guards')
        .where((to) =>
          to.and([
            over(to, 'login_cool_down_until', now),
            over(to, 'registration_cool_down_until', now),
            over(to, 'pause_until', now - pauseMemoryMs),
          ]),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  }
}
