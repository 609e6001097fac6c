import { sql, type Transaction } from 'kysely';
import { type GrantKind, grantKinds, noGrants, type SettledGrants } from '../../domain/accounts/grants.ts';
import type { Tables } from '../schema.ts';

interface Settling {
  readonly userid: string;
  readonly keep: readonly GrantKind[];
  readonly now: number;
}

/** Where the live grants of a kind are at `now`, each a row of one student. */
const rowsOf = (kind: GrantKind, now: number) =>
  ({
    feeds: { table: sql.table('calendar_feeds'), good: sql`1 = 1` },
    hooks: { table: sql.table('event_hooks'), good: sql`1 = 1` },
    tokens: { table: sql.table('tokens'), good: sql`name is not null and ended_at is null and expires_at > ${now}` },
  })[kind];

/** Ends what is not kept. The caller holds the lock of the users row, so none is made until then. */
export const settleGrants = async (
  transaction: Transaction<Tables>,
  { userid, keep, now }: Settling,
): Promise<SettledGrants> => {
  const settled = { kept: {}, ended: {} } as const satisfies SettledGrants;
  for (const kind of grantKinds) {
    const { table, good } = rowsOf(kind, now);
    const isKept = keep.includes(kind);
    const ofStudent = sql`${table} where userid = ${userid} and ${good}`;
    const counting = sql<{ count: number }>`select count(*) as count from ${ofStudent}`.execute(transaction);
    const count = Number((await counting).rows[0]?.count ?? 0);
    if (!isKept) await sql`delete from ${ofStudent}`.execute(transaction);
    if (count > 0) Object.assign(isKept ? settled.kept : settled.ended, { [kind]: count });
  }
  return settled;
};

/** The same for what one session has made: hooks, which only the student could tell from those of a thief. */
export const settleHooksOf = async (
  transaction: Transaction<Tables>,
  { userid, madeBy, keep }: Pick<Settling, 'userid' | 'keep'> & { readonly madeBy: string },
): Promise<SettledGrants> => {
  const isKept = keep.includes('hooks');
  const hooks = await transaction
    .selectFrom('event_hooks')
    .select('id')
    .where('userid', '=', userid)
    .where('made_by', '=', madeBy)
    .execute();
  if (hooks.length === 0) return noGrants;
  if (isKept) return { ...noGrants, kept: { hooks: hooks.length } };
  await transaction.deleteFrom('event_hooks').where('userid', '=', userid).where('made_by', '=', madeBy).execute();
  return { ...noGrants, ended: { hooks: hooks.length } };
};
