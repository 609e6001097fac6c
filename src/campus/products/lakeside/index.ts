import { Type } from '@sinclair/typebox';
import type { StatedCalendarText, TermStart } from '../../../domain/academics/current-term.ts';
import type { ScoreQuery } from '../../../domain/academics/ports.ts';
import type { AcademicsCampus } from '../../../domain/academics/reads.ts';
import type { ScorePage } from '../../../domain/academics/records.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { address, application, service } from '../../contract/driver.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { usualRow } from '../../contract/upstreams.ts';
import { unreadable } from '../../parsing/reading.ts';
import {
  type LakesideTerm,
  ownTermCode,
  parseExams,
  parseScores,
  parseStudent,
  parseTerms,
  parseTimetable,
} from './parse.ts';

const get = (page: string, path: string): UpstreamRequest => ({ page, method: 'GET', path, expect: 'json' });
const termQuery = (code: string): string => (code === '' ? '' : `?term=${encodeURIComponent(ownTermCode(code))}`);

/** Requests and parses a page, and reports unusable rows. */
const ask = async <T extends object>(
  session: UpstreamSession,
  request: UpstreamRequest,
  read: (text: string) => T,
): Promise<T> => {
  const answer = await session.reading(await session.text(request), read);
  if ('dropped' in answer) session.noteDropped(request.page, Number(answer.dropped));
  return answer;
};

const terms = (session: UpstreamSession) => ask(session, get('terms', '/api/terms'), parseTerms);

const currentOf = (all: readonly LakesideTerm[]): LakesideTerm => {
  const current = all.find(({ is_current }) => is_current);
  if (current === undefined) throw unreadable('academics', 'no current term');
  return current;
};

const ownFile = async (session: UpstreamSession) => {
  const read = await ask(session, get('student', '/api/student'), parseStudent);
  // The campus returned another student's file: nothing of it may be stored, answered or logged.
  if (read.number !== session.userid) throw unreadable('academics', 'file of another student');
  return read;
};

const scores = async (session: UpstreamSession, code: string) =>
  (await ask(session, get('scores', `/api/scores${termQuery(code)}`), parseScores)).rows;

/** The campus has neither pages nor filters, and its whole list is short. */
const scorePage = async (session: UpstreamSession, query: ScoreQuery): Promise<ScorePage> => {
  const { courseCode, courseName, page, pageSize } = query;
  const found = (await scores(session, query.termCode)).filter(
    ({ course_code, course_name_cn }) => course_code.includes(courseCode) && course_name_cn.includes(courseName),
  );
  const records = found.slice((page - 1) * pageSize, page * pageSize);
  return { page_size: pageSize, page_num: page, total_count: found.length, records };
};

const timetable = async (session: UpstreamSession, termCode: string) => {
  const all = await terms(session);
  const term = all.find(({ term_code }) => term_code === termCode) ?? null;
  const request = get('timetable', `/api/timetable${termQuery(termCode)}`);
  const { table, sections } = await ask(session, request, (text) => parseTimetable(text, term));
  return { table, sections };
};

const seasons = new Map([
  ['1', '秋'],
  ['2', '春'],
  ['3', '夏'],
]);

const calendarText = async (session: UpstreamSession): Promise<StatedCalendarText> => {
  const { term_code } = currentOf(await terms(session));
  const [, academicYear = '', number] = /^(\d{4}-\d{4})-(\d)/.exec(term_code) ?? [];
  return { academicYear, season: seasons.get(number ?? '') ?? '', week: null, speaksOfEnd: false, code: term_code };
};

const termStart = async (session: UpstreamSession): Promise<TermStart> => {
  const { firstDay, weeks } = currentOf(await terms(session));
  if (firstDay === '') throw unreadable('academics', 'term without first day');
  return { firstDay, weeks };
};

/** Leaves out the reads that this campus has no page for. */
export const createLakesideClient = (sessions: SessionAccess) => {
  const within = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'lakeside', context, work);
  return {
    summary: (student, context) =>
      within(student, context, async (session) => {
        const [{ summary }, all] = await Promise.all([ownFile(session), terms(session)]);
        return { ...summary, currentTerm: currentOf(all).term_code };
      }),
    studentFile: (student, context) => within(student, context, async (session) => (await ownFile(session)).file),
    terms: (student, context) =>
      within(student, context, async (session) =>
        (await terms(session)).map(({ term_code, term_name, is_current }) => ({ term_code, term_name, is_current })),
      ),
    allScores: (student, termCode, context) => within(student, context, (session) => scores(session, termCode)),
    scorePage: (student, query, context) => within(student, context, (session) => scorePage(session, query)),
    schedule: (student, termCode, _known, context) =>
      within(student, context, (session) => timetable(session, termCode)),
    calendarText: (student, context) => within(student, context, calendarText),
    termStart: (student, context) => within(student, context, termStart),
    exams: async (student, { ofTerm }, context) => {
      const { termCode } = await ofTerm();
      return within(student, context, async (session) => {
        const request = get('exams', `/api/exams${termQuery(termCode)}`);
        const { exams, seats } = await ask(session, request, parseExams);
        return { seats: { value: seats }, university: { value: exams }, others: { value: [] } };
      });
    },
  } satisfies Partial<AcademicsCampus>;
};

/** Academic affairs of the fictional Lakeside University; copy this driver to start a new one. */
export const lakeside = application({
  options: Type.Object({ url: address, service }),
  row: { ...usualRow, system: 'academics', entry: { kind: 'service-ticket' }, longestIdleMs: 25 * MINUTE_MS },
  supplies: ({ sessions }) => ({ academics: createLakesideClient(sessions) }),
});
