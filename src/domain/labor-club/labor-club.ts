import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { type Leases, takeTurn } from '../lease.ts';
import type { LaborClubCampus, Scan } from './ports.ts';
import type { LaborProgress, ScanDecision } from './types.ts';

/** The labor club for the surfaces. Failures: those of `LaborClubCampus`. */
export interface LaborClub extends Omit<LaborClubCampus, 'finishedCount' | 'scan'> {
  progress(student: Student, context: CallContext): Promise<LaborProgress>;
  /** `location` may have blanks around its comma. @throws Failure also `rate-limited` {retryAfterSeconds} */
  scan(student: Student, scan: Scan, context: CallContext): Promise<ScanDecision>;
}

const ASKED_FOR = 10;
/** One scan per student in this time, over all replicas: an app that fires twice for one QR code must not reach the campus twice. */
const SCAN_PAUSE_MS = 3_000;

export const createLaborClub = (deps: { readonly campus: LaborClubCampus; readonly leases: Leases }): LaborClub => {
  const { campus, leases } = deps;
  return {
    async progress(student, context) {
      const finished = await campus.finishedCount(student, context);
      return { finished, percentage: Math.min((finished / ASKED_FOR) * 100, 100) };
    },
    joinedActivities: (student, context) => campus.joinedActivities(student, context),
    joinedClubs: (student, context) => campus.joinedClubs(student, context),
    clubActivities: (student, query, context) => campus.clubActivities(student, query, context),
    signItems: (student, activityId, context) => campus.signItems(student, activityId, context),
    activityDetail: (student, activityId, context) => campus.activityDetail(student, activityId, context),
    signUp: (student, signUp, context) => campus.signUp(student, signUp, context),
    async scan(student, { content, location }, context) {
      if (!(await takeTurn(leases, `labor-scan:${student.userid}`, SCAN_PAUSE_MS))) {
        throw new Failure('rate-limited', { retryAfterSeconds: SCAN_PAUSE_MS / 1000 });
      }
      return campus.scan(student, { content, location: location.replace(/\s*,\s*/, ',') }, context);
    },
  };
};
