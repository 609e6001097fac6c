import { sql } from 'kysely';
import type { AnnouncedWrite, MarkStore } from '../domain/reads/ports.ts';
import type { StudentMarks } from '../domain/reads/types.ts';
import { asStep } from './pair-columns.ts';
import type { Runner } from './run.ts';
import type { CredentialsTable, UsersTable } from './schema.ts';
import { nextOf } from './users-lock.ts';

/** Columns of users, credentials and room_bindings that say how a student's copies may be used. */
export const markColumns = [
  'users.session_generation',
  'credentials.refused_step',
  'room_bindings.room_code',
  'users.academics_writes',
  'users.academics_writing_until',
  'users.labor_club_writes',
  'users.labor_club_writing_until',
  'users.electricity_writes',
  'users.electricity_writing_until',
] as const;

type Marked = Pick<
  UsersTable,
  | 'session_generation'
  | 'academics_writes'
  | 'academics_writing_until'
  | 'labor_club_writes'
  | 'labor_club_writing_until'
  | 'electricity_writes'
  | 'electricity_writing_until'
>;

/** As `markColumns` come through outer joins. */
export type MarkRow = { readonly [Column in keyof Marked]: Marked[Column] | null } & {
  readonly refused_step: CredentialsTable['refused_step'];
  readonly room_code: string | null;
};

/** Null when there is no such student. */
export const marksOf = (row: MarkRow): StudentMarks | null => {
  if (row.session_generation === null) return null;
  return {
    generation: row.session_generation,
    refusedStep: asStep(row.refused_step),
    roomCode: row.room_code,
    writes: {
      academics: { count: row.academics_writes ?? 0, until: row.academics_writing_until ?? 0 },
      'labor-club': { count: row.labor_club_writes ?? 0, until: row.labor_club_writing_until ?? 0 },
      electricity: { count: row.electricity_writes ?? 0, until: row.electricity_writing_until ?? 0 },
    },
  };
};

const columnsOf = {
  academics: { count: 'academics_writes', until: 'academics_writing_until' },
  'labor-club': { count: 'labor_club_writes', until: 'labor_club_writing_until' },
  electricity: { count: 'electricity_writes', until: 'electricity_writing_until' },
} as const;

export const createMarkStore = (runner: Runner): MarkStore => ({
  marks: (userid) =>
    runner.run('read marks', async (db) => {
      const row = await db
        .selectFrom('users')
        .leftJoin('credentials', 'credentials.userid', 'users.userid')
        .leftJoin('room_bindings', 'room_bindings.userid', 'users.userid')
        .select(markColumns)
        .where('users.userid', '=', userid)
        .executeTakeFirst();
      return row === undefined ? null : marksOf(row);
    }),
  announceWrite(userid, application, { now, until }) {
    const { count, until: untilColumn } = columnsOf[application];
    return runner.transact<AnnouncedWrite | null>('announce write', async (transaction) => {
      const counted = await nextOf(transaction, userid, count);
      if (counted === null) return null;
      const before = await transaction
        .selectFrom('users')
        .select(untilColumn)
        .where('userid', '=', userid)
        .executeTakeFirstOrThrow();
      const latest = Math.max(before[untilColumn], until);
      await transaction
        .updateTable('users')
        .set({ [untilColumn]: latest })
        .where('userid', '=', userid)
        .execute();
      return { count: counted, until: latest, overlaps: before[untilColumn] > now };
    });
  },
  async endWrite(userid, application, write) {
    const { count, until } = columnsOf[application];
    // Another write that began meanwhile, or was under way before, may not have ended: its mark stays until its time.
    const ends = sql<boolean>`${sql.ref(count)} = ${write.count} and ${write.overlaps ? 0 : 1} = 1`;
    await runner.run('end write', (db) =>
      db
        .updateTable('users')
        .set((to) => ({
          [until]: sql`case when ${ends} then 0 else ${sql.ref(until)} end`,
          [count]: to(count, '+', 1),
        }))
        .where('userid', '=', userid)
        .execute(),
    );
  },
});
