import { type RawBuilder, sql } from 'kysely';
import type { LeaseStore } from '../domain/lease.ts';
import type { ReplicaStore } from '../domain/replicas.ts';
import { put } from './database/rows.ts';
import type { Runner } from './database/run.ts';

/** Beyond the life of a lease: clocks that are kept in time never differ by so much. */
const CLOCKS_MS = 60_000;

/** The time of the database, in epoch milliseconds. */
const databaseTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * The time that leases go by: that of the database where it has one, so that replicas whose clocks differ agree. SQLite
 * has none, and `now` is that of this process, on the machine of all others that use the file.
 */
export const leaseTime = ({ kind }: Pick<Runner, 'kind'>, now: number) => {
  const time = kind === 'postgres' ? databaseTime : sql<number>`${Math.floor(now)}`;
  return {
    /** The end of a lease that begins now. What is left of a deadline has fractions, and the column has none. */
    end: (lifeMs: number): RawBuilder<number> => sql<number>`${time} + ${Math.ceil(lifeMs)}`,
    /**
     * The lease has ended; or it ends later than any that began by now, because its clock was ahead then and was put
     * right since. Its holder would keep all others waiting until that time comes.
     */
    isOver: (column: string, lifeMs: number): RawBuilder<boolean> =>
      sql<boolean>`(${sql.ref(column)} <= ${time} or ${sql.ref(column)} > ${time} + ${Math.ceil(lifeMs) + CLOCKS_MS})`,
    time,
    /** Of leases of any life. */
    hasEnded: (column: string): RawBuilder<boolean> => sql<boolean>`${sql.ref(column)} <= ${time}`,
  };
};

/** A lease that concerns one student is named `<purpose>:<userid>`; it goes when the account is erased. */
export const createLeaseStore = (runner: Runner): LeaseStore & { sweep(now: number): Promise<number> } => {
  const release: LeaseStore['release'] = async (name, owner) => {
    const names = [name].flat();
    await runner.statement('release lease', (db) =>
      db
        .deleteFrom('leases')
        .where('owner', '=', owner)
        .where('name', 'in', (from) => {
          // In the order in which they are taken, so that no two wait for each other.
          const held = from.selectFrom('leases').select('name').where('name', 'in', names).orderBy('name');
          return runner.kind === 'postgres' && names.length > 1 ? held.forUpdate() : held;
        })
        .execute(),
    );
  };
  return {
    async acquire(name, owner, now, ttlMs) {
      const time = leaseTime(runner, now);
      const names = [name].flat().sort();
      const taken = await runner.statement('acquire lease', (db) =>
        db
          .insertInto('leases')
          .values(names.map((each) => ({ name: each, owner, expires_at: time.end(ttlMs) })))
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet((to) => ({ owner: to.ref('excluded.owner'), expires_at: to.ref('excluded.expires_at') }))
              .where((to) => to.or([to('leases.owner', '=', owner), time.isOver('leases.expires_at', ttlMs)])),
          )
          .returning('name')
          .execute(),
      );
      if (taken.length === names.length) return true;
      if (taken.length > 0) await release(name, owner);
      return false;
    },
    release,
    sweep: (now) =>
      runner.deleted('sweep leases', (db) =>
        db.deleteFrom('leases').where(leaseTime(runner, now).hasEnded('expires_at')),
      ),
  };
};

export const createReplicaStore = (runner: Runner): ReplicaStore => ({
  announce({ id, name }, now, lifeMs) {
    const row = { id, name, clock_ahead: null, expires_at: leaseTime(runner, now).end(lifeMs) };
    return runner.run('announce replica', (db) => put(db, 'replicas', row));
  },
  withdraw: (id) => runner.done('withdraw replica', (db) => db.deleteFrom('replicas').where('id', '=', id)),
  live: (now, lifeMs) =>
    runner.run('list replicas', async (db) => {
      const time = leaseTime(runner, now);
      const rows = await db
        .selectFrom('replicas')
        .select('name')
        .select(time.isOver('expires_at', lifeMs).as('is_over'))
        .orderBy('name')
        .execute();
      return rows.filter((row) => !row.is_over).map(({ name }) => name);
    }),
});
