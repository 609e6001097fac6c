import { sql } from 'kysely';
import type { CampusQueueStore } from '../../domain/reads/ports.ts';
import { put } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import { leaseTime } from '../leases.ts';

export const createCampusQueueStore = (runner: Runner): CampusQueueStore => ({
  state: (name, now) =>
    runner.run('look at a line', async (db) => {
      const { time } = leaseTime(runner, now);
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
    }),
  async ended(name, now, pauseMs) {
    const { time } = leaseTime(runner, now);
    const pause = {
      pause_until: pauseMs === undefined ? 0 : sql<number>`${time} + ${pauseMs}`,
      pause_ms: pauseMs ?? 0,
    };
    const kept = pauseMs === undefined ? (['pause_until', 'pause_ms'] as const) : [];
    await runner.run('leave a line', (db) => put(db, 'campus_lines', { name, ended_at: time, ...pause }, kept));
  },
});
