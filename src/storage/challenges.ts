import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ChallengeRow, ChallengeStore } from '../domain/accounts/ports.ts';
import { SealedChallenge } from '../domain/accounts/sign-in/records.ts';
import { challengePurposes } from '../domain/challenge.ts';
import { literals } from '../domain/record.ts';
import { hasValues } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { sealedPlaces } from './seal.ts';
import { Store } from './store.ts';

const Stored = Type.Composite([SealedChallenge, Type.Object({ purpose: literals(challengePurposes) })]);
const check = TypeCompiler.Compile(Stored);

type Columns = Tables['login_challenges'];

export class SqlChallengeStore extends Store implements ChallengeStore {
  async open(row: ChallengeRow): Promise<void> {
    const { runner, erased } = this.deps;
    const replaced = await runner.transact('open challenge', async (transaction) => {
      const older = transaction.deleteFrom('login_challenges').where(hasValues({ userid: row.userid }));
      const { numDeletedRows } = await older.executeTakeFirst();
      await transaction.insertInto('login_challenges').values(this.#columnsOf(row)).execute();
      return numDeletedRows;
    });
    if (replaced > 0n) erased();
  }

  find(idHash: string, now: number): Promise<ChallengeRow | null> {
    return this.#findLive({ id_hash: idHash }, now);
  }

  of(userid: string, now: number): Promise<ChallengeRow | null> {
    return this.#findLive({ userid }, now);
  }

  change(row: ChallengeRow): Promise<boolean> {
    const before = hasValues({ id_hash: row.idHash, revision: row.revision - 1 });
    return this.runner.hasUpdated('change challenge', (db) =>
      db.updateTable('login_challenges').set(this.#columnsOf(row)).where(before),
    );
  }

  remove(idHash: string): Promise<boolean> {
    return this.erase('end challenge', (db) => db.deleteFrom('login_challenges').where(hasValues({ id_hash: idHash })));
  }

  #findLive(where: Partial<Columns>, now: number): Promise<ChallengeRow | null> {
    return this.runner.first(
      'find challenge',
      (db) => db.selectFrom('login_challenges').selectAll().where(hasValues(where)).where('expires_at', '>', now),
      (columns) => this.#rowOf(columns),
    );
  }

  #columnsOf({ idHash, userid, purpose, left, expiresAt, revision, ...sealed }: ChallengeRow): Columns {
    const place = sealedPlaces.challenge({ userid, id_hash: idHash });
    return {
      id_hash: idHash,
      userid,
      purpose,
      kind: sealed.asked.kind,
      sealed_challenge: this.deps.sealer.seal(JSON.stringify(sealed), place),
      answers_left: left,
      expires_at: expiresAt,
      revision,
    };
  }

  /** Null: it cannot be unsealed, or another version has written it. */
  #rowOf(columns: Columns): ChallengeRow | null {
    const { id_hash: idHash, userid, purpose, answers_left: left, expires_at: expiresAt, revision } = columns;
    const text = this.unseal(columns.sealed_challenge, sealedPlaces.challenge(columns), 'sealed challenge left out');
    if (text === null) return null;
    const sealed: Static<typeof Stored> = { ...JSON.parse(text), purpose };
    return check.Check(sealed) ? { ...sealed, idHash, userid, left, expiresAt, revision } : null;
  }
}
