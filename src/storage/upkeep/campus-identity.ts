import type { Kysely } from 'kysely';
import type { AccountStore } from '../../domain/accounts/ports.ts';
import {
  type CampusIdentity,
  demoIdentity,
  identityText,
  isDemo,
  isSameCampus,
  readIdentity,
} from '../../lib/campus-identity.ts';
import { put } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import type { Tables } from '../schema.ts';

/** What the demo campus leaves in a database. */
interface DemoTraces {
  readonly code: string;
  readonly students: readonly string[];
}

/** What taking a database over has removed. */
interface Adoption {
  readonly demoStudents: number;
  readonly demoCodes: number;
  readonly roomTrees: number;
  readonly chosenRooms: number;
  /** Students whose campus sessions were ended. */
  readonly students: number;
}

const only = 'campus';

const ownerOf = async (db: Kysely<Tables>, demoCode: string): Promise<CampusIdentity | null> => {
  const row = await db.selectFrom('campus_identity').select('identity').where('name', '=', only).executeTakeFirst();
  if (row !== undefined) return readIdentity(row.identity);
  // Written by a version that did not note its campus: only the demo campus makes this code.
  const code = await db.selectFrom('invite_codes').select('code').where('code', '=', demoCode).executeTakeFirst();
  return code === undefined ? null : demoIdentity;
};

/** Which campus the database belongs to. */
export const createCampusIdentityStore = (runner: Runner, accounts: AccountStore, erased: () => void) => {
  /** Null while it belongs to none. */
  const ownerIn = (demoCode: string): Promise<CampusIdentity | null> =>
    runner.run('read campus identity', (db) => ownerOf(db, demoCode));

  return {
    owner: ownerIn,
    /**
     * Makes the database that of `present` unless it belongs to a campus already. Of processes that start at once one
     * decides, and the others take its answer.
     * @returns the campus it belongs to from now on
     */
    claim: (present: CampusIdentity, demoCode: string): Promise<CampusIdentity> =>
      runner.transact('claim database', async (transaction) => {
        const identity = identityText((await ownerOf(transaction, demoCode)) ?? present);
        await transaction
          .insertInto('campus_identity')
          .values({ name: only, identity })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
        // On PostgreSQL the line above has waited for a rival, whose row this statement sees.
        const owner = await ownerOf(transaction, demoCode);
        if (owner === null) throw new Error('the campus identity is missing');
        const grown = identityText({ ...owner, ...present });
        if (isSameCampus(owner, present) && grown !== identityText(owner)) {
          await transaction.updateTable('campus_identity').set({ identity: grown }).where('name', '=', only).execute();
        }
        return owner;
      }),
    /**
     * Makes the database that of `present`. What came from the demo campus goes first, and the identity changes last: cut
     * short, it is simply done again. Campus sessions end, since their cookies belong to the former addresses.
     */
    async adopt(present: CampusIdentity, demo: DemoTraces): Promise<Adoption> {
      const owner = await ownerIn(demo.code);
      const wasDemo = owner !== null && isDemo(owner);
      let demoStudents = 0;
      for (const userid of wasDemo ? demo.students : []) {
        if (await accounts.deleteUser(userid)) demoStudents += 1;
      }
      const adoption = await runner.transact('adopt database', async (transaction) => {
        const removed = { demoStudents, demoCodes: 0, roomTrees: 0, chosenRooms: 0 };
        if (wasDemo) {
          const [codes] = await transaction.deleteFrom('invite_codes').where('code', '=', demo.code).execute();
          const [trees] = await transaction.deleteFrom('room_trees').execute();
          const [rooms] = await transaction.deleteFrom('room_bindings').execute();
          await transaction.deleteFrom('room_refreshes').execute();
          await transaction.deleteFrom('campus_wide_copies').execute();
          removed.demoCodes = Number(codes?.numDeletedRows ?? 0);
          removed.roomTrees = Number(trees?.numDeletedRows ?? 0);
          removed.chosenRooms = Number(rooms?.numDeletedRows ?? 0);
        }
        const [ended] = await transaction
          .updateTable('users')
          .set((to) => ({ session_generation: to('session_generation', '+', 1) }))
          .execute();
        await transaction.deleteFrom('upstream_sessions').execute();
        const identity = identityText(present);
        await put(transaction, 'campus_identity', { name: only, identity });
        return { ...removed, students: Number(ended?.numUpdatedRows ?? 0) };
      });
      erased();
      return adoption;
    },
  };
};
