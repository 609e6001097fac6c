import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { ChallengeRow, ChallengeStore } from '../../domain/accounts/challenges/ports.ts';
import { ChallengePurpose, ChallengeState, KeptEntry, KeptHalf } from '../../domain/accounts/records.ts';
import { has } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { SealBroken } from '../seal.ts';

const checkState = TypeCompiler.Compile(ChallengeState);
const checkHalf = TypeCompiler.Compile(KeptHalf);
const checkEntry = TypeCompiler.Compile(KeptEntry);
const checkPurpose = TypeCompiler.Compile(ChallengePurpose);

/** Null: written by another version. */
const parsed = <S extends TSchema>(check: TypeCheck<S>, json: string): Static<S> | null => {
  try {
    const value: unknown = JSON.parse(json);
    return check.Check(value) ? value : null;
  } catch {
    return null;
  }
};

type Stored = Tables['login_challenges'];

export const createChallengeStore = (runner: Runner, { sealer, log, tagOf, erased }: StoreDeps): ChallengeStore => {
  const sealedOf = ({ userid, idHash, half, entry }: ChallengeRow) => {
    const of = { userid, id_hash: idHash };
    const { image, ...others } = half;
    const kept: Static<typeof KeptHalf> = {
      ...others,
      targets: [...half.targets],
      image: image && { type: image.type, base64: Buffer.from(image.bytes).toString('base64') },
    };
    return {
      sealed_resume: sealer.seal(JSON.stringify(kept), places.half(of)),
      sealed_pair: sealer.seal(JSON.stringify(entry), places.entry(of)),
    };
  };

  const rowOf = (stored: Stored): ChallengeRow | null => {
    const { userid, id_hash: idHash, page_name: pageName, purpose, revision } = stored;
    const of = { userid, id_hash: idHash };
    try {
      const half = parsed(checkHalf, sealer.open(stored.sealed_resume, places.half(of)));
      const entry = parsed(checkEntry, sealer.open(stored.sealed_pair, places.entry(of)));
      const state = parsed(checkState, stored.state);
      if (half === null || entry === null || state === null || !checkPurpose.Check(purpose)) return null;
      const { image } = half;
      const kept = { ...half, image: image && { type: image.type, bytes: Buffer.from(image.base64, 'base64') } };
      return { idHash, pageName, userid, purpose, revision, state, half: kept, entry };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      log.warn({ student: tagOf(userid), fault: error.fault }, 'sealed challenge left out');
      return null;
    }
  };

  const columnsOf = (row: ChallengeRow): Stored => ({
    id_hash: row.idHash,
    page_name: row.pageName,
    userid: row.userid,
    purpose: row.purpose,
    kind: row.state.kind,
    state: JSON.stringify(row.state),
    revision: row.revision,
    expires_at: row.state.expiresAt,
    ...sealedOf(row),
  });

  const all = (userid: string, now: number): Promise<ChallengeRow[]> =>
    runner.run('read challenges', async (db) => {
      const live = db.selectFrom('login_challenges').selectAll().where(has({ userid })).where('expires_at', '>', now);
      return (await live.orderBy('expires_at', 'desc').execute()).map(rowOf).filter((row) => row !== null);
    });

  const removed = (deleted: number): boolean => {
    if (deleted > 0) erased();
    return deleted > 0;
  };

  return {
    async open(row) {
      const replaced = await runner.transact('open challenge', async (transaction) => {
        const own = transaction.selectFrom('login_challenges').select(['id_hash', 'state']);
        const rows = await own.where(has({ userid: row.userid })).execute();
        const open = rows.filter(({ state }) => parsed(checkState, state)?.phase !== 'passed');
        for (const { id_hash } of open)
          await transaction.deleteFrom('login_challenges').where(has({ id_hash })).execute();
        await transaction.insertInto('login_challenges').values(columnsOf(row)).execute();
        return open.length;
      });
      removed(replaced);
    },
    find: (key, now) =>
      runner.first(
        'find challenge',
        (db) => {
          const live = db.selectFrom('login_challenges').selectAll().where('expires_at', '>', now);
          return 'idHash' in key
            ? live.where('id_hash', '=', key.idHash)
            : live.where('page_name', 'in', [...key.pageNames]);
        },
        rowOf,
      ),
    of: async (userid, now) => (await all(userid, now)).find(({ state }) => state.phase !== 'passed') ?? null,
    passed: async (userid, now) => (await all(userid, now)).filter(({ state }) => state.phase === 'passed'),
    async change(row) {
      const before = has({ id_hash: row.idHash, revision: row.revision - 1 });
      const changed = await runner.updated('change challenge', (db) =>
        db.updateTable('login_challenges').set(columnsOf(row)).where(before),
      );
      return changed > 0;
    },
    async remove(idHash, revision) {
      return removed(
        await runner.deleted('end challenge', (db) => {
          return db
            .deleteFrom('login_challenges')
            .where(has({ id_hash: idHash, ...(revision !== undefined && { revision }) }));
        }),
      );
    },
    sweep: (now) =>
      runner.deleted('sweep challenges', (db) => db.deleteFrom('login_challenges').where('expires_at', '<=', now)),
  };
};
