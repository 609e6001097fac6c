import { sql } from 'kysely';
import type { StudentMarks, WrittenApplication } from '../domain/context.ts';
import type { SignInStep } from '../domain/errors.ts';
import type { AnnouncedWrite, MarkStore, WriteMarking } from '../domain/reads/ports.ts';
import { countUser, hasValues } from './database/rows.ts';
import { Store } from './store.ts';

/** The step at which a stored pair was refused. One that this version does not know is a refusal too. */
export const asStep = (text: string | null): SignInStep | null =>
  text === null || text === 'portal' ? text : 'unified-login';

const writeColumnsOf = {
  academics: { count: 'academics_writes', until: 'academics_writing_until' },
  'labor-club': { count: 'labor_club_writes', until: 'labor_club_writing_until' },
  electricity: { count: 'electricity_writes', until: 'electricity_writing_until' },
} as const;

type WriteColumn = (typeof writeColumnsOf)[WrittenApplication]['count' | 'until'];
const writeColumns = Object.values(writeColumnsOf).flatMap((columns): WriteColumn[] => Object.values(columns));

/** Columns that say how a student's copies may be used. */
export const markColumns = [
  'users.session_generation',
  'credentials.refused_step',
  'room_bindings.room_code',
  ...writeColumns.map((name) => `users.${name}` as const),
] as const;

/** `markColumns` after outer joins. */
export type MarkRow = Readonly<Record<'session_generation' | WriteColumn, number | null>> &
  Readonly<Record<'refused_step' | 'room_code', string | null>>;

/** Null when there is no such student. */
export const studentMarksOf = (row: MarkRow): StudentMarks | null => {
  if (row.session_generation === null) return null;
  const markOf = ({ count, until }: (typeof writeColumnsOf)[WrittenApplication]) => ({
    count: row[count] ?? 0,
    until: row[until] ?? 0,
  });
  return {
    generation: row.session_generation,
    refusedStep: asStep(row.refused_step),
    roomCode: row.room_code,
    writes: {
      academics: markOf(writeColumnsOf.academics),
      'labor-club': markOf(writeColumnsOf['labor-club']),
      electricity: markOf(writeColumnsOf.electricity),
    },
  };
};

export class SqlMarkStore extends Store implements MarkStore {
  marks(userid: string): Promise<StudentMarks | null> {
    return this.runner.first(
      'read marks',
      (db) =>
        db
          .selectFrom('users')
          .leftJoin('credentials', 'credentials.userid', 'users.userid')
          .leftJoin('room_bindings', 'room_bindings.userid', 'users.userid')
          .select(markColumns)
          .where('users.userid', '=', userid)
          .where('users.erased_at', 'is', null),
      studentMarksOf,
    );
  }

  announceWrite(userid: string, application: WrittenApplication, mark: WriteMarking): Promise<AnnouncedWrite | null> {
    const { count, until: untilColumn } = writeColumnsOf[application];
    return this.runner.transact('announce write', async (transaction) => {
      const user = await countUser(transaction, userid, { [count]: 1 });
      if (user === undefined) return null;
      const marked = mark(user[untilColumn]);
      await transaction
        .updateTable('users')
        .set({ [untilColumn]: marked.until })
        .where(hasValues({ userid }))
        .execute();
      return { count: user[count], ...marked };
    });
  }

  endWrite(userid: string, application: WrittenApplication, write: AnnouncedWrite): Promise<void> {
    const { count, until } = writeColumnsOf[application];
    // The mark of another write that may still run stays until its time.
    const ends = sql<boolean>`${sql.ref(count)} = ${write.count} and ${write.overlaps ? 0 : 1} = 1`;
    const latest = sql`case when ${ends} then 0 else ${sql.ref(until)} end`;
    return this.runner.finish('end write', (db) =>
      db
        .updateTable('users')
        .set((to) => ({ [until]: latest, [count]: to(count, '+', 1) }))
        .where('userid', '=', userid),
    );
  }
}
