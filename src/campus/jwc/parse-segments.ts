import { readersOf, unreadable } from '../parsing/reading.ts';
import { decodeEntities } from '../parsing/text.ts';

const reader = readersOf(import.meta.url);

// Parts of data addresses that the campus makes up for each session; pages name them. There is no constant to fall back
// to: one would only hide a dead session.

/** A segment is optional in some patterns, so that a page without one does not yield `scoreQuery` as its segment. */
const scoresPath = /\/student\/integratedQuery\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?allTermScores\/data/g;
const schedulePath = /\/student\/courseSelect\/thisSemesterCurriculum\/([A-Za-z0-9]{1,64})\/ajaxStudentSchedule/g;
const thisTermPath = /\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?thisTermScores\/data/g;
const componentsPath = /\/([A-Za-z0-9]{1,64})\/thisterm\/coursePropertyScores\/serchScoreDetail/g;

/** The first segment that `path` captures. An attribute holds the address with entities, a script may escape slashes. */
export const findSegment = (page: string, path: RegExp): string | null => {
  const search = (text: string): string | null => {
    for (const match of text.matchAll(path)) if (match[1] !== undefined) return match[1];
    return null;
  };
  return search(page) ?? search(decodeEntities(page).replaceAll('\\/', '/'));
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

export const parseScheduleIndex = reader('parseScheduleIndex', (page: string): string =>
  segmentOn(page, schedulePath, 'calendar page'),
);

export const thisTermIndexAlive = reader('thisTermIndexAlive', (page: string): boolean =>
  page.includes('thisTermScores/data'),
);

/** The segments of scores and components in one word, as the session stores them: the page retires both at once. */
export const parseThisTermIndex = reader(
  'parseThisTermIndex',
  (page: string): string =>
    `${segmentOn(page, thisTermPath, 'page of this term')}/${findSegment(page, componentsPath) ?? ''}`,
);

/** Splits them. `components` is `""` where the page names none: then there are scores, and no components. */
export const segmentsIn = (both: string): { readonly scores: string; readonly components: string } => {
  const [scores = '', components = ''] = both.split('/');
  return { scores, components };
};
