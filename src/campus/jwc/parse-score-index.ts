import { unreadable } from '../parsing/unreadable.ts';
import { findSegment } from './segments.ts';

/** The segment is optional in the pattern, so that a page without one does not yield `scoreQuery` as its segment. */
const dataPath = /\/student\/integratedQuery\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?allTermScores\/data/g;

/** The score page of a live session names the address of its data. */
export const scoreIndexAlive = (page: string): boolean => page.includes('allTermScores/data');

/**
 * The part of the data address that the campus makes up for each session.
 * @throws Failure `upstream-unreadable`: there is no constant to fall back to, one would only hide a dead session
 */
export const parseScoreIndex = (page: string): string => {
  const segment = findSegment(page, dataPath);
  if (segment === null) throw unreadable('academics', 'score page without segment');
  return segment;
};
