import { equalInConstantTime } from '../../lib/hash.ts';
import type { SignInStep } from '../errors.ts';
import type { GuardFacts } from './login-guard.ts';
import type { PasswordPair } from './ports.ts';

const LONGEST_SECRET = 256;

const usable = (secret: string): boolean => secret.length > 0 && secret.length <= LONGEST_SECRET;

/** The first step, in the order in which they are sent, whose secret is empty or too long to be anybody's. */
export const impossibleStep = (pair: PasswordPair): SignInStep | null => {
  if (!usable(pair.vpnPassword)) return 'portal';
  return usable(pair.password) ? null : 'unified-login';
};

/** Compares both secrets in constant time; the second is compared whatever the first one says. */
export const compareSecrets = (submitted: PasswordPair, stored: PasswordPair): GuardFacts['equalAt'] => ({
  portal: equalInConstantTime(submitted.vpnPassword, stored.vpnPassword),
  'unified-login': equalInConstantTime(submitted.password, stored.password),
});
