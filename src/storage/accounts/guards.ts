import { type Kysely, sql, type Transaction } from 'kysely';
import type { GuardMemory } from '../../domain/accounts/guard/events.ts';
import { cautiousGateway } from '../../domain/accounts/guard/memory-at.ts';
import { guardMemoryMs } from '../../domain/accounts/guard/numbers.ts';
import type { GuardPart } from '../../domain/accounts/guard/table.ts';
import type { GuardScope, GuardStore } from '../../domain/accounts/keeper.ts';
import { emptyCode, type GatewayMemory } from '../../domain/accounts/records.ts';
import { Failure } from '../../domain/errors.ts';
import type { KeyedNames } from '../../lib/keyed-names.ts';
import { put } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import type { Tables } from '../schema.ts';
import { codeMemory, gatewayMemory, isReadable, studentMemory, studentRows } from './guard-rows.ts';

/** The row of one student id; it goes when the account is erased. */
export const studentMemoryName = (userid: string): string => `student:${userid}`;

const ASKED = 'asked:';
const GATEWAY = 'gateway';

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

/** Rows are locked in this order, so that no two transactions wait for each other. */
const parts = ['student', 'gateway', 'code'] as const;

const namesOf = (part: GuardPart, { own, asked, code }: Rows): string[] => {
  if (part === 'student') return [own, ...asked.toSorted()];
  if (part === 'gateway') return [GATEWAY];
  return code === null ? [] : [code];
};

type Row = Tables['guard_memory'];

/** Creates missing rows and locks all, in this order, until the transaction ends; reads them once locked. */
const lockRows = async (transaction: Transaction<Tables>, names: readonly string[], now: number): Promise<Row[]> =>
  names.length === 0
    ? []
    : transaction
        .insertInto('guard_memory')
        .values(names.map((name) => ({ name, memory: '', touched_at: now })))
        // A row that is only locked keeps its age, which the sweep goes by.
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((to) => ({ touched_at: to.ref('guard_memory.touched_at') })),
        )
        .returningAll()
        .execute();

/** Fails closed: where the memory cannot be read, no password is compared and nothing is asked. */
const understood = <T>(memory: T | null, row: string): T => {
  if (memory === null) throw new Failure('storage-failed', { reason: `the guard row ${row} cannot be understood` });
  return memory;
};

export const createGuardStore = (
  runner: Runner,
  { names, tagOf, clock, log }: StoreDeps,
): GuardStore & {
  unreadable(): Promise<string[]>;
  /** Forgets one row; false: it does not exist. */
  forget(name: string): Promise<boolean>;
} => {
  /** This row concerns every student, so nonsense in it is replaced, by what costs the campus least. */
  const readGateway = async (db: Kysely<Tables>, memory: string | undefined): Promise<GatewayMemory> => {
    const gateway = gatewayMemory(memory);
    if (gateway !== null || memory === undefined) return gateway ?? cautiousGateway(clock.now());
    const cautious = cautiousGateway(clock.now());
    log.error(
      { row: GATEWAY },
      'a guard row cannot be understood: no new password is sent to the campus for an hour, unless it is reset',
    );
    await db
      .updateTable('guard_memory')
      .set({ memory: JSON.stringify(cautious), touched_at: clock.now() })
      .where('name', '=', GATEWAY)
      .where('memory', '=', memory)
      .execute();
    return cautious;
  };

  /** `held`: rows that were read already. `seen`: what is good enough for all others. */
  const readAll = async (
    db: Kysely<Tables>,
    scope: GuardScope,
    { own, asked, code, network }: Rows = rowsOf(names, scope),
    held: readonly Row[] = [],
    seen?: GuardMemory,
  ): Promise<GuardMemory> => {
    const found = new Map(held.map((row) => [row.name, row]));
    const wanted = [own, ...asked, GATEWAY, code, network].filter((name) => name !== null && !found.has(name));
    if (wanted.length > 0 && seen === undefined) {
      const rows = await db.selectFrom('guard_memory').selectAll().where('name', 'in', wanted).execute();
      for (const row of rows) found.set(row.name, row);
    }
    const textOf = (name: string): string | undefined => found.get(name)?.memory;
    const student = () =>
      understood(studentMemory(textOf(own), asked.map(textOf)), `of student ${tagOf(scope.userid)}`);
    const codeOf = (name: string) => understood(codeMemory(textOf(name)), 'of an invite code');
    return {
      student: seen && !found.has(own) ? seen.student : student(),
      gateway: seen && !found.has(GATEWAY) ? seen.gateway : await readGateway(db, textOf(GATEWAY)),
      code: code === null ? emptyCode : seen && !found.has(code) ? seen.code : codeOf(code),
      network: seen ? seen.network : { acceptedAt: network === null ? 0 : (found.get(network)?.touched_at ?? 0) },
    };
  };

  return {
    read: (scope) => runner.run('read guard', (db) => readAll(db, scope)),
    change: (scope, lock, now, decide, seen) =>
      runner.transact('change guard', async (transaction) => {
        const rows = rowsOf(names, scope);
        const locked = parts.filter((part) => lock.includes(part)).flatMap((part) => namesOf(part, rows));
        const held = await lockRows(transaction, locked, now);
        const { result, write } = decide(await readAll(transaction, scope, rows, held, seen));
        for (const part of parts) {
          if (write[part] !== undefined && !lock.includes(part)) {
            throw new Error(`the guard changes ${part} without holding it`);
          }
        }
        const written: Array<Tables['guard_memory']> = [];
        const keep = (name: string, memory: string, at = now) => written.push({ name, memory, touched_at: at });
        if (write.student !== undefined) {
          const { own, asked } = studentRows(write.student);
          keep(rows.own, own);
          for (const [at, name] of rows.asked.entries()) keep(name, at === 0 ? asked : '');
        }
        if (write.gateway !== undefined) keep(GATEWAY, JSON.stringify(write.gateway));
        if (write.code !== undefined && rows.code !== null) keep(rows.code, JSON.stringify(write.code));
        if (write.network !== undefined && rows.network !== null) keep(rows.network, '', write.network.acceptedAt);
        await put(transaction, 'guard_memory', written);
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
