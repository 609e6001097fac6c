import { LRUCache } from 'lru-cache';
import { addressList, callerUnit, networkOf, wideUnit } from '../../../lib/address.ts';
import { type KeyedNames, studentTags, TAG_LENGTH, type TagOf } from '../../../lib/hash.ts';
import { boundSize } from '../../../lib/text.ts';
import type { SignInStep } from '../../errors.ts';
import type { PasswordPair } from '../ports.ts';
import type { HandleKind, StudentRow } from './row.ts';

/** Who sends a login. Names are keyed hashes under every secret key, the newest first. */
export interface Caller {
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string;
  /** One of `TRUSTED_CALLERS`: no limit per network applies. */
  readonly trusted: boolean;
  /** Names of this network as a home of the student; empty if it cannot be one. */
  readonly home: readonly string[];
  /** Names of this student's token that came with the call; empty if none did. */
  readonly token: readonly string[];
}

/** Budgets and waits belong to the handle: a copy of a token spends nothing of home, and a neighbour nothing of a token. */
export interface Handle {
  readonly kind: HandleKind;
  readonly names: readonly string[];
}

/** Strangers share one handle, and so do all who register. */
export const stranger: Handle = { kind: 'stranger', names: [''] };

export const handleOf = ({ networks }: Pick<StudentRow, 'networks'>, { home, token }: Caller): Handle => {
  const isHome = networks.some(({ network }) => home.includes(network));
  if (isHome && token.length > 0) {
    return { kind: 'home-token', names: home.map((name, key) => `${name} ${token[key] ?? token[0]}`) };
  }
  if (isHome) return { kind: 'home', names: home };
  return token.length > 0 ? { kind: 'token', names: token } : stranger;
};

/** The names of the home network that the handle stands for; none for a token alone and for strangers. */
export const homeNamesOf = ({ kind, names }: Handle): readonly string[] => {
  if (kind === 'home') return names;
  return kind === 'home-token' ? names.map((name) => name.slice(0, name.indexOf(' '))) : [];
};

export const isOwner = ({ kind }: Handle): boolean => kind !== 'stranger';

export const isOf =
  ({ kind, names }: Handle) =>
  (row: { readonly kind?: HandleKind; readonly by?: string }): boolean =>
    row.kind === kind && (kind === 'stranger' || names.includes(row.by ?? ''));

export const handleTagOf = ({ kind, names: [by = ''] }: Handle) => ({ kind, by });

export interface SubmittedPair {
  /** A step: where the campus has refused the stored pair. */
  readonly stored: 'none' | 'good' | SignInStep;
  readonly equalAt: Readonly<Record<SignInStep, boolean>>;
  /** Under every key, the newest first. */
  readonly fingerprints: Readonly<Record<SignInStep, readonly string[]>>;
}

/** It is the stored pair, rejected or not. */
export const isEqual = ({ stored, equalAt }: SubmittedPair): boolean =>
  stored !== 'none' && equalAt.portal && equalAt['unified-login'];

export const isStored = (pair: SubmittedPair): boolean => pair.stored === 'good' && isEqual(pair);

interface CountedUnits {
  /** IPv4 whole, IPv6 by its /64. */
  readonly address: string;
  /** IPv6 by its /48; null for IPv4. */
  readonly wide: string | null;
}

export type Callers = ReturnType<typeof createCallers>;

/** Makes the keyed names under which the guard remembers and logs addresses, student ids and secrets. */
export const createCallers = (
  names: KeyedNames,
  { trustedCallers, trustedProxies }: { trustedCallers: readonly string[]; trustedProxies: readonly string[] },
) => {
  const isTrusted = addressList(trustedCallers);
  const isProxy = addressList(trustedProxies);
  const network = (address: string): string => names.one('network', networkOf(address, 48));
  /** IPv6 counts by its /64, because a household has no more; shared machines and proxies have no home. */
  const homeOf = (userid: string, address: string): string[] =>
    address === '' || isTrusted(address) || isProxy(address)
      ? []
      : names.all('known network', userid, networkOf(address, 64));
  const fingerprintsOf = (userid: string, step: SignInStep, secret: string): string[] =>
    names.all('refused secret', userid, step, secret);
  const tagOf = studentTags(names);
  const tags = new LRUCache<string, string>(boundSize(20_000));
  /** Cached, because every call of a student needs it. */
  const studentTag: TagOf = (userid) => {
    const made = tags.get(userid);
    if (made !== undefined) return made;
    const tag = tagOf(userid);
    tags.set(userid, tag);
    return tag;
  };
  return {
    /** `token`: hash of a token of this student that came with the call; null: none came. */
    callerOf: (userid: string, address: string, token: string | null): Caller => ({
      network: network(address),
      trusted: isTrusted(address),
      home: homeOf(userid, address),
      token: token === null ? [] : names.all('token', userid, token),
    }),
    /** The units in which addresses are counted; null for `TRUSTED_CALLERS`, which are not. */
    unitsOf: (address: string): CountedUnits | null =>
      isTrusted(address) ? null : { address: callerUnit(address), wide: wideUnit(address) },
    fingerprints: (userid: string, pair: PasswordPair): SubmittedPair['fingerprints'] => ({
      portal: fingerprintsOf(userid, 'portal', pair.vpnPassword),
      'unified-login': fingerprintsOf(userid, 'unified-login', pair.password),
    }),
    /** Identifies a student in log lines; `campus tag` prints both tags. */
    studentTag,
    networkTag: (address: string): string => network(address).slice(0, TAG_LENGTH),
  };
};

/** 1–20 ASCII letters and digits; case is kept, nothing is trimmed. */
export const useridForm = '^[0-9A-Za-z]{1,20}$';
const useridPattern = new RegExp(useridForm);
export const isUserid = (text: string): boolean => useridPattern.test(text);

/** The lease under which an id, in any spelling, is asked at the campus one call at a time. */
export const attemptLease = (userid: string): string => `attempt:${userid.toLowerCase()}`;

/** It is prolonged while the sign-in runs: others wait no longer than this for that of a process that died. */
export const SIGN_IN_LEASE_MS = 10_000;

/** Taken for every sign-in of a student. The previous version takes the second name too, and for renewals only that one. */
export const signInLease = (userid: string) => [attemptLease(userid), `campus-login:${userid}`] as const;
