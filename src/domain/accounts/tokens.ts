import { LRUCache } from 'lru-cache';
import { networkOf } from '../../lib/address.ts';
import { bounded } from '../../lib/bounded.ts';
import { sha256, studentTag } from '../../lib/hash.ts';
import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { StudentMarks } from '../reads/types.ts';
import type { Accounts, Session } from './accounts.ts';
import type { AccountDeps } from './attempt.ts';
import { guardNumbers } from './guard/numbers.ts';
import type { FoundToken, NewToken, TokenRecord } from './ports.ts';

/** The newest tokens of a student that stay valid; an older one ends when the next is issued. */
export const KEPT_TOKENS = 5;

const LONGEST_TOKEN = 256;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Between two looks whether the network of a token in steady use has been noted lately. */
const RECHECK_MS = 60_000;
/** Drawn off the absolute life, so that the tokens of a welcome week do not end on one day. */
const SPREAD_MS = 30 * DAY_MS;

/**
 * Expiry moves with use, but a write for every call would cost more than the call: the row is rewritten once it is an
 * hour (for short lives, a thirtieth of the life) behind.
 */
const slideStep = (ttlMs: number): number => Math.min(HOUR_MS, ttlMs / 30);

export const newToken = (
  { clock, settings, random }: Pick<AccountDeps, 'clock' | 'settings' | 'random'>,
  token: string,
  address: string,
): NewToken => {
  const now = clock.now();
  const { tokenTtlMs, tokenMaxMs } = settings;
  const tokenEndsAt = Math.ceil(now + tokenMaxMs - random() * Math.min(SPREAD_MS, tokenMaxMs / 6));
  return {
    tokenHash: sha256(token),
    tokenEndsAt,
    tokenExpiresAt: Math.min(now + tokenTtlMs, tokenEndsAt),
    tokenNetwork: networkOf(address, 64),
  };
};

/** What need not be worked out anew while storage gives the same record. */
interface Remembered {
  readonly student: Student;
  /** Where the token was used last, and when that was seen to be noted. */
  address: string;
  seenAt: number;
}

/** A revocation on another replica counts from the very next call: only storage may answer without being asked. */
export const createAuthentication = (deps: AccountDeps): Pick<Accounts, 'authenticate' | 'known'> => {
  const { tokens, clock, settings, guard, callers } = deps;
  /** Networks whose use by a student this process has noted lately, so that a token check costs one statement. */
  const noted = new LRUCache<string, number>(bounded(20_000));

  const records = new WeakMap<FoundToken, Remembered>();

  const rememberedOf = (found: FoundToken, marks: StudentMarks, tokenHash: string): Remembered => {
    const known = records.get(found);
    if (known) return known;
    const { userid } = found;
    const made = { student: { userid, marks, tokenHash, tag: studentTag(userid) }, address: '', seenAt: 0 };
    records.set(found, made);
    return made;
  };

  const noteNetwork = async (userid: string, address: string, now: number): Promise<void> => {
    const key = `${userid} ${networkOf(address, 64)}`;
    const last = noted.get(key);
    if (last !== undefined && last <= now && last > now - guardNumbers.networks.noteMs) return;
    noted.set(key, now);
    const home = callers.homeOf(userid, address);
    if (home.length === 0) return;
    // A note that is lost costs the student a class at a login, once; the call must not fail for it.
    await guard.decide({ userid, code: null }, { type: 'token-used', home }).catch(() => noted.delete(key));
  };

  const isBehind = ({ lastUsedAt }: TokenRecord, now: number): boolean =>
    now - lastUsedAt >= slideStep(settings.tokenTtlMs) || now < lastUsedAt;

  const slide = async (hash: string, found: TokenRecord, address: string, now: number): Promise<void> => {
    const expiresAt = Math.max(found.expiresAt, Math.min(now + settings.tokenTtlMs, found.endsAt));
    const network = address === '' ? null : networkOf(address, 64);
    await tokens.slide(hash, { userid: found.userid, expiresAt, usedAt: now, network });
  };

  /** The use of this token there was seen to be noted lately. */
  const isNoted = ({ address: last, seenAt }: Remembered, address: string, now: number): boolean =>
    address === '' || (last === address && Math.abs(now - seenAt) < RECHECK_MS);

  const isToken = (token: string): boolean => token !== '' && token.length <= LONGEST_TOKEN;

  return {
    async authenticate(token, address = '') {
      if (!isToken(token)) throw new Failure('token-unknown');
      const hash = sha256(token);
      const now = clock.now();
      const found = await tokens.find(hash, now);
      if (!found) throw new Failure('token-unknown');
      if (found.marks === null) throw new Failure('token-user-gone');
      if (isBehind(found, now)) await slide(hash, found, address, now);
      const remembered = rememberedOf(found, found.marks, hash);
      const { student } = remembered;
      if (!isNoted(remembered, address, now)) {
        remembered.address = address;
        remembered.seenAt = now;
        await noteNetwork(student.userid, address, now);
      }
      return student;
    },
    known(token, address) {
      if (!isToken(token)) return null;
      const now = clock.now();
      const hash = sha256(token);
      const found = tokens.known(hash, now);
      if (found === null || found.marks === null || isBehind(found, now)) return null;
      const remembered = rememberedOf(found, found.marks, hash);
      return isNoted(remembered, address, now) ? remembered.student : null;
    },
  };
};

/** The id of a session is the beginning of its token's hash: enough to name it, of no use to whoever reads it. */
const SESSION_ID_LENGTH = 16;

export const sessionId = (tokenHash: string): string => tokenHash.slice(0, SESSION_ID_LENGTH);

export const createSessions =
  ({ tokens, clock }: AccountDeps) =>
  async (token: string, student: Student): Promise<Session[]> => {
    const current = sessionId(sha256(token));
    const rows = await tokens.list(student.userid, clock.now());
    return rows.map((row) => ({
      ...row,
      lastUsedAt: Math.floor(row.lastUsedAt / HOUR_MS) * HOUR_MS,
      current: row.id === current,
    }));
  };

export const createEndSession =
  ({ tokens, campus, clock }: AccountDeps) =>
  async (student: Student, id: string): Promise<boolean> => {
    const left = await tokens.deleteById(student.userid, id, clock.now());
    if (left === 0) await campus.forget(student.userid);
    return left !== null;
  };

export const createLogout =
  ({ tokens, campus, clock }: AccountDeps) =>
  async (token: string, student: Student): Promise<void> => {
    const left = await tokens.delete(sha256(token), clock.now());
    // A token that somebody else has just revoked says nothing about the others.
    if (left === 0) await campus.forget(student.userid);
  };

export const createLogoutAll =
  ({ tokens, campus, clock }: AccountDeps) =>
  async (student: Student): Promise<void> => {
    await tokens.deleteAll(student.userid, clock.now());
    await campus.forget(student.userid);
  };
