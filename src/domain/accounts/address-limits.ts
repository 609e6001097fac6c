import type { Callers } from './callers.ts';
import { guardNumbers } from './guard/numbers.ts';
import type { Counted, RefusalLimit } from './refusal-limits.ts';

export const uncounted: Counted = { limits: [], network: null };

/**
 * G8: what an address may be told in a while, and more than one of a network together. Counted apart for each sort of
 * call; `userid`: where it may be told less of one student id.
 */
export const addressLimits = (
  callers: Callers,
  sort: 'login' | 'registration' | 'code',
  address: string,
  { most, windowMs, userid }: { readonly most: number; readonly windowMs: number; readonly userid?: string },
): Counted => {
  const units = callers.unitsOf(address);
  if (units === null) return uncounted;
  const { perStudent, wideTimes } = guardNumbers.address;
  const limits: RefusalLimit[] = [{ name: `${sort} ${units.address}`, most, windowMs }];
  if (units.wide !== null) limits.push({ name: `${sort} ${units.wide}`, most: wideTimes * most, windowMs });
  if (userid !== undefined) {
    limits.unshift({ name: `${sort} ${units.address} ${userid.toLowerCase()}`, most: perStudent, windowMs });
  }
  return { limits, network: units.network };
};
