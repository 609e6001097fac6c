import type { Kysely } from 'kysely';
import type { SignInStep } from '../../domain/errors.ts';
import {
  type CampusIdentity,
  demoIdentity,
  identityText,
  isSameCampus,
  readIdentity,
} from '../../lib/campus-identity.ts';
import { insertNew, put } from '../database/rows.ts';
import type { Tables } from '../schema.ts';
import { Store } from '../store.ts';

const only = 'campus';

const ownerOf = async (db: Kysely<Tables>, demoCode: string): Promise<CampusIdentity | null> => {
  const row = await db.selectFrom('campus_identity').select('identity').where('name', '=', only).executeTakeFirst();
  if (row !== undefined) return readIdentity(row.identity);
  // An early version did not note its campus. Only the demo campus makes this code.
  const code = await db.selectFrom('invite_codes').select('code').where('code', '=', demoCode).executeTakeFirst();
  return code === undefined ? null : demoIdentity;
};

export class CampusIdentityStore extends Store {
  /** Null while it belongs to none. */
  owner(demoCode: string): Promise<CampusIdentity | null> {
    return this.runner.run('read campus identity', (db) => ownerOf(db, demoCode));
  }

  /** Makes the database that of `present` unless it belongs to a campus already. Returns the campus that it belongs to. */
  claim(present: CampusIdentity, demoCode: string): Promise<CampusIdentity> {
    return this.runner.transact('claim database', async (transaction) => {
      const identity = identityText((await ownerOf(transaction, demoCode)) ?? present);
      await insertNew(transaction, 'campus_identity', { name: only, identity });
      // On PostgreSQL the insert waited for any other process, whose row this statement sees.
      const owner = await ownerOf(transaction, demoCode);
      if (owner === null) throw new Error('the campus identity is missing');
      const grown = identityText({ ...owner, ...present });
      if (isSameCampus(owner, present) && grown !== identityText(owner)) {
        await transaction.updateTable('campus_identity').set({ identity: grown }).where('name', '=', only).execute();
      }
      return owner;
    });
  }

  /**
   * Gives the database the new addresses of its campus, at a start with `--same-campus`. Campus sessions end, since their
   * cookies belong to the former ones. `movedPasswords`: which of a student's two passwords would now go to another
   * address. Pairs with such a password are marked as refused at the first of them, so that their students log in once
   * more. Returns how many students have an account.
   */
  move(present: CampusIdentity, movedPasswords: readonly SignInStep[]): Promise<number> {
    return this.runner.transact('move campus', async (transaction) => {
      const [ended] = await transaction
        .updateTable('users')
        .set((to) => ({ session_generation: to('session_generation', '+', 1) }))
        .execute();
      await transaction.deleteFrom('upstream_sessions').execute();
      const [refusedStep] = movedPasswords;
      if (refusedStep !== undefined) {
        const good = transaction.updateTable('credentials').where('refused_step', 'is', null);
        await good.set({ refused_step: refusedStep }).execute();
      }
      await put(transaction, 'campus_identity', { name: only, identity: identityText(present) });
      return Number(ended?.numUpdatedRows ?? 0);
    });
  }
}
