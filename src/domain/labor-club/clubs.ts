import type { ClubApplication, ClubDirectory, DirectoryClub, DirectoryQuery } from './types.ts';

type ApplicationState = 'approved' | 'rejected' | 'pending';

/** An application with what has become of it. */
export interface JudgedApplication extends ClubApplication {
  readonly state: ApplicationState;
}

/** One page of the clubs whose name has the keyword, in whatever case. */
export const searched = (
  clubs: readonly DirectoryClub[],
  { keyword, page, pageSize }: DirectoryQuery,
): ClubDirectory => {
  const wanted = keyword.toLowerCase();
  const found = clubs.filter(({ name }) => name.toLowerCase().includes(wanted));
  const from = (page - 1) * pageSize;
  return { clubs: found.slice(from, from + pageSize), page: { total: found.length, size: pageSize, index: page } };
};

/** Words of a state that an application does not come back from. */
const lost = /拒绝|驳回|未通过|失效|过期|invalid|expired/i;

const stateOf = ({ agreed, stateName }: ClubApplication): ApplicationState => {
  if (lost.test(stateName)) return 'rejected';
  if (agreed === null) return 'pending';
  return agreed ? 'approved' : 'rejected';
};

const LONGEST_TIME = 20;

/** A date alone comes before every time of its day. */
const orderOf = ({ addedAt }: ClubApplication): string =>
  addedAt.replace(/\D/g, '').slice(0, LONGEST_TIME).padEnd(LONGEST_TIME, '0');

/** Newest first, whatever order the campus sends; of the same moment as it sends them. */
export const judged = (applications: readonly ClubApplication[]): readonly JudgedApplication[] =>
  applications
    .map((application) => ({ application, order: orderOf(application) }))
    .sort((a, b) => (a.order < b.order ? 1 : a.order > b.order ? -1 : 0))
    .map(({ application }) => ({ ...application, state: stateOf(application) }));
