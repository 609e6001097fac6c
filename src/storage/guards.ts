import { type Kysely, sql, type Transaction } from 'kysely';
import type { GuardPart, GuardStore, GuardTexts } from '../domain/accounts/guard/stored-rows.ts';
import type { Erasing } from '../domain/accounts/ports.ts';
import type { KeyedNames } from '../lib/hash.ts';
import { put } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { Store } from './store.ts';

const GATEWAY = 'gateway';
const PAGE = 500;

/** Row names of a student id in any spelling: the first is written, the others belong to rotated keys. */
const namesOf = (names: KeyedNames, userid: string): string[] => names.all('asked', userid.toLowerCase());

type StoredGuard = Tables['guard_rows'];

const textOf = ({ memory, expires_at: expiresAt }: StoredGuard) => ({ memory, expiresAt });

const storedTextsOf = (own: readonly string[], rows: readonly StoredGuard[]): GuardTexts => {
  const byName = new Map(rows.map((row) => [row.name, textOf(row)]));
  return { student: own.toReversed().flatMap((name) => byName.get(name) ?? []), gateway: byName.get(GATEWAY) };
};

/** Creates missing rows, locks all until the transaction ends, and reads them. */
const lockRows = (transaction: Transaction<Tables>, names: readonly string[], until: number): Promise<StoredGuard[]> =>
  transaction
    .insertInto('guard_rows')
    // Sorted, so that no two transactions wait for each other.
    .values(names.toSorted().map((name) => ({ name, memory: '', expires_at: until })))
    // A row that is only locked keeps its age.
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((to) => ({ expires_at: to.ref('guard_rows.expires_at') })),
    )
    .returningAll()
    .execute();

export const eraseGuardRow = async (
  transaction: Transaction<Tables>,
  names: KeyedNames,
  userid: string,
  leave: Erasing['left'],
): Promise<void> => {
  const own = namesOf(names, userid);
  const held = await lockRows(transaction, own, 0);
  const [name = ''] = own;
  await transaction.deleteFrom('guard_rows').where('name', 'in', own).execute();
  const left = leave(storedTextsOf(own, held).student);
  if (left !== null) await put(transaction, 'guard_rows', { name, memory: left.memory, expires_at: left.expiresAt });
};

export class SqlGuardStore extends Store implements GuardStore {
  async read(userid: string): Promise<GuardTexts> {
    const own = namesOf(this.deps.names, userid);
    const both = [...own, GATEWAY];
    const found = await this.runner.run('read guard', (db) =>
      db.selectFrom('guard_rows').selectAll().where('name', 'in', both).execute(),
    );
    return storedTextsOf(own, found);
  }

  change: GuardStore['change'] = (userid, lock, until, decide) =>
    this.runner.transact('change guard', async (transaction) => {
      const own = namesOf(this.deps.names, userid);
      const locked = lock.flatMap((part) => (part === 'student' ? own : GATEWAY));
      const { result, write } = decide(storedTextsOf(own, await lockRows(transaction, locked, until)));
      const rows = Object.entries(write).flatMap(([part, { memory, expiresAt }]): StoredGuard[] => {
        const [name = '', ...former] = part === 'student' ? own : [GATEWAY];
        const emptied = former.map((each) => ({ name: each, memory: '', expires_at: until }));
        return [{ name, memory, expires_at: expiresAt }, ...emptied];
      });
      await put(transaction, 'guard_rows', rows);
      return result;
    });

  /** The names of the rows that are. */
  async unreadable(isUnreadable: (part: GuardPart, memory: string) => boolean): Promise<string[]> {
    const found: string[] = [];
    const all = { table: 'guard_rows', where: sql`1 = 1`, order: ['name'], limit: PAGE };
    for await (const rows of this.runner.pages<StoredGuard>('check guard rows', all)) {
      const broken = rows.filter(({ name, memory }) => isUnreadable(name === GATEWAY ? 'gateway' : 'student', memory));
      found.push(...broken.map(({ name }) => name));
    }
    return found;
  }

  /** Returns false if there is no such row. */
  async forget(name: string): Promise<boolean> {
    const deletion = (db: Kysely<Tables>) => db.deleteFrom('guard_rows').where('name', '=', name);
    return (await this.runner.countDeleted('forget guard row', deletion)) > 0;
  }
}
