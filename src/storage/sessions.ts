import type { Transaction } from 'kysely';
import type { SavedSession, SessionPiece, SessionVault } from '../domain/accounts/ports.ts';
import { countUser, put } from './database/rows.ts';
import { live } from './personal-tokens.ts';
import { places, type Tables } from './schema.ts';
import type { Sealer } from './seal.ts';
import { Store } from './store.ts';

/** A daily reading for a hook may go on with a session of today, though no token is left. */
const LEFT_MS = 86_400_000;

/** Seals pieces. The transaction has counted the revision, which locks the users row. */
export const putPieces = (
  transaction: Transaction<Tables>,
  sealer: Sealer,
  { userid, revision, now }: { readonly userid: string; readonly revision: number; readonly now: number },
  pieces: readonly SessionPiece[],
): Promise<void> => {
  const rows = pieces.map(({ system, state }) => ({
    userid,
    system,
    revision,
    updated_at: now,
    sealed_state: sealer.seal(state, places.session({ userid, system })),
  }));
  return put(transaction, 'upstream_sessions', rows);
};

/** Seals these pieces and replaces all stored ones. */
export const replacePieces: typeof putPieces = async (transaction, sealer, owner, pieces) => {
  await transaction.deleteFrom('upstream_sessions').where('userid', '=', owner.userid).execute();
  await putPieces(transaction, sealer, owner, pieces);
};

export class SqlSessionVault extends Store implements SessionVault {
  generation(userid: string): Promise<number | null> {
    return this.runner.first(
      'read session generation',
      (db) =>
        db.selectFrom('users').select('session_generation').where('userid', '=', userid).where('erased_at', 'is', null),
      (row) => row.session_generation,
    );
  }

  load(userid: string): ReturnType<SessionVault['load']> {
    return this.runner.run('load sessions', async (db) => {
      // One statement, so that the entries belong to the generation.
      const rows = await db
        .selectFrom('users')
        .leftJoin('upstream_sessions', 'upstream_sessions.userid', 'users.userid')
        .select(['users.session_generation', 'upstream_sessions.system', 'upstream_sessions.sealed_state'])
        .select('upstream_sessions.revision')
        .where('users.userid', '=', userid)
        .where('users.erased_at', 'is', null)
        .orderBy('upstream_sessions.system')
        .execute();
      const generation = rows[0]?.session_generation;
      if (generation === undefined) return null;
      const entries = rows.flatMap(({ system, sealed_state: sealed, revision }) => {
        if (system === null || sealed === null || revision === null) return [];
        const place = places.session({ userid, system });
        const state = this.unseal(sealed, place, 'sealed session left out', (student) => ({ student, system }));
        return state === null ? [] : [{ system, state, revision }];
      });
      return { generation, entries };
    });
  }

  save(userid: string, generation: number, pieces: readonly SessionPiece[], now: number): Promise<number | null> {
    const { runner, sealer } = this.deps;
    return runner.transact('save session', async (transaction) => {
      // This locks the users row: a new generation begins either before this line or after the commit.
      const user = await countUser(transaction, userid, { session_revision: 1 }, { generation });
      if (user === undefined) return null;
      await putPieces(transaction, sealer, { userid, revision: user.session_revision, now }, pieces);
      return user.session_revision;
    });
  }

  /** Removes sessions of students whose last token expired; one that is ended removes them at once. */
  sweep(now: number): Promise<number> {
    return this.runner.deletedByStudents('sweep sessions without a token', (db, { after, upTo }) =>
      db
        .deleteFrom('upstream_sessions')
        .where('userid', '>', after)
        .where('userid', '<=', upTo)
        .where('updated_at', '<=', now - LEFT_MS)
        .where((to) =>
          to.not(
            to.exists(
              to
                .selectFrom('tokens')
                .select('tokens.hash')
                .whereRef('tokens.userid', '=', 'upstream_sessions.userid')
                .where(live(now)),
            ),
          ),
        ),
    );
  }

  nextGeneration(
    userid: string,
    { pieces, now }: { readonly pieces: readonly SessionPiece[]; readonly now: number } = { pieces: [], now: 0 },
  ): Promise<SavedSession | null> {
    const { runner, sealer } = this.deps;
    return runner.transact('next session generation', async (transaction) => {
      const user = await countUser(transaction, userid, { session_generation: 1, session_revision: 1 });
      if (user === undefined) return null;
      const { session_generation: generation, session_revision: revision } = user;
      await replacePieces(transaction, sealer, { userid, revision, now }, pieces);
      return { generation, revision };
    });
  }
}
