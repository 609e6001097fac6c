import type { ClubApplication, ClubDirectory, DirectoryClub, JudgedApplication } from './records.ts';
import type { DirectoryQuery } from './types.ts';

/** One page of the clubs whose name has the keyword, in whatever case. */
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

/** Newest first, whatever order the campus sends; of the same moment as it sends them. */
export const judged = (applications: readonly ClubApplication[]): readonly JudgedApplication[] =>
  applications
    .map((application) => ({ application, order: orderOf(application) }))
    .sort((a, b) => (a.order < b.order ? 1 : a.order > b.order ? -1 : 0))
    .map(({ application }) => ({ ...application, status: statusOf(application) }));
