import type { Transaction } from 'kysely';
import type { Tables } from '../schema.ts';

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

/** Takes the lock of the users row until the transaction ends; false when there is no such user. */
export const lockUser = async (transaction: Transaction<Tables>, userid: string): Promise<boolean> => {
  const row = await transaction
    .updateTable('users')
    .set((to) => ({ created_at: to.ref('created_at') }))
    .where('userid', '=', userid)
    .returning('userid')
    .executeTakeFirst();
  return row !== undefined;
};
