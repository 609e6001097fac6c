import type { Kysely, RawBuilder, SelectQueryBuilder, Transaction } from 'kysely';
import { schema, type Tables } from '../schema.ts';

/** Statements on rows that several stores need. */

/**
 * Takes the next number of one of the user's counters and, with it, the lock of the users row until the transaction
 * ends. Null when there is no such user.
 */
export const nextOf = async (
  transaction: Transaction<Tables>,
  userid: string,
  counter: 'token_sequence' | Extract<keyof Tables['users'], `session_${string}` | `${string}_writes`>,
): Promise<number | null> => {
  const row = await transaction
    .updateTable('users')
    .set((to) => ({ [counter]: to(counter, '+', 1) }))
    .where('userid', '=', userid)
    .returning(counter)
    .executeTakeFirst();
  return row?.[counter] ?? null;
};

/** Takes the lock of the users row until the transaction ends; false when there is no such user, or none of `generation`. */
export const lockUser = async (
  transaction: Transaction<Tables>,
  userid: string,
  generation?: number,
): Promise<boolean> => {
  const row = await transaction
    .updateTable('users')
    .set((to) => ({ created_at: to.ref('created_at') }))
    .where('userid', '=', userid)
    .$if(generation !== undefined, (update) => update.where('session_generation', '=', generation ?? 0))
    .returning('userid')
    .executeTakeFirst();
  return row !== undefined;
};

type Given<Row> = { readonly [Name in keyof Row]: Row[Name] | RawBuilder<Row[Name]> };

/** Inserts rows, or updates those with their keys, but for the columns that are `kept`. */
export const put = async <Name extends keyof Tables>(
  db: Kysely<Tables>,
  name: Name,
  given: Given<Tables[Name]> | ReadonlyArray<Given<Tables[Name]>>,
  kept: ReadonlyArray<keyof Tables[Name]> = [],
): Promise<void> => {
  const rows = [given].flat();
  if (rows.length === 0) return;
  const key: readonly string[] = schema[name].key;
  const others = Object.keys(rows[0] ?? {}).filter((column) => ![...key, ...kept].includes(column));
  // The types of rows are those of their table, which the builder cannot follow through a name that is a variable.
  await db
    .insertInto<keyof Tables>(name)
    .values(rows as never)
    .onConflict((conflict) =>
      conflict
        .columns(key as never)
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(others.map((column) => [column, ref(`excluded.${column}` as never)])),
        ),
    )
    .execute();
};

export const countOf = async <T extends keyof Tables>(
  query: SelectQueryBuilder<Tables, T, object>,
): Promise<number> => {
  const { count } = await query.select((to) => to.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
};
