import { sha256 } from '../../lib/hash.ts';
import { LineFull } from '../../lib/semaphore.ts';
import type { CallContext } from '../context.ts';
import { asFailure, Failure, isFailure } from '../errors.ts';
import type { AttemptDeps } from './attempt.ts';
import { guardNumbers } from './guard/numbers.ts';
import type { Invite, InviteCode } from './invite-tokens.ts';
import { addressLimits, type Counted, LimitSpent } from './refusal-limits.ts';

const INVITE_TOKEN_TTL_MS = 30 * 60_000;
const LONGEST_CODE = 100;

const isUsable = (code: InviteCode, now: number): boolean =>
  code.revokedAt === null &&
  (code.expiresAt === null || code.expiresAt > now) &&
  (code.maxUses === null || code.used < code.maxUses);

const isWrongCode = (error: unknown): boolean => isFailure(error, 'invite-code-invalid');

/** Where one student has just registered others mistype too: a campus in its welcome week shares one address. */
const limitsOf = ({ callers, clock, registeredFrom }: AttemptDeps, address: string): Counted => {
  const { codes, codesWhereAccepted, codesWindowMs, acceptedMs } = guardNumbers.address;
  const unit = callers.unitsOf(address)?.address ?? '';
  const accepted = (registeredFrom.get(unit) ?? Number.NEGATIVE_INFINITY) > clock.now() - acceptedMs;
  return addressLimits(callers, 'code', address, {
    most: accepted ? codesWhereAccepted : codes,
    windowMs: codesWindowMs,
  });
};

/** @throws Failure `invite-code-invalid` */
const issue = async ({ invites, inviteTokens, clock }: AttemptDeps, code: string): Promise<{ inviteToken: string }> => {
  const now = clock.now();
  const found = code === '' || code.length > LONGEST_CODE ? null : await invites.findCode(code);
  if (!found || !isUsable(found, now)) throw new Failure('invite-code-invalid');
  return { inviteToken: inviteTokens.sign({ codeId: found.id, expiresAt: now + INVITE_TOKEN_TTL_MS }) };
};

/** An exhausted address may hold people with right codes: one at a time is looked at, and anything else waits. */
const issueInLine = async (
  deps: AttemptDeps,
  code: string,
  spent: Failure,
  line: string,
  { signal, deadline }: CallContext,
): Promise<{ inviteToken: string }> => {
  try {
    await deps.codeLines.turn(line, signal, deadline.remaining());
    return await issue(deps, code);
  } catch (error) {
    throw error instanceof LineFull || isWrongCode(error) ? spent : error;
  }
};

const issueWithinLimits = async (
  deps: AttemptDeps,
  code: string,
  context: CallContext,
): Promise<{ inviteToken: string }> => {
  const { address, overLimit, signal } = context;
  if (overLimit) return issueInLine(deps, code, overLimit, `calls ${deps.callers.unitsOf(address)?.address}`, context);
  try {
    return await deps.limits.run(limitsOf(deps, address), signal, isWrongCode, () => issue(deps, code));
  } catch (error) {
    if (!(error instanceof LimitSpent)) throw error;
    return issueInLine(deps, code, error, error.limit, context);
  }
};

export const createVerifyInviteCode =
  (deps: AttemptDeps) =>
  async (code: string, context: CallContext): Promise<{ inviteToken: string }> => {
    try {
      const issued = await issueWithinLimits(deps, code, context);
      context.log.info({ outcome: 'issued' }, 'invite code');
      return issued;
    } catch (error) {
      const network = deps.callers.networkTag(context.address);
      context.log.info({ network, outcome: asFailure(error).kind }, 'invite code');
      throw error;
    }
  };

/**
 * What an invite token still permits.
 * @throws Failure `invite-token-invalid`
 */
export const usableInvite = async (
  { invites, inviteTokens, clock }: AttemptDeps,
  inviteToken: string,
): Promise<Invite> => {
  const now = clock.now();
  const hash = sha256(inviteToken);
  const signed = inviteTokens.read(inviteToken);
  // The previous version has stored its tokens: they are good until they end.
  if (signed === null) {
    const stored = await invites.storedInvite(hash, now);
    if (stored === null) throw new Failure('invite-token-invalid');
    return stored;
  }
  const { codeId, expiresAt } = signed;
  const code = expiresAt > now ? await invites.codeFor({ hash, codeId }, now) : null;
  if (code === null) throw new Failure('invite-token-invalid');
  return { hash, code, expiresAt };
};
