import type { LeaseStore } from '../domain/accounts/ports.ts';
import type { Runner } from './run.ts';

/** A lease that concerns one student is named `<purpose>:<userid>`; it goes when the account is erased. */
export const createLeaseStore = (runner: Runner): LeaseStore & { sweep(now: number): Promise<number> } => ({
  acquire(name, owner, now, ttlMs) {
    // What is left of a deadline has fractions of a millisecond, and a column of whole ones refuses them.
    return runner.run('acquire lease', async (db) => {
      const row = await db
        .insertInto('leases')
        .values({ name, owner, expires_at: Math.ceil(now + ttlMs) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet((to) => ({ owner: to.ref('excluded.owner'), expires_at: to.ref('excluded.expires_at') }))
            .where((to) => to.or([to('leases.owner', '=', owner), to('leases.expires_at', '<=', now)])),
        )
        .returning('name')
        .executeTakeFirst();
      return row !== undefined;
    });
  },
  async release(name, owner) {
    await runner.run('release lease', (db) =>
      db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute(),
    );
  },
  sweep: (now) => runner.deleted('sweep leases', (db) => db.deleteFrom('leases').where('expires_at', '<=', now)),
});
