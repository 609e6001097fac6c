import { networkOf } from '../../../lib/address.ts';
import { sha256, tokenId } from '../../../lib/hash.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts';
import type { CallContext, Student } from '../../context.ts';
import { failures } from '../../errors.ts';
import type { NewToken, TokenRecord, TokenSession } from '../ports.ts';
import type { AccountDeps } from '../sign-in/attempt.ts';
import {
  type GrantKind,
  grantKinds,
  keptGrants,
  roundUse,
  type SettledGrants,
  storedHashOf,
} from './personal-tokens.ts';

/** The live tokens of logins that a student may have; the oldest ends when the next is issued. */
export const KEPT_TOKENS = 5;

/** A token ends up to this much earlier, by chance, so that those of a welcome week do not end on one day. */
const SPREAD_MS = 30 * DAY_MS;

/** A write for every call would cost more than the call, so the row is rewritten once it is this far behind. */
const slideStep = (ttlMs: number): number => Math.min(HOUR_MS, ttlMs / 30);

const LONGEST_AGENT = 512;
const LONGEST_CLIENT = 40;
/** Sent by several browsers, the most telling last. */
const ofManyBrowsers = [
  'Mozilla',
  'AppleWebKit',
  'Gecko',
  'Version',
  'Mobile',
  'XWEB',
  'MMWEBSDK',
  'MMWEBID',
  'Safari',
  'Chrome',
];

/**
 * The product that a `User-Agent` names first, without version and model, which would be a fingerprint. A browser begins
 * with the names of others, and is told by the one that it alone bears, such as Firefox, Edg or MicroMessenger.
 */
export const clientOf = (userAgent = ''): string | null => {
  const said = userAgent.slice(0, LONGEST_AGENT).replace(/\([^()]*(?:\)|$)/g, ' ');
  const names = [...said.matchAll(/(?<!\S)([A-Za-z][\w.+-]*)(?=[/\s]|$)/g)].map(([, name = '']) => name);
  const [first] = names;
  if (first !== 'Mozilla') return first?.slice(0, LONGEST_CLIENT) ?? null;
  const own = names.find((name) => !ofManyBrowsers.includes(name));
  return (own ?? ofManyBrowsers.findLast((name) => names.includes(name)) ?? first).slice(0, LONGEST_CLIENT);
};

export const newToken = (
  { clock, settings, random }: Pick<AccountDeps, 'clock' | 'settings' | 'random'>,
  token: string,
  { address, userAgent }: Pick<CallContext, 'address' | 'userAgent'>,
): NewToken => {
  const now = clock.now();
  const { tokenTtlMs, tokenMaxMs } = settings;
  const tokenEndsAt = Math.ceil(now + tokenMaxMs - random() * Math.min(SPREAD_MS, tokenMaxMs / 6));
  return {
    tokenHash: sha256(token),
    tokenEndsAt,
    tokenExpiresAt: Math.min(now + tokenTtlMs, tokenEndsAt),
    tokenNetwork: networkOf(address, 64),
    tokenClient: clientOf(userAgent),
  };
};

/** Every call asks storage, so a token that ends on another replica ends here with the next call. */
export const createAuthentication = (deps: AccountDeps) => {
  const { tokens, clock, settings, callers } = deps;
  const isBehind = ({ lastUsedAt }: TokenRecord, now: number): boolean =>
    now - lastUsedAt >= slideStep(settings.tokenTtlMs) || now < lastUsedAt;

  const slide = async (hash: string, found: TokenRecord, address: string, now: number): Promise<void> => {
    const later = Math.max(found.expiresAt, Math.min(now + settings.tokenTtlMs, found.endsAt));
    const expiresAt = found.personal ? null : later;
    const network = address === '' ? null : networkOf(address, 64);
    await tokens.slide(hash, { userid: found.userid, expiresAt, usedAt: now, network });
  };

  return {
    /**
     * Slides the expiry of the token.
     * @throws Failure `token-unknown`, `token-user-gone`
     */
    async authenticate(token: string, address = ''): Promise<Student> {
      const hash = storedHashOf(token);
      if (hash === null) throw failures.tokenUnknown();
      const now = clock.now();
      const found = await tokens.find(hash, now);
      if (!found) throw failures.tokenUnknown();
      if (found.marks === null) throw failures.tokenUserGone();
      const { userid, marks, issuedAt, personal } = found;
      if (isBehind(found, now)) await slide(hash, found, address, now);
      return {
        userid,
        marks,
        tokenHash: hash,
        tag: callers.studentTag(userid),
        issuedAt,
        ...(personal ? { personal } : {}),
      };
    },
  };
};

/** Shows the last use rounded to the hour. */
export interface LoginSession extends TokenSession {
  readonly current: boolean;
}

export const createSessions = ({ tokens, forget, clock }: AccountDeps) => ({
  /** The newest first. */
  async sessions({ userid, tokenHash = '' }: Student): Promise<LoginSession[]> {
    const current = tokenId(tokenHash);
    const rows = await tokens.list(userid, clock.now());
    return rows.map((row) => ({ ...roundUse(row), current: row.id === current }));
  },

  /**
   * Null: the student has no such token. The hooks that were made with it end too, where `keep` does not name them and it is
   * not the token of this call.
   */
  async endSession(
    { userid, tokenHash = '' }: Student,
    id: string,
    keep: readonly GrantKind[] = keptGrants,
  ): Promise<SettledGrants | null> {
    // Ending the session of this call is a logout, which keeps all grants.
    const keptHere = id === tokenId(tokenHash) ? grantKinds : keep;
    const ended = await tokens.endLogin(userid, id, keptHere, clock.now());
    if (ended?.left === 0) await forget(userid);
    return ended?.grants ?? null;
  },

  /** When the last token ends, sealed sessions and tickets go too. */
  async logout({ userid, tokenHash = '' }: Student): Promise<void> {
    const left = await tokens.end(tokenHash, clock.now());
    if (left === 0) await forget(userid);
  },

  async logoutAll({ userid }: Student, keep: readonly GrantKind[] = keptGrants): Promise<SettledGrants> {
    const grants = await tokens.endAll(userid, keep, clock.now());
    // Personal tokens that stay still need the sessions.
    if (grants.kept.tokens === undefined) await forget(userid);
    return grants;
  },
});
