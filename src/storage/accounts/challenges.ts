import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ChallengeRow, ChallengeStore } from '../../domain/accounts/challenges/ports.ts';
import { SealedChallenge } from '../../domain/accounts/challenges/records.ts';
import { challengePurposes } from '../../domain/challenge.ts';
import { has } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { SealBroken } from '../seal.ts';

const Stored = Type.Composite([
  SealedChallenge,
  Type.Object({ purpose: Type.Union(challengePurposes.map((purpose) => Type.Literal(purpose))) }),
]);
const check = TypeCompiler.Compile(Stored);

type Columns = Tables['login_challenges'];

export const createChallengeStore = (runner: Runner, { sealer, log, tagOf, erased }: StoreDeps): ChallengeStore => {
  const columnsOf = ({ idHash, userid, purpose, left, expiresAt, revision, ...kept }: ChallengeRow): Columns => ({
    id_hash: idHash,
    userid,
    purpose,
    kind: kept.asked.kind,
    sealed_challenge: sealer.seal(JSON.stringify(kept), places.challenge({ userid, id_hash: idHash })),
    answers_left: left,
    expires_at: expiresAt,
    revision,
  });

  /** Null: it cannot be unsealed, or another version has written it. */
  const rowOf = (columns: Columns): ChallengeRow | null => {
    const { id_hash: idHash, userid, purpose, answers_left: left, expires_at: expiresAt, revision } = columns;
    try {
      const text = sealer.open(columns.sealed_challenge, places.challenge({ userid, id_hash: idHash }));
      const kept: Static<typeof Stored> = { ...JSON.parse(text), purpose };
      return check.Check(kept) ? { ...kept, idHash, userid, left, expiresAt, revision } : null;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      log.warn({ student: tagOf(userid), fault: error.fault }, 'sealed challenge left out');
      return null;
    }
  };

  const live = (where: Partial<Columns>, now: number): Promise<ChallengeRow | null> =>
    runner.first(
      'find challenge',
      (db) => db.selectFrom('login_challenges').selectAll().where(has(where)).where('expires_at', '>', now),
      rowOf,
    );

  return {
    async open(row) {
      const replaced = await runner.transact('open challenge', async (transaction) => {
        const { userid } = row;
        const older = transaction.deleteFrom('login_challenges').where(has({ userid }));
        const { numDeletedRows } = await older.executeTakeFirst();
        await transaction.insertInto('login_challenges').values(columnsOf(row)).execute();
        return numDeletedRows;
      });
      if (replaced > 0n) erased();
    },
    find: (idHash, now) => live({ id_hash: idHash }, now),
    of: (userid, now) => live({ userid }, now),
    async change(row) {
      const before = has({ id_hash: row.idHash, revision: row.revision - 1 });
      const changed = await runner.updated('change challenge', (db) =>
        db.updateTable('login_challenges').set(columnsOf(row)).where(before),
      );
      return changed > 0;
    },
    async remove(idHash) {
      const removed = await runner.deleted('end challenge', (db) =>
        db.deleteFrom('login_challenges').where(has({ id_hash: idHash })),
      );
      if (removed > 0) erased();
      return removed > 0;
    },
    sweep: (now) => runner.deletedInPieces('sweep challenges', 'login_challenges', (to) => to('expires_at', '<=', now)),
  };
};
