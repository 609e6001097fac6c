import { type Kysely, sql, type Transaction } from 'kysely';
import type { GuardPart, GuardStore } from '../domain/accounts/guard/guard.ts';
import { guardNumbers, memoryMs } from '../domain/accounts/guard/numbers.ts';
import {
  afterErasure,
  cautiousGateway,
  emptyGateway,
  emptyStudent,
  GatewayRow,
  type GuardRows,
  StudentRow,
} from '../domain/accounts/guard/row.ts';
import { stateReader } from '../domain/record.ts';
import type { KeyedNames } from '../lib/hash.ts';
import { put } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { Store } from './store.ts';

const GATEWAY = 'gateway';
const GATEWAY_MS = 366 * 86_400_000;
const PAGE = 500;

/** Row names of a student id in any spelling: the first is written, the others belong to rotated keys. */
const namesOf = (names: KeyedNames, userid: string): string[] => names.all('asked', userid.toLowerCase());

const studentIn = stateReader(StudentRow);
const gatewayIn = stateReader(GatewayRow);

type StoredGuard = Tables['guard_rows'];

/** Treats an unreadable row as spent, which affects its student only. */
const studentOf = ({ memory, expires_at: until }: StoredGuard): StudentRow =>
  memory === '' ? emptyStudent : (studentIn(memory) ?? { ...emptyStudent, spentUntil: until });

const merge = (a: StudentRow, b: StudentRow): StudentRow => ({
  guesses: [...a.guesses, ...b.guesses],
  rights: [...a.rights, ...b.rights],
  asks: [...a.asks, ...b.asks],
  refused: [...a.refused, ...b.refused],
  troubles: [...a.troubles, ...b.troubles],
  networks: [...a.networks, ...b.networks],
  challenges: [...a.challenges, ...b.challenges],
  codes: [...a.codes, ...b.codes],
  mark: a.mark ?? b.mark,
  acceptedAt: Math.max(a.acceptedAt, b.acceptedAt),
  restsSince: Math.max(a.restsSince, b.restsSince),
  spentUntil: Math.max(a.spentUntil, b.spentUntil),
});

/** Merges the rows of one student, the oldest key first. */
const studentFrom = (rows: readonly StoredGuard[]): StudentRow => {
  const [one = emptyStudent, ...others] = rows.map(studentOf);
  return others.reduce(merge, one);
};

const studentRow = (name: string, student: StudentRow, now: number): StoredGuard => ({
  name,
  memory: JSON.stringify(student),
  expires_at: now + (student.networks.length > 0 || student.mark !== null ? guardNumbers.home.lifeMs : memoryMs),
});

/** Creates missing rows, locks all until the transaction ends, and reads them. */
const lockRows = (transaction: Transaction<Tables>, names: readonly string[], now: number): Promise<StoredGuard[]> =>
  transaction
    .insertInto('guard_rows')
    // Sorted, so that no two transactions wait for each other.
    .values(names.toSorted().map((name) => ({ name, memory: '', expires_at: now + memoryMs })))
    // A row that is only locked keeps its age.
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((to) => ({ expires_at: to.ref('guard_rows.expires_at') })),
    )
    .returningAll()
    .execute();

/** Leaves the latest asks and refusals, under a keyed hash, for a day longer than the account. */
export const eraseGuardRow = async (
  transaction: Transaction<Tables>,
  names: KeyedNames,
  userid: string,
  now: number,
): Promise<void> => {
  const own = namesOf(names, userid);
  const held = await lockRows(transaction, own, now);
  const [first = ''] = own;
  await transaction.deleteFrom('guard_rows').where('name', 'in', own).execute();
  const left = afterErasure(studentFrom(held));
  if (left.asks.length + left.refused.length > 0) await put(transaction, 'guard_rows', studentRow(first, left, now));
};

const isUnreadable = ({ name, memory }: StoredGuard): boolean =>
  memory !== '' && (name === GATEWAY ? gatewayIn(memory) : studentIn(memory)) === null;

export class SqlGuardStore extends Store implements GuardStore {
  async read(userid: string): Promise<GuardRows> {
    const own = namesOf(this.deps.names, userid);
    const both = [...own, GATEWAY];
    const found = await this.runner.run('read guard', (db) =>
      db.selectFrom('guard_rows').selectAll().where('name', 'in', both).execute(),
    );
    return this.#rowsFrom(own, found);
  }

  change<T>(
    userid: string,
    lock: readonly GuardPart[],
    seen: GuardRows,
    decide: (rows: GuardRows) => { readonly result: T; readonly write: Partial<GuardRows> },
  ): Promise<T> {
    const { runner, names, clock } = this.deps;
    return runner.transact('change guard', async (transaction) => {
      const now = clock.now();
      const own = namesOf(names, userid);
      const locked = lock.flatMap((part) => (part === 'student' ? own : GATEWAY));
      const held = await lockRows(transaction, locked, now);
      const there = this.#rowsFrom(own, held);
      const { result, write } = decide({
        student: lock.includes('student') ? there.student : seen.student,
        gateway: lock.includes('gateway') ? there.gateway : seen.gateway,
      });
      const { student, gateway } = write;
      const rows: StoredGuard[] = [];
      if (student) rows.push(...own.map((name, at) => studentRow(name, at === 0 ? student : emptyStudent, now)));
      if (gateway) rows.push({ name: GATEWAY, memory: JSON.stringify(gateway), expires_at: now + GATEWAY_MS });
      await put(transaction, 'guard_rows', rows);
      return result;
    });
  }

  async unreadable(): Promise<string[]> {
    const found: string[] = [];
    const all = { table: 'guard_rows', where: sql`1 = 1`, order: ['name'], limit: PAGE };
    for await (const rows of this.runner.pages<StoredGuard>('check guard rows', all)) {
      found.push(...rows.filter(isUnreadable).map(({ name }) => name));
    }
    return found;
  }

  /** Returns false if there is no such row. */
  async forget(name: string): Promise<boolean> {
    const deletion = (db: Kysely<Tables>) => db.deleteFrom('guard_rows').where('name', '=', name);
    return (await this.runner.countDeleted('forget guard row', deletion)) > 0;
  }

  #rowsFrom(own: readonly string[], found: readonly StoredGuard[]): GuardRows {
    return {
      student: studentFrom(own.toReversed().flatMap((name) => found.filter((row) => row.name === name))),
      gateway: this.#gatewayOf(found.find(({ name }) => name === GATEWAY)),
    };
  }

  /** Every student depends on this row, so the substitute for an unreadable one spares the campus most. */
  #gatewayOf(row: StoredGuard | undefined): GatewayRow {
    const { clock, log } = this.deps;
    if (row === undefined || row.memory === '') return emptyGateway;
    const gateway = gatewayIn(row.memory);
    if (gateway === null) log.error({ row: GATEWAY }, 'a guard row cannot be understood: sign-ins go one at a time');
    return gateway ?? cautiousGateway(clock.now());
  }
}
