import { randomBytes } from 'node:crypto';
import { equalInConstantTime, type KeyedNames, sha256 } from '../../../lib/hash.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { CallContext } from '../../context.ts';
import { asFailure, failures, isFailure } from '../../errors.ts';
import { guardNumbers } from '../guard/numbers.ts';
import type { RefusalLimit } from '../guard/refusal-limits.ts';
import type { Invite, InviteCode } from '../ports.ts';
import type { AttemptDeps } from '../sign-in/attempt.ts';

const INVITE_TOKEN_TTL_MS = 30 * MINUTE_MS;
const LONGEST_CODE = 100;

interface SignedInvite {
  /** Id of the invite code. */
  readonly codeId: string;
  readonly expiresAt: number;
}

/** Bytes of each part, in this order. */
const ID = 8;
const END = 6;
const RANDOM = 6;
const MAC = 12;
const SAID = ID + END + RANDOM;

/** In hex digits. */
export const inviteCodeIdLength = 2 * ID;

const purpose = 'invite token';

const macOf = (name: string): string => name.slice(0, 2 * MAC);

/**
 * An invite token needs no row until it is used: it holds code id, end, random bytes and a MAC. It has 43 characters, as
 * those of the previous version, which were stored.
 */
export const signInvite = (names: KeyedNames, { codeId, expiresAt }: SignedInvite): string => {
  const said = Buffer.alloc(SAID);
  said.write(codeId, 'hex');
  said.writeUIntBE(expiresAt, ID, END);
  randomBytes(RANDOM).copy(said, ID + END);
  const mac = Buffer.from(macOf(names.one(purpose, said.toString('hex'))), 'hex');
  return Buffer.concat([said, mac]).toString('base64url');
};

/** Null for anything that no listed key has signed. The token may have been used, or be over. */
export const readInvite = (names: KeyedNames, token: string): SignedInvite | null => {
  const bytes = Buffer.from(token, 'base64url');
  // One token has one spelling: used under another one it would be used twice.
  if (bytes.length !== SAID + MAC || bytes.toString('base64url') !== token) return null;
  const said = bytes.subarray(0, SAID);
  const mac = bytes.subarray(SAID).toString('hex');
  const macs = names.all(purpose, said.toString('hex')).map(macOf);
  if (!macs.some((each) => equalInConstantTime(each, mac))) return null;
  return { codeId: said.toString('hex', 0, ID), expiresAt: said.readUIntBE(ID, END) };
};

const isUsableCode = (code: InviteCode, now: number): boolean =>
  code.revokedAt === null &&
  (code.expiresAt === null || code.expiresAt > now) &&
  (code.maxUses === null || code.used < code.maxUses);

const isWrongCode = (error: unknown): boolean => isFailure(error, 'invite-code-invalid');

/** An address where a student has just registered gets more: in its welcome week a whole campus shares one. */
const limitsOf = ({ callers, clock, registeredFrom }: AttemptDeps, address: string): RefusalLimit[] => {
  const units = callers.unitsOf(address);
  if (units === null) return [];
  const { most, mostWhereRegistered, wide, registeredMs } = guardNumbers.address.codes;
  const since = clock.monotonic() - registeredMs;
  const hasRegistered = (registeredFrom.get(units.address) ?? Number.NEGATIVE_INFINITY) > since;
  const limit = (unit: string, most: number): RefusalLimit => ({ name: `code ${unit}`, callers: 'invitation', most });
  return [
    limit(units.address, hasRegistered ? mostWhereRegistered : most),
    ...(units.wide === null ? [] : [limit(units.wide, wide)]),
  ];
};

/** @throws Failure `invite-code-invalid` */
const issueInviteToken = async (
  { invites, names, clock }: AttemptDeps,
  code: string,
): Promise<{ inviteToken: string }> => {
  const now = clock.now();
  const found = code === '' || code.length > LONGEST_CODE ? null : await invites.findCode(code);
  if (!found || !isUsableCode(found, now)) throw failures.inviteCodeInvalid();
  return { inviteToken: signInvite(names, { codeId: found.id, expiresAt: now + INVITE_TOKEN_TTL_MS }) };
};

export const createVerifyInviteCode =
  (deps: AttemptDeps) =>
  async (code: string, context: CallContext): Promise<{ inviteToken: string }> => {
    const { address, signal, log } = context;
    try {
      const limits = limitsOf(deps, address);
      using attempt = await deps.limits.enter(limits, signal);
      const issued = await attempt.counting(isWrongCode, issueInviteToken(deps, code));
      log.info({ outcome: 'issued' }, 'invite code');
      return issued;
    } catch (error) {
      log.info({ network: deps.callers.networkTag(address), outcome: asFailure(error).kind }, 'invite code');
      throw error;
    }
  };

/** The invite of a token that can still be used. @throws Failure `invite-token-invalid` */
export const usableInvite = async ({ invites, names, clock }: AttemptDeps, inviteToken: string): Promise<Invite> => {
  const now = clock.now();
  const hash = sha256(inviteToken);
  const signed = readInvite(names, inviteToken);
  // Tokens of the previous version are stored, and good until they end.
  if (signed === null) {
    const stored = await invites.storedInvite(hash, now);
    if (stored === null) throw failures.inviteTokenInvalid();
    return stored;
  }
  const { codeId, expiresAt } = signed;
  const code = expiresAt > now ? await invites.codeFor({ hash, codeId }, now) : null;
  if (code === null) throw failures.inviteTokenInvalid();
  return { hash, code, expiresAt };
};
