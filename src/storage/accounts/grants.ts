import { sql, type Transaction } from 'kysely';
import { type GrantKind, grantKinds, type SettledGrants } from '../../domain/accounts/personal-tokens.ts';
import type { Tables } from '../schema.ts';

interface Settling {
  readonly userid: string;
  readonly keep: readonly GrantKind[];
  readonly now: number;
  /** Only hooks that this session made: the student alone could tell them from those of a thief. */
  readonly madeBy?: string;
}

/** The rows that are live grants of each kind; false: that kind is not meant. */
const rowsOf = ({ now, madeBy }: Settling) => ({
  feeds: madeBy === undefined && sql`"calendar_feeds" where 1 = 1`,
  hooks: madeBy === undefined ? sql`"event_hooks" where 1 = 1` : sql`"event_hooks" where made_by = ${madeBy}`,
  tokens: madeBy === undefined && sql`"tokens" where name is not null and ended_at is null and expires_at > ${now}`,
});

/** Ends all grants but those of the kinds in `keep`. The caller holds the lock of the users row, so none is added. */
export const settleGrants = async (transaction: Transaction<Tables>, settling: Settling): Promise<SettledGrants> => {
  const settled = { kept: {}, ended: {} } as const satisfies SettledGrants;
  const rows = rowsOf(settling);
  for (const kind of grantKinds) {
    if (rows[kind] === false) continue;
    const isKept = settling.keep.includes(kind);
    const ofStudent = sql`${rows[kind]} and userid = ${settling.userid}`;
    const counting = sql<{ count: number }>`select count(*) as count from ${ofStudent}`.execute(transaction);
    const count = Number((await counting).rows[0]?.count ?? 0);
    if (!isKept) await sql`delete from ${ofStudent}`.execute(transaction);
    if (count > 0) Object.assign(isKept ? settled.kept : settled.ended, { [kind]: count });
  }
  return settled;
};
