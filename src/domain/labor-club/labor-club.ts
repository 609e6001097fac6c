import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { type Leases, takeTurn } from '../lease.ts';
import type { Reads } from '../reads/reads.ts';
import { readRows } from '../reads/rows.ts';
import type { Writes } from '../reads/writes.ts';
import { type JudgedApplication, judged, searched } from './clubs.ts';
import type { LaborClubCampus, Scan } from './ports.ts';
import type { ClubDirectory, DirectoryQuery, LaborProgress, ScanDecision } from './types.ts';

/** The labor club for the surfaces. Failures: those of `LaborClubCampus`. */
export interface LaborClub
  extends Omit<LaborClubCampus, 'finishedCount' | 'directoryPage' | 'directory' | 'clubApplications' | 'scan'> {
  progress(student: Student, context: CallContext): Promise<LaborProgress>;
  /** One page of the clubs, or of those whose name has the keyword. */
  clubs(student: Student, query: DirectoryQuery, context: CallContext): Promise<ClubDirectory>;
  /** All of the student, newest first. */
  clubApplications(student: Student, context: CallContext): Promise<readonly JudgedApplication[]>;
  /** `location` may have blanks around its comma. @throws Failure also `rate-limited` {retryAfterSeconds} */
  scan(student: Student, scan: Scan, context: CallContext): Promise<ScanDecision>;
}

const ASKED_FOR = 10;
/** One scan per student in this time, over all replicas: an app that fires twice for one QR code must not reach the campus twice. */
const SCAN_PAUSE_MS = 3_000;

interface LaborClubDeps {
  readonly campus: LaborClubCampus;
  readonly leases: Leases;
  readonly reads: Reads;
  readonly writes: Writes;
}

export const createLaborClub = ({ campus, leases, reads, writes }: LaborClubDeps): LaborClub => ({
  async progress(student, context) {
    const finished = await reads.read(student, context, {
      row: readRows.finishedCount,
      ask: (inner) => campus.finishedCount(student, inner),
    });
    return { finished, percentage: Math.min((finished / ASKED_FOR) * 100, 100) };
  },
  joinedActivities: (student, context) =>
    reads.read(student, context, {
      row: readRows.joinedActivities,
      ask: (inner) => campus.joinedActivities(student, inner),
    }),
  joinedClubs: (student, context) =>
    reads.read(student, context, { row: readRows.joinedClubs, ask: (inner) => campus.joinedClubs(student, inner) }),
  clubActivities: (student, query, context) =>
    reads.read(student, context, {
      row: readRows.clubActivities,
      params: [query.clubId, String(query.page), String(query.pageSize)],
      ask: (inner) => campus.clubActivities(student, query, inner),
    }),
  async clubs(student, query, context) {
    const { page, pageSize, keyword } = query;
    if (keyword === '') {
      return reads.read(student, context, {
        row: readRows.clubPage,
        params: [String(page), String(pageSize)],
        ask: (inner) => campus.directoryPage(student, query, inner),
      });
    }
    // The whole directory is what is read and kept: what somebody looks for in it stays here.
    const all = await reads.read(student, context, {
      row: readRows.allClubs,
      ask: (inner) => campus.directory(student, inner),
    });
    return searched(all, query);
  },
  async clubApplications(student, context) {
    const applications = await reads.read(student, context, {
      row: readRows.clubApplications,
      ask: (inner) => campus.clubApplications(student, inner),
    });
    return judged(applications);
  },
  signItems: (student, activityId, context) =>
    reads.read(student, context, {
      row: readRows.signItems,
      params: [activityId],
      ask: (inner) => campus.signItems(student, activityId, inner),
    }),
  activityDetail: (student, activityId, context) =>
    reads.read(student, context, {
      row: readRows.activityDetail,
      params: [activityId],
      ask: (inner) => campus.activityDetail(student, activityId, inner),
    }),
  signUp: (student, signUp, context) =>
    writes.during(student, 'labor-club', context, () => campus.signUp(student, signUp, context)),
  joinClub: (student, joining, context) =>
    writes.during(student, 'labor-club', context, () => campus.joinClub(student, joining, context)),
  async scan(student, { content, location }, context) {
    if (!(await takeTurn(leases, `labor-scan:${student.userid}`, SCAN_PAUSE_MS))) {
      throw new Failure('rate-limited', { retryAfterSeconds: SCAN_PAUSE_MS / 1000 });
    }
    const scan = { content, location: location.replace(/\s*,\s*/, ',') };
    return writes.during(student, 'labor-club', context, () => campus.scan(student, scan, context));
  },
});
