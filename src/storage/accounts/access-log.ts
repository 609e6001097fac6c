import { sql, type Transaction } from 'kysely';
import { type AccessEntry, type AccessLogStore, accessOutcomes } from '../../domain/accounts/access-log.ts';
import { accessSources } from '../../domain/context.ts';
import type { Runner } from '../database/run.ts';
import { places, schema, type Tables } from '../schema.ts';
import { openOrNull, type Sealer } from '../seal.ts';

type Row = Tables['access_log'];

/** Of one statement; each has a dozen values. */
const ROWS_AT_ONCE = 500;
/** Clocks of replicas differ a little. */
const SKEW_MS = 5_000;
/** Of one sweep: what is left is folded by the next one. */
const MOST_FOLDS = 200;

const keyOf = (row: Row): string => JSON.stringify(schema.access_log.key.map((column) => row[column]));

/** Replicas that write the same rows take them in the same order. */
const inOrder = (rows: readonly Row[]): Row[] => [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const addRows = async (transaction: Transaction<Tables>, rows: readonly Row[]): Promise<void> => {
  if (rows.length === 0) return;
  await transaction
    .insertInto('access_log')
    .values(inOrder(rows))
    .onConflict((conflict) =>
      conflict.columns(schema.access_log.key).doUpdateSet((to) => ({
        name: to.ref('excluded.name'),
        count: to('access_log.count', '+', to.ref('excluded.count')),
        asked: to('access_log.asked', '+', to.ref('excluded.asked')),
        first_at: sql<number>`case when excluded.first_at < access_log.first_at then excluded.first_at else access_log.first_at end`,
        last_at: sql<number>`case when excluded.last_at > access_log.last_at then excluded.last_at else access_log.last_at end`,
        sealed_network: to.ref('excluded.sealed_network'),
      })),
    )
    .execute();
};

/** The rows of one day as one. */
const merged = (rows: readonly Row[]): Row[] => {
  const days = new Map<string, Row>();
  for (const row of [...rows].sort((a, b) => a.last_at - b.last_at)) {
    const sum = days.get(keyOf(row)) ?? { ...row, count: 0, asked: 0 };
    days.set(keyOf(row), {
      ...row,
      count: sum.count + row.count,
      asked: sum.asked + row.asked,
      first_at: Math.min(sum.first_at, row.first_at),
    });
  }
  return [...days.values()];
};

/** A later version may know more words; the first one stands for those. */
const oneOf = <T extends string>(words: readonly [T, ...T[]], word: string): T =>
  words.find((one) => one === word) ?? words[0];

export const createAccessLogStore = (runner: Runner, sealer: Sealer): AccessLogStore => {
  const rowOf = ({ network, ...entry }: AccessEntry): Row => {
    const { userid, source, operation, outcome, span, name, count, asked } = entry;
    const times = { began_at: entry.from, first_at: entry.firstAt, last_at: entry.lastAt };
    const row = { userid, source, source_id: entry.id ?? '', operation, outcome, span, name, count, asked, ...times };
    return { ...row, sealed_network: network === null ? null : sealer.seal(network, places.access(row)) };
  };

  return {
    add: (entries) =>
      runner.transact('add to the access log', async (transaction) => {
        for (let at = 0; at < entries.length; at += ROWS_AT_ONCE) {
          const some = entries.slice(at, at + ROWS_AT_ONCE);
          const users = await transaction
            .selectFrom('users')
            .select(['userid', 'created_at'])
            .where('userid', 'in', [...new Set(some.map(({ userid }) => userid))])
            .execute();
          const since = new Map(users.map(({ userid, created_at: createdAt }) => [userid, createdAt - SKEW_MS]));
          // A student id that was erased and registered again is a new student.
          const good = some.filter(({ userid, firstAt }) => firstAt >= (since.get(userid) ?? Number.POSITIVE_INFINITY));
          await addRows(transaction, good.map(rowOf));
        }
      }),
    list: (userid, since, most) =>
      runner.all(
        'list accesses',
        (db) =>
          db
            .selectFrom('access_log')
            .selectAll()
            .where('userid', '=', userid)
            .where('last_at', '>=', since)
            .orderBy('last_at', 'desc')
            .limit(most),
        (row) => ({
          userid,
          source: oneOf(accessSources, row.source),
          id: row.source_id === '' ? null : row.source_id,
          name: row.name,
          operation: row.operation,
          outcome: oneOf(accessOutcomes, row.outcome),
          span: oneOf(['hour', 'day'], row.span),
          from: row.began_at,
          count: row.count,
          asked: row.asked,
          firstAt: row.first_at,
          lastAt: row.last_at,
          network: openOrNull(sealer, row.sealed_network, places.access(row)),
        }),
      ),
    async fold(before, dayOf) {
      for (let folds = 0; folds < MOST_FOLDS; folds += 1) {
        const more = await runner.transact('fold the access log', async (transaction) => {
          // What another replica folds at this moment is not returned here, and so is counted once.
          const rows = await transaction
            .deleteFrom('access_log')
            .where('span', '=', 'hour')
            .where('began_at', '=', (from) =>
              from
                .selectFrom('access_log')
                .select((to) => to.fn.min('began_at').as('oldest'))
                .where('span', '=', 'hour')
                .where('began_at', '<', before),
            )
            .returningAll()
            .execute();
          const days = merged(rows.map((row) => ({ ...row, span: 'day', began_at: dayOf(row.began_at) })));
          for (let at = 0; at < days.length; at += ROWS_AT_ONCE) {
            await addRows(transaction, days.slice(at, at + ROWS_AT_ONCE));
          }
          return rows.length > 0;
        });
        if (!more) return;
      }
    },
    async sweep(oldest, most) {
      await runner.run('sweep the access log', async (db) => {
        await db.deleteFrom('access_log').where('began_at', '<', oldest).execute();
        const key = sql.join(schema.access_log.key.map((column) => sql.ref(column)));
        await sql`delete from access_log where (${key}) in (
          select ${key} from (
            select ${key},
              row_number() over (partition by userid, source, source_id order by last_at desc) as place
            from access_log
          ) as placed where place > ${most}
        )`.execute(db);
      });
    },
  };
};
