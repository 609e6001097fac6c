import type { Kysely, Transaction } from 'kysely';
import type { GuardMemory } from '../domain/accounts/guard/events.ts';
import type { GuardPart, GuardScope, GuardStore } from '../domain/accounts/ports.ts';
import { codeMemory, gatewayMemory, studentMemory } from './guard-rows.ts';
import type { Runner } from './run.ts';
import type { Tables } from './schema.ts';

/** Where the memory of one student id lies; it goes when the account is erased. */
export const studentMemoryName = (userid: string): string => `student:${userid}`;

const nameOf = (part: GuardPart, { userid, code }: GuardScope): string | null => {
  if (part === 'student') return studentMemoryName(userid);
  if (part === 'gateway') return 'gateway';
  return code === null ? null : `code:${code}`;
};

/** In this order rows are locked, so that no two transactions wait for each other. */
const parts = ['student', 'gateway', 'code'] as const;

const readAll = async (db: Kysely<Tables>, scope: GuardScope): Promise<GuardMemory> => {
  const names = parts.flatMap((part) => nameOf(part, scope) ?? []);
  const rows = await db.selectFrom('guard_memory').select(['name', 'memory']).where('name', 'in', names).execute();
  const of = (part: GuardPart): string | undefined => rows.find(({ name }) => name === nameOf(part, scope))?.memory;
  return { student: studentMemory(of('student')), gateway: gatewayMemory(of('gateway')), code: codeMemory(of('code')) };
};

/** Makes sure of the row and holds it until the transaction ends. */
const lockRow = async (transaction: Transaction<Tables>, name: string, now: number): Promise<void> => {
  await transaction
    .insertInto('guard_memory')
    .values({ name, memory: '', touched_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ touched_at: now }))
    .execute();
};

export const createGuardStore = (runner: Runner): GuardStore => ({
  read: (scope) => runner.run('read guard', (db) => readAll(db, scope)),
  change: (scope, lock, now, decide) =>
    runner.transact('change guard', async (transaction) => {
      for (const part of parts) {
        const name = lock.includes(part) ? nameOf(part, scope) : null;
        if (name !== null) await lockRow(transaction, name, now);
      }
      const { result, write } = decide(await readAll(transaction, scope));
      for (const part of parts) {
        const memory = write[part];
        const name = nameOf(part, scope);
        if (memory === undefined || name === null) continue;
        if (!lock.includes(part)) throw new Error(`the guard changes ${part} without holding it`);
        await transaction
          .updateTable('guard_memory')
          .set({ memory: JSON.stringify(memory) })
          .where('name', '=', name)
          .execute();
      }
      return result;
    }),
  sweep: (before) =>
    runner.deleted('sweep guards', (db) => db.deleteFrom('guard_memory').where('touched_at', '<', before)),
});
