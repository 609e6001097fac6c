import { sha256 } from '../../lib/hash.ts';
import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';

/** The newest tokens of a student that stay valid; an older one goes when the next is issued. */
export const KEPT_TOKENS = 5;

const LONGEST_TOKEN = 256;
const HOUR_MS = 3_600_000;

/**
 * Expiry moves with use, but a write for every call would cost more than the call: the row is rewritten once it is an
 * hour (for short lives, a thirtieth of the life) behind.
 */
const slideStep = (ttlMs: number): number => Math.min(HOUR_MS, ttlMs / 30);

/** Not cached: a revocation on another replica counts from the very next call. */
export const createAuthenticate =
  ({ tokens, clock, settings }: AccountDeps) =>
  async (token: string): Promise<Student> => {
    if (token === '' || token.length > LONGEST_TOKEN) throw new Failure('token-unknown');
    const hash = sha256(token);
    const now = clock.now();
    const found = await tokens.find(hash, now);
    if (!found) throw new Failure('token-unknown');
    if (!found.userExists) throw new Failure('token-user-gone');
    const expiresAt = now + settings.tokenTtlMs;
    if (expiresAt - found.expiresAt >= slideStep(settings.tokenTtlMs)) await tokens.slide(hash, expiresAt);
    return { userid: found.userid };
  };

export const createLogout =
  ({ tokens, campus, clock }: AccountDeps) =>
  async (token: string, student: Student): Promise<void> => {
    const left = await tokens.delete(sha256(token), clock.now());
    // A token that somebody else has just revoked says nothing about the others.
    if (left === 0) await campus.forget(student.userid);
  };

export const createLogoutAll =
  ({ tokens, campus }: AccountDeps) =>
  async (student: Student): Promise<void> => {
    await tokens.deleteAll(student.userid);
    await campus.forget(student.userid);
  };
