import type {
  ExpressionBuilder,
  ExpressionWrapper,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
  SqlBool,
  Transaction,
} from 'kysely';
import { schema, type Tables } from '../schema.ts';

/** The condition that a row has these values. */
export const hasValues =
  <Name extends keyof Tables>(values: Partial<Tables[Name]>) =>
  (to: ExpressionBuilder<Tables, Name>): ExpressionWrapper<Tables, Name, SqlBool> =>
    to.and(values as Parameters<typeof to.and>[0]);

type User = Tables['users'];
type CounterColumn = Extract<keyof User, 'token_sequence' | 'event_seq' | `session_${string}` | `${string}_writes`>;

/**
 * Adds to counters of a user, which locks the users row until the transaction ends. Returns the new row; undefined when
 * there is no such user, or none of `generation`. An erased one is none, so that nobody writes rows behind its erasure.
 */
export const countUser = (
  transaction: Transaction<Tables>,
  userid: string,
  counts: Partial<Record<CounterColumn, number>>,
  { generation, ...set }: { readonly generation?: number; readonly last_login_at?: number } = {},
): Promise<User | undefined> =>
  transaction
    .updateTable('users')
    .set((to) => ({
      // Something has to be set where nothing is counted.
      created_at: to.ref('created_at'),
      ...set,
      ...Object.fromEntries(Object.entries(counts).map(([name, by]) => [name, to(name as CounterColumn, '+', by)])),
    }))
    .where(hasValues({ userid, ...(generation !== undefined && { session_generation: generation }) }))
    .where('erased_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

/** Locks the users row until the transaction ends. False when there is no such user, or none of `generation`. */
export const lockUser = async (
  transaction: Transaction<Tables>,
  userid: string,
  generation?: number,
): Promise<boolean> => (await countUser(transaction, userid, {}, { generation })) !== undefined;

/** A row of any table. */
export type StoredRow = Readonly<Record<string, unknown>>;

type RowValues<Row> = { readonly [Name in keyof Row]: Row[Name] | RawBuilder<Row[Name]> };

/** Inserts rows, or updates the rows with their keys, except their columns in `unchanged`. */
export const put = async <Name extends keyof Tables>(
  db: Kysely<Tables>,
  name: Name,
  given: RowValues<Tables[Name]> | ReadonlyArray<RowValues<Tables[Name]>>,
  unchanged: ReadonlyArray<keyof Tables[Name]> = [],
): Promise<void> => {
  const rows = [given].flat();
  if (rows.length === 0) return;
  const key: readonly string[] = schema[name].key;
  const others = Object.keys(rows[0] ?? {}).filter((column) => ![...key, ...unchanged].includes(column));
  // The builder cannot follow the type of rows through a table name that is a variable.
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

/** Inserts a row. Returns false, and changes nothing, if its key exists. */
export const insertNew = async <Name extends keyof Tables>(
  db: Kysely<Tables>,
  name: Name,
  row: RowValues<Tables[Name]>,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto<keyof Tables>(name)
    .values(row as never)
    .onConflict((conflict) => conflict.columns(schema[name].key as never).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
};

export const countRows = async <T extends keyof Tables>(
  query: SelectQueryBuilder<Tables, T, object>,
): Promise<number> => {
  const { count } = await query.select((to) => to.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
};
