import type { CurrentScoreKey, ScoreQuery } from '../../../domain/academics/ports.ts';
import type { CurrentScore, ScoreComponent, ScoreRecord, WholeRecord } from '../../../domain/academics/records.ts';
import { asRecordRow, mostRecordRows } from '../../../domain/academics/score-marks.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { readAllPages, readAnswer } from '../../contract/kit.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { unreadable } from '../../parsing/reading.ts';
import { ajax, dataRequest, pageRequest, type SegmentPage, staleAnswer, withSegment } from './pages.ts';
import {
  NOT_OFFERED,
  parseSchemeIndex,
  parseSchemeScores,
  schemeDataAlive,
  schemeIndexAlive,
} from './parse-scheme-scores.ts';
import { parseScoreComponents, parseScoreData, parseThisTermScores } from './parse-scores.ts';
import {
  parseScoreIndex,
  parseThisTermIndex,
  scoreIndexAlive,
  segmentPath,
  segmentsIn,
  thisTermIndexAlive,
} from './parse-segments.ts';

const base = '/student/integratedQuery/scoreQuery';

const scoreIndex: SegmentPage = {
  request: pageRequest('scores-index', `${base}/allTermScores/index`, scoreIndexAlive),
  parse: parseScoreIndex,
};

/** The name is sent as the caller writes it, as we show it: pages are escaped, searches are not. */
export const readScores = (session: UpstreamSession, query: ScoreQuery) =>
  withSegment(session, scoreIndex, (segment) => {
    const request = dataRequest('scores', `${base}/${segmentPath(segment)}allTermScores/data`, [
      ['zxjxjhh', query.termCode],
      ['kch', query.courseCode],
      ['kcm', query.courseName],
      ['pageNum', String(query.page)],
      ['pageSize', String(query.pageSize)],
      ajax,
    ]);
    return readAnswer(session, request, parseScoreData);
  });

const paging = { system: 'academics', what: 'score', mostPages: 40 } as const;

/** All pages of a term, or of every term where the code is empty. */
export const readScoreRows = async (session: UpstreamSession, termCode: string, pageSize = 50) => {
  const { pages } = await readAllPages({ ...paging, size: pageSize }, async (number) => {
    const query = { termCode, courseCode: '', courseName: '', page: number, pageSize };
    const { page, received, totalStated } = await readScores(session, query);
    return { rows: page.records, received, total: totalStated ? page.total_count : null };
  });
  return pages.flat();
};

/** Carries the segments of scores and components. */
const thisTermSource: SegmentPage = {
  request: pageRequest('this-term-index', `${base}/thisTermScores/index`, thisTermIndexAlive),
  parse: parseThisTermIndex,
};

const scoresRequest = (segment: string): UpstreamRequest => {
  const path = `${base}/${segmentPath(segment)}thisTermScores/data?sf_request_type=ajax`;
  return dataRequest('this-term-scores', path, undefined, { whole: true });
};

const componentsRequest = (
  segment: string,
  { termCode, courseCode, courseClass, examTime }: CurrentScoreKey,
): UpstreamRequest => {
  const path = `${base}/${segmentPath(segment)}thisterm/coursePropertyScores/serchScoreDetail?sf_request_type=ajax`;
  return dataRequest('score-components', path, [
    ['zxjxjhh', termCode],
    ['kch', courseCode],
    ['kssj', examTime],
    ['kxh', courseClass],
  ]);
};

/** One request with a stored segment, two without. HTML counts as a dead session: a stale segment looks the same. */
export const readThisTermScores = async (session: UpstreamSession): Promise<readonly CurrentScore[]> => {
  const { scores } = await withSegment(session, thisTermSource, (both) =>
    readAnswer(session, scoresRequest(segmentsIn(both).scores), parseThisTermScores),
  );
  return scores;
};

/** Costs the same: one page hands out both segments. */
export const readScoreComponents = async (
  session: UpstreamSession,
  key: CurrentScoreKey,
): Promise<readonly ScoreComponent[]> => {
  const ask = async (both: string) => {
    const segment = segmentsIn(both).components;
    // A page that was loaded when it named no such address may name one now.
    if (segment === '') return staleAnswer();
    return readAnswer(session, componentsRequest(segment, key), parseScoreComponents);
  };
  return (await withSegment(session, thisTermSource, ask)).components;
};

const indexPath = `${base}/schemeScores/index`;

/** Not every campus has the page. */
const schemeSource: SegmentPage = {
  request: { ...pageRequest('scheme-index', indexPath, schemeIndexAlive), optional: true },
  parse: parseSchemeIndex,
};

/** The campus answers a stale segment with a page or nothing, which is no sign of a dead session. */
const schemeRequest = (segment: string): UpstreamRequest => ({
  ...dataRequest('scheme-scores', `${base}/${segmentPath(segment)}schemeScores/callback`),
  referer: indexPath,
  expect: 'page',
  alive: schemeDataAlive,
  optional: true,
  whole: true,
});

/** Codes of all terms, in their order. */
type ReadTermCodes = (session: UpstreamSession) => Promise<readonly string[]>;

const wholePageSize = 300;
/** Each one costs a request. */
const mostTerms = 60;

/**
 * The score list of all terms. A list of one term alone may come from a campus that takes "no term" for this term, so it is
 * only believed where there is one term at most.
 */
const fromScoreList = async (session: UpstreamSession, readTermCodes: ReadTermCodes): Promise<WholeRecord> => {
  const all = await readScoreRows(session, '', wholePageSize);
  const whole = (source: 'all_terms' | 'term_by_term', rows: readonly ScoreRecord[]): WholeRecord => {
    if (rows.length > mostRecordRows) throw unreadable('academics', 'more rows than a record can have');
    return { source, groups: [], records: rows.map(asRecordRow) };
  };
  if (new Set(all.map(({ term_id }) => term_id)).size > 1) return whole('all_terms', all);
  const terms = await readTermCodes(session);
  if (terms.length <= 1) return whole('all_terms', all);
  if (terms.length > mostTerms) throw unreadable('academics', 'more terms than a student studies');
  const rows: ScoreRecord[] = [];
  for (const termCode of terms) rows.push(...(await readScoreRows(session, termCode)));
  return whole('term_by_term', rows);
};

/** Reads every score of a student: the campus's own page of them where it has one, else the score list. */
export class WholeRecords {
  readonly #sessions: SessionAccess;
  readonly #readTermCodes: ReadTermCodes;
  #hasToldOfAbsence = false;

  constructor(sessions: SessionAccess, readTermCodes: ReadTermCodes) {
    this.#sessions = sessions;
    this.#readTermCodes = readTermCodes;
  }

  read(student: Student, context: CallContext): Promise<WholeRecord> {
    return this.#sessions.with(student, 'jwc', context, async (session) => {
      const answer = await withSegment(session, schemeSource, async (segment) =>
        segment === NOT_OFFERED
          ? { kind: 'absent' as const }
          : session.parse(parseSchemeScores, await session.text(schemeRequest(segment))),
      );
      if (answer.kind === 'absent') {
        this.#tellOfAbsence(context);
        return fromScoreList(session, this.#readTermCodes);
      }
      session.noteDropped('scheme-scores', answer.dropped);
      const { groups, records } = answer;
      return { source: 'scheme', groups, records };
    });
  }

  #tellOfAbsence({ log }: CallContext): void {
    if (!this.#hasToldOfAbsence)
      log.info({ system: 'academics', page: 'scheme-index' }, 'page not offered by this campus');
    this.#hasToldOfAbsence = true;
  }
}
