import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import { inviteCodeIdLength } from '../../domain/accounts/invite-tokens.ts';
import type { InviteCode, InviteStore } from '../../domain/accounts/ports.ts';
import type { Runner } from '../database/run.ts';
import type { Tables } from '../schema.ts';

const asCode = (row: Tables['invite_codes']): InviteCode => ({
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

const newId = (): string => randomBytes(inviteCodeIdLength / 2).toString('hex');

/** Codes are kept in clear, since operators list and hand them out; the tokens made from them as hashes, once they are used. */
export const createInviteStore = (runner: Runner): InviteStore => ({
  findCode: (code) =>
    runner.run('find invite code', async (db) => {
      const row = await db.selectFrom('invite_codes').selectAll().where('code', '=', code).executeTakeFirst();
      if (row === undefined) return null;
      if (row.id !== null) return { ...asCode(row), id: row.id };
      // A code of the version before gets its id when it is first asked for; of two who give it one, the first counts.
      await db
        .updateTable('invite_codes')
        .set({ id: newId() })
        .where('code', '=', code)
        .where('id', 'is', null)
        .execute();
      const { id } = await db
        .selectFrom('invite_codes')
        .select('id')
        .where('code', '=', code)
        .executeTakeFirstOrThrow();
      return { ...asCode(row), id: id ?? '' };
    }),
  createCode: (code) =>
    runner.run('create invite code', async (db) => {
      const row = await db
        .insertInto('invite_codes')
        .values({
          id: newId(),
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
  codeFor: ({ hash, codeId }, now) =>
    runner.run('check invite token', async (db) => {
      const row = await db
        .selectFrom('invite_codes')
        .select('code')
        .where('id', '=', codeId)
        .where(usableCode(now))
        .where((to) =>
          to.not(
            to.exists(
              to
                .selectFrom('invite_tokens')
                .select('invite_tokens.hash')
                .where('invite_tokens.hash', '=', hash)
                .where('invite_tokens.used_at', 'is not', null),
            ),
          ),
        )
        .executeTakeFirst();
      return row?.code ?? null;
    }),
  storedInvite: (hash, now) =>
    runner.run('check stored invite token', async (db) => {
      const token = await db
        .selectFrom('invite_tokens')
        .select(['code', 'expires_at'])
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (token === undefined) return null;
      const { code, expires_at: expiresAt } = token;
      const usable = await db
        .selectFrom('invite_codes')
        .select('code')
        .where('code', '=', code)
        .where(usableCode(now))
        .executeTakeFirst();
      return usable === undefined ? null : { hash, code, expiresAt };
    }),
  sweep: (now) =>
    runner.deleted('sweep invite tokens', (db) => db.deleteFrom('invite_tokens').where('expires_at', '<=', now)),
});
