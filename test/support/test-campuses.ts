import type { FaultCampus } from '../faults/campuses.ts';
import { first, second } from './campus-rig.ts';

interface TestCampus {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly first: typeof first;
  readonly second: typeof second;
  /** Texts that only the tables of the first or of the second student show. */
  readonly ownRows: { readonly first: RegExp; readonly second: RegExp };
}

/** What must hold behind any campus: with a portal, without one, and where the academic system takes the password. */
export const testCampuses: readonly TestCampus[] = [
  {
    name: 'a campus with a portal',
    env: {},
    first,
    second,
    ownRows: { first: /"KJ[A-Z0-9]/, second: /"RW[A-Z0-9]/ },
  },
  {
    name: 'a campus without one',
    env: { CAMPUS: 'demo-lakeside' },
    first: { userid: 'L2026001', password: 'lakeside-password', vpnPassword: '' },
    second: { userid: 'L2026002', password: 'lakeside-password-2', vpnPassword: '' },
    ownRows: { first: /"LK105"/, second: /"LK104"/ },
  },
  {
    name: 'a campus with an own login',
    env: { CAMPUS: 'demo-zhengfang' },
    first: { userid: 'Z2026001', password: 'zhengfang-password', vpnPassword: '' },
    second: { userid: 'Z2026002', password: 'zhengfang-password-2', vpnPassword: '' },
    ownRows: { first: /"LAW2104"/, second: /"MAT1102"/ },
  },
];

/** Passwords that have been sent to the campus. */
export const passwordsSent = (campus: FaultCampus): number =>
  campus.requests().filter(({ method, path }) => method === 'POST' && /login/.test(path)).length;
