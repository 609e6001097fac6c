import { type Kysely, sql, type Transaction } from 'kysely';
import type { GuardMemory } from '../../domain/accounts/guard/events.ts';
import { cautiousGateway, emptyCode, type GatewayMemory } from '../../domain/accounts/guard/memory.ts';
import { guardMemoryMs } from '../../domain/accounts/guard/numbers.ts';
import type { GuardPart, GuardScope, GuardStore } from '../../domain/accounts/ports.ts';
import type { Log } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { KeyedNames, TagOf } from '../../lib/keyed-names.ts';
import type { Runner } from '../database/run.ts';
import type { Tables } from '../schema.ts';
import { codeMemory, gatewayMemory, isReadable, studentMemory, studentRows } from './guard-rows.ts';

/** Where the memory of one student id lies; it goes when the account is erased. */
export const studentMemoryName = (userid: string): string => `student:${userid}`;

const ASKED = 'asked:';
const GATEWAY = 'gateway';

interface GuardStoreDeps {
  readonly names: KeyedNames;
  readonly clock: Clock;
  readonly tagOf: TagOf;
  readonly log: Log;
}

/** The names of the rows of a scope. */
interface Rows {
  readonly own: string;
  /**
   * What was asked at the campus for the id, in any spelling, under no name: it outlives the account by a day. The first
   * one is written; the others are of keys that were rotated.
   */
  readonly asked: readonly string[];
  readonly code: string | null;
  readonly network: string | null;
}

const rowsOf = (names: KeyedNames, { userid, code, network }: GuardScope): Rows => ({
  own: studentMemoryName(userid),
  asked: names.all('asked', userid.toLowerCase()).map((name) => ASKED + name),
  code: code === null ? null : `code:${code}`,
  network: network === undefined ? null : `network:${network}`,
});

/** In this order rows are locked, so that no two transactions wait for each other. */
const parts = ['student', 'gateway', 'code'] as const;

const namesOf = (part: GuardPart, { own, asked, code }: Rows): string[] => {
  if (part === 'student') return [own, ...asked.toSorted()];
  if (part === 'gateway') return [GATEWAY];
  return code === null ? [] : [code];
};

/** Makes sure of the row and holds it until the transaction ends. */
const lockRow = async (transaction: Transaction<Tables>, name: string, now: number): Promise<void> => {
  await transaction
    .insertInto('guard_memory')
    .values({ name, memory: '', touched_at: now })
    // What nothing has been written to is as old as it was: the sweep goes by it.
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((to) => ({ touched_at: to.ref('guard_memory.touched_at') })),
    )
    .execute();
};

const writeRow = async (
  db: Kysely<Tables>,
  { name, memory, now }: { name: string; memory: string; now: number },
): Promise<void> => {
  await db
    .insertInto('guard_memory')
    .values({ name, memory, touched_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ memory, touched_at: now }))
    .execute();
};

/** No memory is no freedom: where it cannot be understood, nothing is compared and nothing is asked. */
const understood = <T>(memory: T | null, row: string): T => {
  if (memory === null) throw new Failure('storage-failed', { reason: `the guard row ${row} cannot be understood` });
  return memory;
};

