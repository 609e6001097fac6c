import { equalInConstantTime } from '../../lib/hash.ts';
import type { SignInStep } from '../errors.ts';
import type { PasswordPair } from './ports.ts';

const LONGEST_SECRET = 256;

/**
 * G6: the first step, in the order in which they are sent, whose secret cannot be anybody's: empty, blank, or longer
 * than the campus can take.
 */
export const impossibleStep = (pair: PasswordPair, longestVpnPassword: number): SignInStep | null => {
  const possible = (secret: string): boolean => secret.trim() !== '' && secret.length <= LONGEST_SECRET;
  if (!possible(pair.vpnPassword) || Buffer.byteLength(pair.vpnPassword) > longestVpnPassword) return 'portal';
  return possible(pair.password) ? null : 'unified-login';
};

/** Compares both secrets in constant time; the second is compared whatever the first one says. */
export const compareSecrets = (submitted: PasswordPair, stored: PasswordPair): Record<SignInStep, boolean> => ({
  portal: equalInConstantTime(submitted.vpnPassword, stored.vpnPassword),
  'unified-login': equalInConstantTime(submitted.password, stored.password),
});
