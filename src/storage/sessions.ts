import type { ExpressionBuilder, Transaction } from 'kysely';
import type { SavedSession, SessionPiece, SessionVault } from '../domain/accounts/ports.ts';
import { DAY_MS } from '../lib/time.ts';
import { countUser, put } from './database/rows.ts';
import type { Among } from './database/run.ts';
import { isLiveToken } from './personal-tokens.ts';
import type { Tables } from './schema.ts';
import { type Sealer, sealedPlaces, sealOrNull } from './seal.ts';
import { Store } from './store.ts';

/** A daily reading for a hook may go on with a session of today, though no token is left. */
const LEFT_MS = DAY_MS;

const nothing = { pieces: [], keepsTrust: false, now: 0 };

interface Owner {
  readonly userid: string;
  readonly revision: number;
  readonly now: number;
}

/** Seals pieces. The transaction has counted the revision, which locks the users row. */
export const putPieces = async (
  transaction: Transaction<Tables>,
  sealer: Sealer,
  { userid, revision, now }: Owner,
  pieces: readonly SessionPiece[],
): Promise<void> => {
  const rows = pieces.map(({ system, state, trust }) => ({
    userid,
    system,
    revision,
    updated_at: now,
    sealed_state: sealer.seal(state, sealedPlaces.session({ userid, system })),
    sealed_trust: sealOrNull(sealer, trust, sealedPlaces.trust({ userid, system })),
    isNew: trust !== undefined,
  }));
  const of = (isNew: boolean) => rows.flatMap(({ isNew: own, ...row }) => (own === isNew ? [row] : []));
  await put(transaction, 'upstream_sessions', of(false), ['sealed_trust']);
  await put(transaction, 'upstream_sessions', of(true));
};

/** Seals these pieces and replaces all stored ones; `keepsTrust`: but for device trust that they do not replace. */
export const replacePieces = async (
  transaction: Transaction<Tables>,
  sealer: Sealer,
  owner: Owner,
  pieces: readonly SessionPiece[],
  keepsTrust: boolean,
): Promise<void> => {
  const { userid, revision, now: updated_at } = owner;
  const before = await transaction
    .deleteFrom('upstream_sessions')
    .where('userid', '=', userid)
    .returning(['system', 'sealed_trust'])
    .execute();
  const isReplaced = (name: string) => pieces.some(({ system, trust }) => system === name && trust !== undefined);
  const kept = before.flatMap(({ system, sealed_trust }) => {
    if (!keepsTrust || sealed_trust === null || isReplaced(system)) return [];
    const sealed_state = sealer.seal('', sealedPlaces.session({ userid, system }));
    return [{ userid, system, revision, updated_at, sealed_state, sealed_trust }];
  });
  await put(transaction, 'upstream_sessions', kept);
  await putPieces(transaction, sealer, owner, pieces);
};

export const endTrust = async (transaction: Transaction<Tables>, userid: string): Promise<void> => {
  await transaction
    .updateTable('upstream_sessions')
    .set({ sealed_trust: null })
    .where('userid', '=', userid)
    .where('sealed_trust', 'is not', null)
    .execute();
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
        .select(['upstream_sessions.revision', 'upstream_sessions.sealed_trust'])
        .where('users.userid', '=', userid)
        .where('users.erased_at', 'is', null)
        .orderBy('upstream_sessions.system')
        .execute();
      const generation = rows[0]?.session_generation;
      if (generation === undefined) return null;
      const entries = rows.flatMap(({ system, sealed_state: sealed, sealed_trust, revision }) => {
        if (system === null || sealed === null || revision === null) return [];
        const place = sealedPlaces.session({ userid, system });
        const state = this.unseal(sealed, place, 'sealed session left out', (student) => ({ student, system }));
        if (state === null) return [];
        const trustedAt = sealedPlaces.trust({ userid, system });
        const trust = this.unseal(sealed_trust, trustedAt, 'sealed device trust left out', (student) => ({
          student,
          system,
        }));
        return [{ system, state, revision, ...(trust !== null && { trust }) }];
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

  /** Removes sessions of students whose last token expired; one that is ended removes them at once. Device trust goes first. */
  async sweep(now: number): Promise<number> {
    const { runner } = this;
    const ofNobody =
      ({ after, upTo }: Among) =>
      (to: ExpressionBuilder<Tables, 'upstream_sessions'>) => {
        const own = to.selectFrom('tokens').whereRef('tokens.userid', '=', 'upstream_sessions.userid');
        const isLive = to.exists(own.select('tokens.hash').where(isLiveToken(now)));
        return to.and([to('userid', '>', after), to('userid', '<=', upTo), to.not(isLive)]);
      };
    await runner.byStudents('end device trust without a token', (among) =>
      runner.countUpdated('end device trust without a token', (db) =>
        db
          .updateTable('upstream_sessions')
          .set({ sealed_trust: null })
          .where('sealed_trust', 'is not', null)
          .where(ofNobody(among)),
      ),
    );
    return runner.deletedByStudents('sweep sessions without a token', (db, among) =>
      db
        .deleteFrom('upstream_sessions')
        .where('updated_at', '<=', now - LEFT_MS)
        .where(ofNobody(among)),
    );
  }

  nextGeneration(
    userid: string,
    { pieces, keepsTrust, now }: NonNullable<Parameters<SessionVault['nextGeneration']>[1]> = nothing,
  ): Promise<SavedSession | null> {
    const { runner, sealer } = this.deps;
    return runner.transact('next session generation', async (transaction) => {
      const user = await countUser(transaction, userid, { session_generation: 1, session_revision: 1 });
      if (user === undefined) return null;
      const { session_generation: generation, session_revision: revision } = user;
      await replacePieces(transaction, sealer, { userid, revision, now }, pieces, keepsTrust);
      return { generation, revision };
    });
  }
}
