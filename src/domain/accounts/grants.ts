/**
 * Access that a student has given out beside his logins and that outlives them, by kind; one row each. A logout
 * everywhere, a login that replaces the pair, and the operator's `user revoke` keep or end it.
 */
export const grantKinds = ['feeds', 'hooks', 'tokens'] as const;

export type GrantKind = (typeof grantKinds)[number];

/** The student's own calls keep these by default. */
export const keptGrants: readonly GrantKind[] = ['feeds'];

/** How many there were of each kind; kinds without any are left out. */
type GrantCounts = Readonly<Partial<Record<GrantKind, number>>>;

export interface SettledGrants {
  readonly kept: GrantCounts;
  readonly ended: GrantCounts;
}

export const noGrants: SettledGrants = { kept: {}, ended: {} };
