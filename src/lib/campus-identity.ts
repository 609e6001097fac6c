/**
 * Which campus a database belongs to, by setting: the origins of its addresses, or `CAMPUS` = `demo`. Passwords in the
 * database are meant for that campus and no other.
 */
export type CampusIdentity = Readonly<Record<string, string>>;

export const demoIdentity: CampusIdentity = { CAMPUS: 'demo' };

export const isDemoName = (name: string): boolean => /^demo(?:-|$)/.test(name) && !name.endsWith('.json');

export const isDemo = (identity: CampusIdentity): boolean => isDemoName(identity.CAMPUS ?? '');

/** One line per setting, in the order of their names. */
export const identityText = (identity: CampusIdentity): string =>
  Object.entries(identity)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('\n');

export const readIdentity = (text: string): CampusIdentity =>
  Object.fromEntries(text.split('\n').map((line) => [line.replace(/=.*/s, ''), line.replace(/^[^=]*=/, '')]));

/**
 * The settings in which they differ. A setting that only one of them has is no difference: a later version may ask for
 * an address that an earlier one did not have.
 */
export const changedAddresses = (before: CampusIdentity, now: CampusIdentity): string[] =>
  Object.keys(now).filter((key) => before[key] !== undefined && before[key] !== now[key]);

export const isSameCampus = (one: CampusIdentity, other: CampusIdentity): boolean =>
  isDemo(one) === isDemo(other) && changedAddresses(one, other).length === 0;