export const createGuardStore = (
  runner: Runner,
  { names, tagOf, clock, log }: GuardStoreDeps,
): GuardStore & {
  /** The rows that cannot be understood. */
  unreadable(): Promise<string[]>;
  /** Forgets one row; false: there is none of that name. */
  forget(name: string): Promise<boolean>;
} => {
  /** Only this row concerns everybody, so nonsense in it is replaced, by what costs the campus least. */
  const readGateway = async (db: Kysely<Tables>, memory: string | undefined): Promise<GatewayMemory> => {
    const gateway = gatewayMemory(memory);
    if (gateway !== null || memory === undefined) return gateway ?? cautiousGateway(clock.now());
    const cautious = cautiousGateway(clock.now());
    log.error(
      { row: GATEWAY },
      'a guard row cannot be understood: no new password is put to the campus for an hour, unless it is reset',
    );
    await db
      .updateTable('guard_memory')
      .set({ memory: JSON.stringify(cautious), touched_at: clock.now() })
      .where('name', '=', GATEWAY)
      .where('memory', '=', memory)
      .execute();
    return cautious;
  };

  const readAll = async (db: Kysely<Tables>, scope: GuardScope): Promise<GuardMemory> => {
    const { own, asked, code, network } = rowsOf(names, scope);
    const wanted = [own, ...asked, GATEWAY, code, network].filter((name) => name !== null);
    const rows = await db
      .selectFrom('guard_memory')
      .select(['name', 'memory', 'touched_at'])
      .where('name', 'in', wanted)
      .execute();
    const found = new Map(rows.map((row) => [row.name, row]));
    const textOf = (name: string): string | undefined => found.get(name)?.memory;
    return {
      student: understood(studentMemory(textOf(own), asked.map(textOf)), `of student ${tagOf(scope.userid)}`),
      gateway: await readGateway(db, textOf(GATEWAY)),
      code: code === null ? emptyCode : understood(codeMemory(textOf(code)), 'of an invite code'),
      network: { acceptedAt: network === null ? 0 : (found.get(network)?.touched_at ?? 0) },
    };
  };

  return {
    read: (scope) => runner.run('read guard', (db) => readAll(db, scope)),
    change: (scope, lock, now, decide) =>
      runner.transact('change guard', async (transaction) => {
        const rows = rowsOf(names, scope);
        for (const part of parts) {
          for (const name of lock.includes(part) ? namesOf(part, rows) : []) await lockRow(transaction, name, now);
        }
        const { result, write } = decide(await readAll(transaction, scope));
        for (const part of parts) {
          if (write[part] !== undefined && !lock.includes(part)) {
            throw new Error(`the guard changes ${part} without holding it`);
          }
        }
        const put = (name: string, memory: string) => writeRow(transaction, { name, memory, now });
        if (write.student !== undefined) {
          const { own, asked } = studentRows(write.student);
          await put(rows.own, own);
          const [current, ...earlier] = rows.asked;
          if (current !== undefined) await put(current, asked);
          for (const name of earlier) await put(name, '');
        }
        if (write.gateway !== undefined) await put(GATEWAY, JSON.stringify(write.gateway));
        if (write.code !== undefined && rows.code !== null) await put(rows.code, JSON.stringify(write.code));
        if (write.network !== undefined && rows.network !== null) {
          await writeRow(transaction, { name: rows.network, memory: '', now: write.network.acceptedAt });
        }
        return result;
      }),
    unreadable: () =>
      runner.run('check guard rows', async (db) => {
        const found: string[] = [];
        let after = '';
        for (;;) {
          const rows = await db
            .selectFrom('guard_memory')
            .select(['name', 'memory'])
            .where('name', '>', after)
            .orderBy('name')
            .limit(PAGE)
            .execute();
          found.push(...rows.filter(({ name, memory }) => !isReadable(name, memory)).map(({ name }) => name));
          if (rows.length < PAGE) return found;
          after = rows.at(-1)?.name ?? '';
        }
      }),
    forget: async (name) =>
      (await runner.deleted('forget guard row', (db) => db.deleteFrom('guard_memory').where('name', '=', name))) > 0,
    sweep: (now) =>
      runner.deleted('sweep guards', (db) =>
        db.deleteFrom('guard_memory').where((to) =>
          to.or([
            to.and([to('name', 'like', `${ASKED}%`), to('touched_at', '<', now - guardMemoryMs.asked)]),
            to.and([
              to('touched_at', '<', now - guardMemoryMs.unregistered),
              to.or([
                to('touched_at', '<', now - guardMemoryMs.registered),
                to.not(
                  to.exists(
                    to
                      .selectFrom('users')
                      .select('userid')
                      .where(
                        sql<boolean>`users.userid = substr(guard_memory.name, ${sql.lit(studentMemoryName('').length + 1)})`,
                      ),
                  ),
                ),
              ]),
            ]),
          ]),
        ),
      ),
  };
};

const PAGE = 500;
