import { sql } from 'kysely';
import type { CampusWideStore, LineStore } from '../../domain/campus-wide/ports.ts';
import { put } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import { leaseTime } from '../leases.ts';

const MOST_COPIES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** Longer than any reading takes. */
const CLOCKS_MS = 300_000;
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;

/** In clear: it holds nothing of a student. */
export const createCampusWideStore = (runner: Runner): CampusWideStore & { sweep(now: number): Promise<number> } => ({
  find: ({ read, params, shape }, after) =>
    runner.one('find what is read for all', (db) =>
      db
        .selectFrom('campus_wide_copies')
        .select(['value as text', 'read_at as readAt'])
        .where((to) => to.and({ read, params, shape }))
        .where('read_at', '>', after ?? Number.MIN_SAFE_INTEGER),
    ),
  times: ({ read, shape }, params) =>
    runner.run('look at what is read for all', async (db) => {
      const rows = await db
        .selectFrom('campus_wide_copies')
        .select(['params', 'read_at'])
        .where((to) => to.and({ read, shape }))
        .where('params', 'in', params)
        .execute();
      return new Map(rows.map((row) => [row.params, row.read_at]));
    }),
  async keep({ read, params, shape }, { text, readAt }) {
    const columns = { shape, read_at: readAt, size: Buffer.byteLength(text), value: text };
    await runner.transactUnsynced('keep what is read for all', async (db) => {
      await db
        .insertInto('campus_wide_copies')
        .values({ read, params, ...columns })
        .onConflict((conflict) =>
          conflict
            .columns(['read', 'params'])
            .doUpdateSet(columns)
            .where((to) =>
              to.or([
                to('campus_wide_copies.read_at', '<=', readAt),
                // Left by a clock that was ahead.
                to('campus_wide_copies.read_at', '>', readAt + CLOCKS_MS),
                to('campus_wide_copies.shape', '!=', shape),
              ]),
            ),
        )
        .execute();
      await sql`delete from campus_wide_copies where (read, params) in (
        select read, params from (
          select read, params, row_number() over latest as place, sum(size) over latest as bytes
          from campus_wide_copies window latest as (order by read_at desc, read, params)
        ) as ordered where place > ${MOST_COPIES} or bytes > ${MOST_BYTES})`.execute(db);
    });
  },
  // What a clock that was ahead has left goes too.
  sweep: (now) =>
    runner.deleted('sweep what is read for all', (db) =>
      db
        .deleteFrom('campus_wide_copies')
        .where((to) => to.or([to('read_at', '<=', now - LONGEST_MS), to('read_at', '>', now + LONGEST_MS)])),
    ),
});

export const createCampusLineStore = (runner: Runner): LineStore => ({
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
