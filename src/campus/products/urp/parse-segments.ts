import { readersOf, unreadable } from '../../parsing/reading.ts';
import { decodeEntities } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

// The campus makes up these parts of its data addresses for each session and names them on its pages. A constant as
// fallback would only hide a dead session.

/** Stands for the segment on campuses whose addresses have none. */
const NO_SEGMENT = '.';

/** What a segment puts into the path of a data address. */
export const segmentPath = (segment: string): string => (segment === NO_SEGMENT ? '' : `${segment}/`);

/** The segment is optional in each, so that no other part of the path is taken for one. */
const scoresPath = /\/student\/integratedQuery\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?allTermScores\/data/g;
const schedulePath =
  /\/student\/courseSelect\/thisSemesterCurriculum\/(?:([A-Za-z0-9]{1,64})\/)?ajaxStudentSchedule(?![A-Za-z0-9])/g;
const thisTermPath = /\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?thisTermScores\/data/g;
const componentsPath = /\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?thisterm\/coursePropertyScores\/serchScoreDetail/g;

/**
 * The first segment that `path` captures, `NO_SEGMENT` where the page has the address without one, null where it has no
 * such address. In attributes the address may hold entities, in scripts escaped slashes.
 */
export const findSegment = (page: string, path: RegExp): string | null => {
  const matches = [page, decodeEntities(page).replaceAll('\\/', '/')].flatMap((text) => [...text.matchAll(path)]);
  return matches.length === 0 ? null : (matches.find(([, segment]) => segment !== undefined)?.[1] ?? NO_SEGMENT);
};

const segmentOn = (page: string, path: RegExp, named: string): string => {
  const segment = findSegment(page, path);
  if (segment === null) throw unreadable('academics', `${named} without segment`);
  return segment;
};

export const scoreIndexAlive = reader('scoreIndexAlive', (page: string): boolean =>
  page.includes('allTermScores/data'),
);

export const parseScoreIndex = reader('parseScoreIndex', (page: string): string =>
  segmentOn(page, scoresPath, 'score page'),
);

/** Some campuses have the table of a term where others have those of the past. */
const presentSchedulePath = /\/ajaxStudentSchedule\\?\/callback(?![A-Za-z0-9])/;

/** Returns the segment, with `/` after it where the page names no address `past/callback` but `callback` alone. */
export const parseScheduleIndex = reader('parseScheduleIndex', (page: string): string => {
  const segment = segmentOn(page, schedulePath, 'calendar page');
  const isPresent = presentSchedulePath.test(page) && !/ajaxStudentSchedule\\?\/past/.test(page);
  return isPresent ? `${segment}/` : segment;
});

/** What follows the path of timetables in their address. `isPast`: it is where the tables of all terms are. */
export const scheduleAddress = (found: string): { readonly path: string; readonly isPast: boolean } => {
  const [segment = '', present] = found.split('/');
  const isPast = present === undefined;
  return { path: `${segmentPath(segment)}ajaxStudentSchedule/${isPast ? 'past/' : ''}callback`, isPast };
};

export const thisTermIndexAlive = reader('thisTermIndexAlive', (page: string): boolean =>
  page.includes('thisTermScores/data'),
);

/** Returns `<scores>/<components>`, one string for the session to store: the page retires both together. */
export const parseThisTermIndex = reader(
  'parseThisTermIndex',
  (page: string): string =>
    `${segmentOn(page, thisTermPath, 'page of this term')}/${findSegment(page, componentsPath) ?? ''}`,
);

/** Splits that string. `components` is `""` where the page names none: scores can be read then, components cannot. */
export const segmentsIn = (both: string): { readonly scores: string; readonly components: string } => {
  const [scores = '', components = ''] = both.split('/');
  return { scores, components };
};
