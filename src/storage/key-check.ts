import type { Runner } from './run.ts';
import type { Sealer } from './seal.ts';

/** How many students' stored passwords were sealed by a key that is not at hand. */
export const countForeignSeals = (runner: Runner, { prefixes }: Sealer): Promise<number> =>
  runner.run('check keys', async (db) => {
    const { count } = await db
      .selectFrom('credentials')
      .select((to) => to.fn.countAll<number>().as('count'))
      .where((to) => to.and(prefixes.map((prefix) => to('sealed_password', 'not like', `${prefix}%`))))
      .executeTakeFirstOrThrow();
    return Number(count);
  });
