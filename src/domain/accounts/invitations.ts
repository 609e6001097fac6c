import { randomToken, sha256 } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { asFailure, Failure, isFailure } from '../errors.ts';
import type { AttemptDeps } from './attempt.ts';
import { guardNumbers } from './guard/numbers.ts';
import type { InviteCode } from './ports.ts';
import type { RefusalLimit } from './refusal-limits.ts';

const INVITE_TOKEN_TTL_MS = 30 * 60_000;
const LONGEST_CODE = 100;

const isUsable = (code: InviteCode, now: number): boolean =>
  code.revokedAt === null &&
  (code.expiresAt === null || code.expiresAt > now) &&
  (code.maxUses === null || code.used < code.maxUses);

const isWrongCode = (error: unknown): boolean => isFailure(error, 'invite-code-invalid');

/** Where somebody has just registered others mistype too: a campus in its welcome week shares one address. */
const limitsOf = ({ callers, clock, registeredFrom }: AttemptDeps, address: string): RefusalLimit[] => {
  const unit = callers.addressOf(address);
  if (unit === null) return [];
  const { codes, codesWhereAccepted, codesWindowMs, acceptedMs } = guardNumbers.address;
  const accepted = (registeredFrom.get(unit) ?? Number.NEGATIVE_INFINITY) > clock.now() - acceptedMs;
  return [{ name: `code ${unit}`, most: accepted ? codesWhereAccepted : codes, windowMs: codesWindowMs }];
};

export const createVerifyInviteCode =
  (deps: AttemptDeps) =>
  async (code: string, context: CallContext): Promise<{ inviteToken: string }> => {
    const { invites, clock, limits, callers } = deps;
    const network = callers.networkTag(context.address);
    const issue = async (): Promise<{ inviteToken: string }> => {
      const now = clock.now();
      const known = code === '' || code.length > LONGEST_CODE ? null : await invites.findCode(code);
      if (!known || !isUsable(known, now)) throw new Failure('invite-code-invalid');
      const inviteToken = randomToken();
      await invites.insertToken({ hash: sha256(inviteToken), code, expiresAt: now + INVITE_TOKEN_TTL_MS, now });
      return { inviteToken };
    };
    try {
      const issued = await limits.run(limitsOf(deps, context.address), context.signal, isWrongCode, issue);
      context.log.info({ outcome: 'issued' }, 'invite code');
      return issued;
    } catch (error) {
      context.log.info({ network, outcome: asFailure(error).kind }, 'invite code');
      throw error;
    }
  };
