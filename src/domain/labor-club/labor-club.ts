import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { type Leases, takeTurn } from '../lease.ts';
import { listedIn, plainReads } from '../reads/plain.ts';
import type { Reads } from '../reads/reads.ts';
import type { Writes } from '../reads/writes.ts';
import type { ClubJoining, DirectoryQuery, LaborClubCampus, Scan, SignUp } from './ports.ts';
import type { ClubApplication, ClubDirectory, DirectoryClub, JudgedApplication, LaborProgress } from './records.ts';
import { laborClubReads } from './rows.ts';

/** One page of the clubs whose name has the keyword, in any case. */
export const searched = (
  clubs: readonly DirectoryClub[],
  { keyword, page, pageSize }: DirectoryQuery,
): ClubDirectory => {
  const wanted = keyword.toLowerCase();
  const found = clubs.filter(({ Name }) => Name.toLowerCase().includes(wanted));
  const from = (page - 1) * pageSize;
  return {
    data: found.slice(from, from + pageSize),
    pageInfo: { TotalItemCount: found.length, PageSize: pageSize, CurrentPageIndex: page },
  };
};

/** Words of a state that an application does not come back from. */
const lost = /拒绝|驳回|未通过|失效|过期|invalid|expired/i;

const statusOf = ({ IsAgree, StateName }: ClubApplication): JudgedApplication['status'] => {
  if (lost.test(StateName)) return 'rejected';
  if (IsAgree === null) return 'pending';
  return IsAgree ? 'approved' : 'rejected';
};

const LONGEST_TIME = 20;

/** A date alone comes before every time of its day. */
const orderOf = ({ AddTime }: ClubApplication): string =>
  AddTime.replace(/\D/g, '').slice(0, LONGEST_TIME).padEnd(LONGEST_TIME, '0');

/** Newest first; those of the same moment in the order of the campus. */
export const judged = (applications: readonly ClubApplication[]): readonly JudgedApplication[] =>
  applications
    .map((application) => ({ application, order: orderOf(application) }))
    .sort((a, b) => (a.order < b.order ? 1 : a.order > b.order ? -1 : 0))
    .map(({ application }) => ({ ...application, status: statusOf(application) }));

const ASKED_FOR = 10;
/** One scan per student in this time, over all replicas: an app that fires twice for one QR code must not reach the campus twice. */
const SCAN_PAUSE_MS = 3_000;

interface LaborClubDeps {
  readonly campus: LaborClubCampus;
  readonly leases: Leases;
  readonly reads: Reads;
  readonly writes: Writes;
}

/** The labor club for the surfaces. Failures: those of `LaborClubCampus`. */
export const createLaborClub = ({ campus, leases, reads, writes }: LaborClubDeps) => {
  const plain = plainReads(reads);
  const finishedCount = plain(laborClubReads.finishedCount, campus.finishedCount);
  const clubApplications = plain(laborClubReads.clubApplications, campus.clubApplications);
  const clubPage = plain(laborClubReads.clubPage, campus.directoryPage, ({ page, pageSize }) => [
    `${page}`,
    `${pageSize}`,
  ]);
  const allClubs = plain(laborClubReads.allClubs, campus.directory);
  return {
    async progress(student: Student, context: CallContext): Promise<LaborProgress> {
      const finished = await finishedCount(student, context);
      const percentage = Math.min((finished / ASKED_FOR) * 100, 100);
      return { data: finished, finish_count: finished, progress_percentage: percentage };
    },
    joinedActivities: plain(laborClubReads.joinedActivities, campus.joinedActivities),
    joinedClubs: plain(laborClubReads.joinedClubs, campus.joinedClubs),
    clubActivities: plain(laborClubReads.clubActivities, campus.clubActivities, ({ clubId, page, pageSize }) =>
      [clubId, page, pageSize].map(String),
    ),
    /** Whether the directory has the club; true where it cannot be had. Asked where a club turned out to have no activities. */
    knowsClub: (student: Student, clubId: string, context: CallContext) => {
      const { userid } = student;
      const wanted = clubId.toLowerCase();
      const kept = async () => {
        const all = await reads.lastCopy(userid, laborClubReads.allClubs);
        const joined = await reads.lastCopy(userid, laborClubReads.joinedClubs);
        const first = await reads.lastCopy(userid, laborClubReads.clubPage, ['1', '100']);
        return { value: [...(all?.value ?? []), ...(joined?.value.data ?? []), ...(first?.value.data ?? [])] };
      };
      const asked = (): Promise<ReadonlyArray<{ readonly ID: string }>> => allClubs(student, context);
      return listedIn<ReadonlyArray<{ readonly ID: string }>>(kept, asked, (clubs) =>
        clubs.some(({ ID }) => ID.toLowerCase() === wanted),
      );
    },
    /** One page; for a keyword the whole directory is read and kept: what a student looks for in it stays here. */
    clubs: async (student: Student, query: DirectoryQuery, context: CallContext): Promise<ClubDirectory> =>
      query.keyword === '' ? clubPage(student, query, context) : searched(await allClubs(student, context), query),
    clubApplications: async (student: Student, context: CallContext) =>
      judged(await clubApplications(student, context)),
    signItems: plain(laborClubReads.signItems, campus.signItems),
    activityDetail: plain(laborClubReads.activityDetail, campus.activityDetail),
    signUp: (student: Student, signUp: SignUp, context: CallContext) =>
      writes.during(student, 'labor-club', context, () => campus.signUp(student, signUp, context)),
    // Nothing is checked before: what is kept of the club may be old, and a look would cost a request.
    joinClub: (student: Student, joining: ClubJoining, context: CallContext) =>
      writes.during(student, 'labor-club', context, () => campus.joinClub(student, joining, context)),
    /** `location` may have blanks around its comma. @throws Failure also `rate-limited` {retryAfterSeconds} */
    async scan(student: Student, { content, location }: Scan, context: CallContext) {
      if (!(await takeTurn(leases, `labor-scan:${student.userid}`, SCAN_PAUSE_MS))) {
        throw new Failure('rate-limited', { retryAfterSeconds: SCAN_PAUSE_MS / 1000 });
      }
      const scan = { content, location: location.replace(/\s*,\s*/, ',') };
      return writes.during(student, 'labor-club', context, () => campus.scan(student, scan, context));
    },
  };
};

export type LaborClub = ReturnType<typeof createLaborClub>;
