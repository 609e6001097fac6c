import { unreadable } from '../parsing/unreadable.ts';
import { findSegment } from './segments.ts';

/** The segment is optional in the pattern, so that a page without one does not yield `scoreQuery` as its segment. */
const scoresPath = /\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?thisTermScores\/data/g;
const componentsPath = /\/([A-Za-z0-9]{1,64})\/thisterm\/coursePropertyScores\/serchScoreDetail/g;

/** The page of a live session names the address of its data. */
export const thisTermIndexAlive = (page: string): boolean => page.includes('thisTermScores/data');

/** The parts of both data addresses that the campus makes up for each session. */
interface ThisTermSegments {
  readonly scores: string;
  /** `""` where the page names none: then there are scores, and no components. */
  readonly components: string;
}

/** Both in one word, as the session keeps them: one page hands out both, and retires both. */
export const segmentsIn = (kept: string): ThisTermSegments => {
  const [scores = '', components = ''] = kept.split('/');
  return { scores, components };
};

/**
 * The word that `segmentsIn` takes apart.
 * @throws Failure `upstream-unreadable` without the address of the scores
 */
export const parseThisTermIndex = (page: string): string => {
  const scores = findSegment(page, scoresPath);
  if (scores === null) throw unreadable('academics', 'page of this term without segment');
  return `${scores}/${findSegment(page, componentsPath) ?? ''}`;
};
