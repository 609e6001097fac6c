import { addressList, callerUnit, networkOf } from '../../lib/address.ts';
import type { KeyedNames } from '../../lib/keyed-names.ts';
import type { SignInStep } from '../errors.ts';
import type { Caller, SubmittedPair } from './guard/events.ts';
import type { PasswordPair } from './ports.ts';

/** Turns addresses, student ids and secrets into the keyed names under which the guard remembers and logs them. */
export interface Callers {
  callerOf(userid: string, address: string, proof: { readonly holder: boolean; readonly hash: string | null }): Caller;
  /** Under which names this network may be known of the student; none for shared machines and proxies. */
  homeOf(userid: string, address: string): string[];
  /** The unit in which single addresses are counted; null for an own backend, to which no such count applies. */
  addressOf(address: string): string | null;
  prints(userid: string, pair: PasswordPair): SubmittedPair['prints'];
  /** Short names for log lines, as `campus tag` prints them. */
  studentTag(userid: string): string;
  networkTag(address: string): string;
}

const TAG_LENGTH = 12;

export const createCallers = (
  names: KeyedNames,
  { trustedCallers, trustedProxies }: { trustedCallers: readonly string[]; trustedProxies: readonly string[] },
): Callers => {
  const isTrusted = addressList(trustedCallers);
  const isProxy = addressList(trustedProxies);
  const network = (address: string): string => names.one('network', networkOf(address, 48));
  const homeOf = (userid: string, address: string): string[] =>
    address === '' || isTrusted(address) || isProxy(address)
      ? []
      : names.all('known network', userid, networkOf(address, 64));
  const printsOf = (userid: string, step: SignInStep, secret: string): string[] =>
    names.all('refused secret', userid, step, secret);
  return {
    callerOf: (userid, address, { holder, hash }) => ({
      network: network(address),
      trusted: isTrusted(address),
      home: homeOf(userid, address),
      holder,
      proof: hash,
    }),
    homeOf,
    addressOf: (address) => (isTrusted(address) ? null : callerUnit(address)),
    prints: (userid, pair) => ({
      portal: printsOf(userid, 'portal', pair.vpnPassword),
      'unified-login': printsOf(userid, 'unified-login', pair.password),
    }),
    studentTag: (userid) => names.one('student', userid).slice(0, TAG_LENGTH),
    networkTag: (address) => network(address).slice(0, TAG_LENGTH),
  };
};
