import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { Tables } from './schema.ts';

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
