import { byText } from '../../lib/text.ts';
import type { CallContext, Student } from '../context.ts';
import type { Leases } from '../lease.ts';
import { limits, takeStored } from '../limits.ts';
import { isListedIn } from '../reads/listed-in.ts';
import { type PortOf, plainReads } from '../reads/plain-reads.ts';
import type { Reads } from '../reads/reads.ts';
import type { Writes } from '../reads/writes.ts';
import {
  type CampusDecision,
  type ClubJoining,
  type DirectoryQuery,
  type LaborClubCampus,
  laborClubReads,
  type Scan,
  type ScanDecision,
  type SignUp,
} from './reads.ts';
import type { ClubApplication, ClubDirectory, DirectoryClub, JudgedApplication, LaborProgress } from './records.ts';

/** One page of the clubs whose name has the keyword, in any case. */
export const searchClubs = (
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

const lost = /拒绝|驳回|未通过|失效|过期|invalid|expired/i;

const applicationStatusOf = ({ IsAgree, StateName }: ClubApplication): JudgedApplication['status'] => {
  if (lost.test(StateName)) return 'rejected';
  if (IsAgree === null) return 'pending';
  return IsAgree ? 'approved' : 'rejected';
};

const LONGEST_TIME = 40;

/** The digits of a time: a date alone comes before every time of its day. */
const orderOf = ({ AddTime }: ClubApplication): string =>
  AddTime.slice(0, LONGEST_TIME).replace(/\D/g, '').padEnd(LONGEST_TIME, '0');

/** Newest first; those of the same moment in the order of the campus. */
export const judgeApplications = (applications: readonly ClubApplication[]): readonly JudgedApplication[] =>
  applications
    .toSorted((a, b) => byText(orderOf(b), orderOf(a)))
    .map((application) => ({ ...application, status: applicationStatusOf(application) }));

const ASKED_FOR = 10;

interface LaborClubDeps {
  readonly campus: LaborClubCampus;
  readonly leases: Leases;
  readonly reads: Reads;
  readonly writes: Writes;
}

/** Failures: those of `LaborClubCampus`. */
export class LaborClubService {
  readonly #deps: LaborClubDeps;
  /** What needs nothing but a reading. */
  readonly plain: PortOf<typeof laborClubReads>;

  constructor(deps: LaborClubDeps) {
    this.#deps = deps;
    this.plain = plainReads(deps.reads, laborClubReads, deps.campus);
  }

  async progress(student: Student, context: CallContext): Promise<LaborProgress> {
    const finished = await this.plain.finishedCount(student, context);
    const percentage = Math.min((finished / ASKED_FOR) * 100, 100);
    return { data: finished, finish_count: finished, progress_percentage: percentage };
  }

  /** Whether the directory lists a club that turned out to have no activities; true if it cannot be read. */
  knowsClub(student: Student, clubId: string, context: CallContext): Promise<boolean> {
    const { reads } = this.#deps;
    const { userid } = student;
    const wanted = clubId.toLowerCase();
    const readStored = async () => {
      const all = await reads.lastCopy(userid, laborClubReads.directory);
      const joined = await reads.lastCopy(userid, laborClubReads.joinedClubs);
      const first = await reads.lastCopy(userid, laborClubReads.directoryPage, ['1', '100']);
      return { value: [...(all?.value ?? []), ...(joined?.value.data ?? []), ...(first?.value.data ?? [])] };
    };
    const read = (): Promise<ReadonlyArray<{ readonly ID: string }>> => this.plain.directory(student, context);
    return isListedIn<ReadonlyArray<{ readonly ID: string }>>(readStored, read, (clubs) =>
      clubs.some(({ ID }) => ID.toLowerCase() === wanted),
    );
  }

  /** One page. A keyword never reaches the campus: the whole directory is read and searched here. */
  async clubs(student: Student, query: DirectoryQuery, context: CallContext): Promise<ClubDirectory> {
    if (query.keyword === '') return this.plain.directoryPage(student, query, context);
    return searchClubs(await this.plain.directory(student, context), query);
  }

  async judgedApplications(student: Student, context: CallContext): Promise<readonly JudgedApplication[]> {
    return judgeApplications(await this.plain.clubApplications(student, context));
  }

  signUp(student: Student, signUp: SignUp, context: CallContext): Promise<CampusDecision> {
    const { campus, writes } = this.#deps;
    return writes.during(student, 'labor-club', context, () => campus.signUp(student, signUp, context));
  }

  /** Checks nothing first: a stored club may be old, and reading it would cost a request. */
  joinClub(student: Student, joining: ClubJoining, context: CallContext): Promise<CampusDecision> {
    const { campus, writes } = this.#deps;
    return writes.during(student, 'labor-club', context, () => campus.joinClub(student, joining, context));
  }

  /** `location` may have blanks around its comma. @throws Failure also `rate-limited` {retryAfterSeconds} */
  async scan(student: Student, { content, location }: Scan, context: CallContext): Promise<ScanDecision> {
    const { campus, leases, writes } = this.#deps;
    await takeStored(leases, limits.scans, student.userid);
    const scan = { content, location: location.replace(/\s*,\s*/, ',') };
    return writes.during(student, 'labor-club', context, () => campus.scan(student, scan, context));
  }
}

export type LaborClub = Omit<LaborClubService, 'plain'> & LaborClubService['plain'];

export const createLaborClub = (deps: LaborClubDeps): LaborClub => {
  const service = new LaborClubService(deps);
  return Object.assign(service, service.plain);
};
