import type { CurrentScore, CurrentScoreKey, ScoreComponent } from '../../domain/academics/current-scores.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import type { SessionAccess, UpstreamRequest } from '../session/upstream-session.ts';
import { logDropped } from './log-dropped.ts';
import { type ComponentsAnswer, parseScoreComponents } from './parse-score-components.ts';
import { parseThisTermIndex, segmentsIn, thisTermIndexAlive } from './parse-this-term-index.ts';
import { parseThisTermScores } from './parse-this-term-scores.ts';
import { forData, forPages } from './requests.ts';
import { type SegmentPage, withSegment } from './with-segment.ts';

const base = '/student/integratedQuery/scoreQuery';

/** Carries the segments of scores and components. */
const thisTermSource: SegmentPage = {
  name: 'this-term-index',
  request: {
    method: 'GET',
    path: `${base}/thisTermScores/index`,
    headers: forPages,
    expect: 'page',
    alive: thisTermIndexAlive,
  },
  parse: parseThisTermIndex,
};

const scoresRequest = (segment: string): UpstreamRequest => ({
  method: 'GET',
  path: `${base}/${segment}/thisTermScores/data?sf_request_type=ajax`,
  headers: forData,
  expect: 'json',
});

const componentsRequest = (
  segment: string,
  { termCode, courseCode, courseClass, examTime }: CurrentScoreKey,
): UpstreamRequest => ({
  method: 'POST',
  path: `${base}/${segment}/thisterm/coursePropertyScores/serchScoreDetail?sf_request_type=ajax`,
  form: [
    ['zxjxjhh', termCode],
    ['kch', courseCode],
    ['kssj', examTime],
    ['kxh', courseClass],
  ],
  headers: forData,
  expect: 'json',
});

/** One request with a segment that is kept, two without. */
export const readThisTermScores = (
  sessions: SessionAccess,
  student: Student,
  context: CallContext,
): Promise<readonly CurrentScore[]> =>
  sessions.with(student, 'jwc', context, async (session) => {
    const { scores, dropped } = await withSegment(session, thisTermSource, async (kept) =>
      parseThisTermScores(await session.text(scoresRequest(segmentsIn(kept).scores))),
    );
    logDropped(context, 'this-term-scores', dropped);
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
    const { components, dropped } = await withSegment(
      session,
      thisTermSource,
      async (kept): Promise<ComponentsAnswer> => {
        const segment = segmentsIn(kept).components;
        // A page that was loaded when it named no such address may name one now.
        if (segment === '') return { kind: 'stale', message: '' };
        return parseScoreComponents(await session.text(componentsRequest(segment, key)));
      },
    );
    logDropped(context, 'score-components', dropped);
    return components;
  });
