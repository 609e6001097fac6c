import type { Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { Need } from './scopes.ts';

/** What whoever lacks it is told; without a scope where only a login token will do. */
export const missingScope = (need: Exclude<Need, 'any'>): Failure =>
  new Failure('scope-missing', { scope: need === 'login' ? null : need });

/** @throws Failure `scope-missing` */
export const permit = ({ personal }: Student, need: Need): void => {
  if (personal === undefined || need === 'any') return;
  if (need === 'login' || !personal.scopes.includes(need)) throw missingScope(need);
};

/** How long a login is good for what a stolen token must not do. */
const RECENT_LOGIN_MS = 86_400_000;

/** @throws Failure `login-again` unless the token was issued by a login within the last 24 hours */
export const requireRecentLogin = ({ personal, issuedAt = 0 }: Student, now: number): void => {
  if (personal === undefined && now - issuedAt < RECENT_LOGIN_MS) return;
  throw new Failure('login-again');
};
