import { type RawBuilder, sql } from 'kysely';
import type { LeaseName, LeaseStore } from '../domain/lease.ts';
import type { CampusQueueState, CampusQueueStore } from '../domain/reads/ports.ts';
import type { ReplicaStore } from '../domain/replicas.ts';
import { put } from './database/rows.ts';
import type { Runner } from './database/run.ts';
import { Store } from './store.ts';

/** Clocks that a time server sets never differ by so much. */
const CLOCKS_MS = 60_000;

/** The time of the database, in epoch milliseconds. */
const databaseTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Leases go by the time of PostgreSQL, so that replicas whose clocks differ agree. SQLite has none: `now` is that of this
 * process, and all that use the file run on one machine.
 */
export const leaseTime = ({ kind }: Pick<Runner, 'kind'>, now: number) => {
  const time = kind === 'postgres' ? databaseTime : sql<number>`${Math.floor(now)}`;
  return {
    /** The end of a lease that begins now, in whole milliseconds. */
    end: (lifeMs: number): RawBuilder<number> => sql<number>`${time} + ${Math.ceil(lifeMs)}`,
    /**
     * The lease has ended; or it ends later than any that began by now, because a clock was ahead, and its holder would
     * keep all others waiting until then.
     */
    isOver: (column: string, lifeMs: number): RawBuilder<boolean> =>
      sql<boolean>`(${sql.ref(column)} <= ${time} or ${sql.ref(column)} > ${time} + ${Math.ceil(lifeMs) + CLOCKS_MS})`,
    time,
  };
};

export class SqlLeaseStore extends Store implements LeaseStore {
  async acquire(name: LeaseName, owner: string, now: number, ttlMs: number): Promise<boolean> {
    const time = leaseTime(this.runner, now);
    const names = [name].flat().sort();
    const taken = await this.runner.statement('acquire lease', (db) =>
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
    if (taken.length > 0) await this.release(name, owner);
    return false;
  }

  async release(name: LeaseName, owner: string): Promise<void> {
    const names = [name].flat();
    await this.runner.statement('release lease', (db) =>
      db
        .deleteFrom('leases')
        .where('owner', '=', owner)
        .where('name', 'in', (from) => {
          // Locks in the order of acquisition, so that no two processes wait for each other.
          const held = from.selectFrom('leases').select('name').where('name', 'in', names).orderBy('name');
          return this.runner.kind === 'postgres' && names.length > 1 ? held.forUpdate() : held;
        })
        .execute(),
    );
  }
}

export class SqlReplicaStore extends Store implements ReplicaStore {
  announce({ id, name }: { readonly id: string; readonly name: string }, now: number, lifeMs: number): Promise<void> {
    const row = { id, name, clock_ahead: null, expires_at: leaseTime(this.runner, now).end(lifeMs) };
    return this.runner.run('announce replica', (db) => put(db, 'replicas', row));
  }

  withdraw(id: string): Promise<void> {
    return this.runner.finish('withdraw replica', (db) => db.deleteFrom('replicas').where('id', '=', id));
  }

  live(now: number, lifeMs: number): Promise<string[]> {
    const time = leaseTime(this.runner, now);
    return this.runner.all(
      'list replicas',
      (db) =>
        db
          .selectFrom('replicas')
          .select('name')
          .where((to) => to.not(time.isOver('expires_at', lifeMs)))
          .orderBy('name'),
      ({ name }) => name,
    );
  }
}

export class SqlCampusQueueStore extends Store implements CampusQueueStore {
  state(name: string, now: number): Promise<CampusQueueState> {
    return this.runner.run('look at a campus queue', async (db) => {
      const { time } = leaseTime(this.runner, now);
      const row = await db
        .selectFrom('campus_lines')
        .select([
          'pause_ms',
          sql<number>`${time} - ended_at`.as('since'),
          sql<number>`pause_until - ${time}`.as('left'),
        ])
        .where('name', '=', name)
        .executeTakeFirst();
      if (row === undefined) return { sinceMs: null, pauseLeftMs: 0, pauseMs: 0 };
      const { pause_ms: pauseMs, since, left } = row;
      // A longer one was left by a clock that was ahead.
      return { sinceMs: Math.max(0, since), pauseLeftMs: left > pauseMs ? 0 : Math.max(0, left), pauseMs };
    });
  }

  async end(name: string, now: number, pauseMs?: number): Promise<void> {
    const { time } = leaseTime(this.runner, now);
    const pause = { pause_until: sql<number>`${time} + ${pauseMs ?? 0}`, pause_ms: pauseMs ?? 0 };
    const kept = pauseMs === undefined ? (['pause_until', 'pause_ms'] as const) : [];
    await this.runner.run('leave a campus queue', (db) =>
      put(db, 'campus_lines', { name, ended_at: time, ...pause }, kept),
    );
  }
}
