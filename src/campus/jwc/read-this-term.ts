import type { CurrentScoreKey } from '../../domain/academics/current-scores.ts';
import type { CurrentScore, ScoreComponent } from '../../domain/academics/records.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { readAnswer } from '../read-answer.ts';
import type { SessionAccess, UpstreamRequest } from '../session/upstream-session.ts';
import { type ComponentsAnswer, parseScoreComponents } from './parse-score-components.ts';
import { parseThisTermIndex, segmentsIn, thisTermIndexAlive } from './parse-segments.ts';
import { parseThisTermScores } from './parse-this-term-scores.ts';
import { dataRequest, pageRequest } from './requests.ts';
import { type SegmentPage, withSegment } from './with-segment.ts';

const base = '/student/integratedQuery/scoreQuery';

/** Carries the segments of scores and components. */
const thisTermSource: SegmentPage = {
  request: pageRequest('this-term-index', `${base}/thisTermScores/index`, thisTermIndexAlive),
  parse: parseThisTermIndex,
};

const scoresRequest = (segment: string): UpstreamRequest => {
  const path = `${base}/${segment}/thisTermScores/data?sf_request_type=ajax`;
  return dataRequest('this-term-scores', path, undefined, { whole: true });
};

const componentsRequest = (
  segment: string,
  { termCode, courseCode, courseClass, examTime }: CurrentScoreKey,
): UpstreamRequest => {
  const path = `${base}/${segment}/thisterm/coursePropertyScores/serchScoreDetail?sf_request_type=ajax`;
  return dataRequest('score-components', path, [
    ['zxjxjhh', termCode],
    ['kch', courseCode],
    ['kssj', examTime],
    ['kxh', courseClass],
  ]);
};

/** One request with a segment that is kept, two without. */
export const readThisTermScores = (
  sessions: SessionAccess,
  student: Student,
  context: CallContext,
): Promise<readonly CurrentScore[]> =>
  sessions.with(student, 'jwc', context, async (session) => {
    const { scores } = await withSegment(session, thisTermSource, (kept) =>
      readAnswer(session, scoresRequest(segmentsIn(kept).scores), parseThisTermScores),
    );
    return scores;
  });

/** As many requests; the page hands out both segments. */
export const readScoreComponents = (
  sessions: SessionAccess,
  student: Student,
  key: CurrentScoreKey,
  context: CallContext,
): Promise<readonly ScoreComponent[]> =>
  sessions.with(student, 'jwc', context, async (session) => {
    const ask = async (kept: string): Promise<ComponentsAnswer> => {
      const segment = segmentsIn(kept).components;
      // A page that was loaded when it named no such address may name one now.
      if (segment === '') return { kind: 'stale', message: '' };
      return readAnswer(session, componentsRequest(segment, key), parseScoreComponents);
    };
    return (await withSegment(session, thisTermSource, ask)).components;
  });
