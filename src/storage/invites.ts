import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { Invite, InviteCode, InviteStore } from '../domain/accounts/ports.ts';
import { insertNew } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { Store } from './store.ts';

const columns = [
  'code',
  'max_uses as maxUses',
  'used',
  'expires_at as expiresAt',
  'created_at as createdAt',
  'revoked_at as revokedAt',
] as const;

/** The condition under which an invite code may still create a user at `now`. */
export const usableCode =
  (now: number) =>
  (to: ExpressionBuilder<Tables, 'invite_codes'>): ExpressionWrapper<Tables, 'invite_codes', SqlBool> =>
    to.and([
      to('invite_codes.revoked_at', 'is', null),
      to.or([to('invite_codes.expires_at', 'is', null), to('invite_codes.expires_at', '>', now)]),
      to.or([
        to('invite_codes.max_uses', 'is', null),
        to('invite_codes.used', '<', to.ref('invite_codes.max_uses').$notNull()),
      ]),
    ]);

/** Stores codes in clear, since operators list and hand them out, and used invite tokens as hashes. */
export class SqlInviteStore extends Store implements InviteStore {
  findCode(code: string): ReturnType<InviteStore['findCode']> {
    return this.runner.run('find invite code', async (db) => {
      const ofCode = db.selectFrom('invite_codes').where('code', '=', code);
      const row = await ofCode.select([...columns, 'id']).executeTakeFirst();
      if (row === undefined) return null;
      if (row.id !== null) return { ...row, id: row.id };
      // A code of the version before gets its id at its first use; if two processes give it one, the first counts.
      await db
        .updateTable('invite_codes')
        .set({ id: this.#newId() })
        .where('code', '=', code)
        .where('id', 'is', null)
        .execute();
      const { id } = await ofCode.select('id').executeTakeFirstOrThrow();
      return { ...row, id: id ?? '' };
    });
  }

  /** Returns false if the code already exists, and leaves it unchanged. */
  createCode(entry: Pick<InviteCode, 'code' | 'maxUses' | 'expiresAt'> & { now: number }): Promise<boolean> {
    const row = {
      id: this.#newId(),
      code: entry.code,
      max_uses: entry.maxUses,
      used: 0,
      created_at: entry.now,
      expires_at: entry.expiresAt,
      revoked_at: null,
    };
    return this.runner.run('create invite code', (db) => insertNew(db, 'invite_codes', row));
  }

  listCodes(): Promise<InviteCode[]> {
    return this.runner.run('list invite codes', (db) =>
      db.selectFrom('invite_codes').select(columns).orderBy('created_at').orderBy('code').execute(),
    );
  }

  revokeCode(code: string, now: number): Promise<boolean> {
    return this.runner.hasUpdated('revoke invite code', (db) =>
      db.updateTable('invite_codes').set({ revoked_at: now }).where('code', '=', code).where('revoked_at', 'is', null),
    );
  }

  codeFor({ hash, codeId }: Parameters<InviteStore['codeFor']>[0], now: number): Promise<string | null> {
    return this.runner.first(
      'check invite token',
      (db) =>
        db
          .selectFrom('invite_codes')
          .select('code')
          .where('id', '=', codeId)
          .where(usableCode(now))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('invite_tokens')
                  .select('invite_tokens.hash')
                  .where('invite_tokens.hash', '=', hash)
                  .where('invite_tokens.used_at', 'is not', null),
              ),
            ),
          ),
      (row) => row.code,
    );
  }

  storedInvite(hash: string, now: number): Promise<Invite | null> {
    return this.runner.one('check stored invite token', (db) =>
      db
        .selectFrom('invite_tokens')
        .innerJoin('invite_codes', 'invite_codes.code', 'invite_tokens.code')
        .select(['invite_tokens.hash', 'invite_tokens.code', 'invite_tokens.expires_at as expiresAt'])
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .where('invite_tokens.expires_at', '>', now)
        .where(usableCode(now)),
    );
  }

  #newId(): string {
    return randomBytes(this.deps.numbers.inviteCodeIdLength / 2).toString('hex');
  }
}
