import { sql } from 'kysely';
import type { CampusQueueState, CampusQueueStore } from '../../domain/reads/ports.ts';
import { put } from '../database/rows.ts';
import { leaseTime } from '../leases.ts';
import { Store } from '../store.ts';

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
      // One that is longer than any pause was left by a clock that was ahead.
      return { sinceMs: Math.max(0, since), pauseLeftMs: left > pauseMs ? 0 : Math.max(0, left), pauseMs };
    });
  }

  async ended(name: string, now: number, pauseMs?: number): Promise<void> {
    const { time } = leaseTime(this.runner, now);
    const pause = {
      pause_until: pauseMs === undefined ? 0 : sql<number>`${time} + ${pauseMs}`,
      pause_ms: pauseMs ?? 0,
    };
    const kept = pauseMs === undefined ? (['pause_until', 'pause_ms'] as const) : [];
    await this.runner.run('leave a campus queue', (db) =>
      put(db, 'campus_lines', { name, ended_at: time, ...pause }, kept),
    );
  }
}
