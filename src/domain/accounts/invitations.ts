import { randomToken, sha256 } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { asFailure, Failure, isFailure } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import type { InviteCode } from './ports.ts';

const INVITE_TOKEN_TTL_MS = 30 * 60_000;
const LONGEST_CODE = 100;

const isUsable = (code: InviteCode, now: number): boolean =>
  code.revokedAt === null &&
  (code.expiresAt === null || code.expiresAt > now) &&
  (code.maxUses === null || code.used < code.maxUses);

const isWrongCode = (error: unknown): boolean => isFailure(error, 'invite-code-invalid');

export const createVerifyInviteCode =
  ({ invites, clock }: AccountDeps, limits: AttemptLimits) =>
  async (code: string, context: CallContext): Promise<{ inviteToken: string }> => {
    const issue = async (): Promise<{ inviteToken: string }> => {
      const now = clock.now();
      const known = code === '' || code.length > LONGEST_CODE ? null : await invites.findCode(code);
      if (!known || !isUsable(known, now)) throw new Failure('invite-code-invalid');
      const inviteToken = randomToken();
      await invites.insertToken({ hash: sha256(inviteToken), code, expiresAt: now + INVITE_TOKEN_TTL_MS, now });
      return { inviteToken };
    };
    try {
      const issued = await limits.run(context.address, context.signal, isWrongCode, issue);
      context.log.info({ outcome: 'issued' }, 'invite code');
      return issued;
    } catch (error) {
      context.log.info({ outcome: asFailure(error).kind }, 'invite code');
      throw error;
    }
  };
