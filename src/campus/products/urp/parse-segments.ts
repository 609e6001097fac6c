import { readersOf, unreadable } from '../../parsing/reading.ts';
import { decodeEntities } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

// The campus makes up these parts of its data addresses for each session and names them on its pages. A constant as
// fallback would only hide a dead session.

/** Some patterns make the segment optional, so that `scoreQuery` is not taken for the segment of a page without one. */
const scoresPath = /\/student\/integratedQuery\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?allTermScores\/data/g;
const schedulePath = /\/student\/courseSelect\/thisSemesterCurriculum\/([A-Za-z0-9]{1,64})\/ajaxStudentSchedule/g;
const thisTermPath = /\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?thisTermScores\/data/g;
const componentsPath = /\/([A-Za-z0-9]{1,64})\/thisterm\/coursePropertyScores\/serchScoreDetail/g;

/** The first segment that `path` captures. In attributes the address may hold entities, in scripts escaped slashes. */
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
