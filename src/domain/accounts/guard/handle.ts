import type { HandleKind, StudentRow } from './row.ts';
import type { Caller } from './types.ts';

/** Budgets and waits belong to the handle: a copy of a token spends nothing of home, and a neighbour nothing of a token. */
export interface Handle {
  readonly kind: HandleKind;
  /** Its names under every key, the newest first. */
  readonly names: readonly string[];
}

export const handleOf = ({ networks }: Pick<StudentRow, 'networks'>, { home, token }: Caller): Handle => {
  const isHome = networks.some(({ network }) => home.includes(network));
  if (isHome && token.length > 0) {
    return { kind: 'home-token', names: home.map((name, key) => `${name} ${token[key] ?? token[0]}`) };
  }
  if (isHome) return { kind: 'home', names: home };
  return token.length > 0 ? { kind: 'token', names: token } : { kind: 'stranger', names: [''] };
};

export const isOwner = ({ kind }: Handle): boolean => kind !== 'stranger';

/** Strangers share one handle. */
export const isOf =
  ({ kind, names }: Handle) =>
  (row: { readonly kind: HandleKind; readonly by: string }): boolean =>
    row.kind === kind && (kind === 'stranger' || names.includes(row.by));

export const tagOf = ({ kind, names: [by = ''] }: Handle) => ({ kind, by });
