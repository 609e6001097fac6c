import type { SignInStep } from '../../errors.ts';
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

export const tagOf = ({ kind, names: [by = ''] }: Handle) => ({ kind, by });

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
