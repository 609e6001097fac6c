import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely';
import type { InviteCode, InviteStore } from '../domain/accounts/ports.ts';
import type { Runner } from './run.ts';
import type { InviteCodesTable, Tables } from './schema.ts';

const asCode = (row: Selectable<InviteCodesTable>): InviteCode => ({
  code: row.code,
  maxUses: row.max_uses,
  used: row.used,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
});

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

/** Codes are kept in clear, since operators list and hand them out; the tokens made from them only as hashes. */
export const createInviteStore = (runner: Runner): InviteStore => ({
  findCode: (code) =>
    runner.run('find invite code', async (db) => {
      const row = await db.selectFrom('invite_codes').selectAll().where('code', '=', code).executeTakeFirst();
      return row === undefined ? null : asCode(row);
    }),
  createCode: (code) =>
    runner.run('create invite code', async (db) => {
      const row = await db
        .insertInto('invite_codes')
        .values({
          code: code.code,
          max_uses: code.maxUses,
          used: 0,
          created_at: code.now,
          expires_at: code.expiresAt,
          revoked_at: null,
        })
        .onConflict((conflict) => conflict.column('code').doNothing())
        .returning('code')
        .executeTakeFirst();
      return row !== undefined;
    }),
  listCodes: () =>
    runner.run('list invite codes', async (db) => {
      const rows = await db.selectFrom('invite_codes').selectAll().orderBy('created_at').orderBy('code').execute();
      return rows.map(asCode);
    }),
  revokeCode: (code, now) =>
    runner.run('revoke invite code', async (db) => {
      const row = await db
        .updateTable('invite_codes')
        .set({ revoked_at: now })
        .where('code', '=', code)
        .where('revoked_at', 'is', null)
        .returning('code')
        .executeTakeFirst();
      return row !== undefined;
    }),
  async insertToken(token) {
    await runner.run('insert invite token', (db) =>
      db
        .insertInto('invite_tokens')
        .values({
          hash: token.hash,
          code: token.code,
          created_at: token.now,
          expires_at: token.expiresAt,
          used_at: null,
        })
        .execute(),
    );
  },
  codeOf: (hash, now) =>
    runner.run('check invite token', async (db) => {
      const row = await db
        .selectFrom('invite_codes')
        .select('code')
        .where(usableCode(now))
        .where('code', 'in', (to) =>
          to
            .selectFrom('invite_tokens')
            .select('invite_tokens.code')
            .where('invite_tokens.hash', '=', hash)
            .where('invite_tokens.used_at', 'is', null)
            .where('invite_tokens.expires_at', '>', now),
        )
        .executeTakeFirst();
      return row?.code ?? null;
    }),
  sweep: (now) =>
    runner.deleted('sweep invite tokens', (db) => db.deleteFrom('invite_tokens').where('expires_at', '<=', now)),
});
