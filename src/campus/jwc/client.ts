import type { AcademicsCampus } from '../../domain/academics/ports.ts';
import type {
  AcademicSummary,
  CourseTable,
  ScorePage,
  ScoreQuery,
  ScoreRecord,
  SectionTimes,
  Term,
} from '../../domain/academics/types.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import type { SessionAccess, UpstreamSession } from '../session/upstream-session.ts';
import { pageSize, readAllPages } from './all-scores.ts';
import { parseAcademicSummary } from './parse-academic-summary.ts';
import { parseCourseTable } from './parse-course-table.ts';
import { parseScheduleIndex } from './parse-schedule-index.ts';
import { parseScoreData } from './parse-score-data.ts';
import { parseScoreIndex } from './parse-score-index.ts';
import { parseSections } from './parse-sections.ts';
import { parseTermList } from './parse-term-list.ts';
import { both, named } from './parts.ts';
import {
  calendarRequest,
  courseTableRequest,
  scoreDataRequest,
  scoreIndexRequest,
  sectionsRequest,
  summaryRequest,
} from './requests.ts';
import { loadPage, type SegmentPage, withSegment } from './with-segment.ts';

const scorePageSource: SegmentPage = { name: 'scores-index', request: scoreIndexRequest, parse: parseScoreIndex };
const calendarSource: SegmentPage = { name: 'calendar-index', request: calendarRequest, parse: parseScheduleIndex };

const logDropped = (context: CallContext, page: string, dropped: number): void => {
  if (dropped > 0) context.log.warn({ system: 'academics', page, dropped }, 'unusable upstream rows dropped');
};

/** The reads of the academic-affairs system. Holds no state: everything kept belongs to the student's session. */
export class JwcClient implements AcademicsCampus {
  readonly #sessions: SessionAccess;

  constructor({ sessions }: { sessions: SessionAccess }) {
    this.#sessions = sessions;
  }

  summary(student: Student, context: CallContext): Promise<AcademicSummary> {
    return this.#sessions.with(student, 'jwc', context, async (session) =>
      parseAcademicSummary(await session.text(summaryRequest)),
    );
  }

  terms(student: Student, context: CallContext): Promise<Term[]> {
    return this.#sessions.with(student, 'jwc', context, async (session) =>
      parseTermList(await loadPage(session, calendarSource)),
    );
  }

  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage> {
    return this.#sessions.with(student, 'jwc', context, async (session) => {
      const { page } = await this.#scores(session, query, context);
      return page;
    });
  }

  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]> {
    const query = { termCode, courseCode: '', courseName: '', pageSize };
    return this.#sessions.with(student, 'jwc', context, (session) =>
      readAllPages((page) => this.#scores(session, { ...query, page }, context)),
    );
  }

  schedule(
    student: Student,
    termCode: string,
    knownSections: SectionTimes | null,
    context: CallContext,
  ): Promise<{ table: CourseTable; sections: SectionTimes }> {
    return this.#sessions.with(student, 'jwc', context, async (session) => {
      const [table, sections] = await both(
        named('courses', this.#courses(session, termCode, context)),
        knownSections === null ? named('sections', this.#sections(session, context)) : Promise.resolve(knownSections),
      );
      return { table, sections };
    });
  }

  async #scores(session: UpstreamSession, query: ScoreQuery, context: CallContext) {
    const answer = await withSegment(session, scorePageSource, async (segment) =>
      parseScoreData(await session.text(scoreDataRequest(segment, query))),
    );
    logDropped(context, 'scores', answer.dropped);
    return answer;
  }

  async #courses(session: UpstreamSession, termCode: string, context: CallContext): Promise<CourseTable> {
    const { table, dropped } = await withSegment(session, calendarSource, async (segment) =>
      parseCourseTable(await session.text(courseTableRequest(segment, termCode))),
    );
    logDropped(context, 'courses', dropped);
    return table;
  }

  async #sections(session: UpstreamSession, context: CallContext): Promise<SectionTimes> {
    const { sections, dropped } = parseSections(await session.text(sectionsRequest));
    logDropped(context, 'sections', dropped);
    return sections;
  }
}
