import type { AcademicsCampus } from '../../domain/academics/ports.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../session/upstream-session.ts';
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
const ofTerm = (code: string): string => (code === '' ? '' : `?term=${encodeURIComponent(ownTermCode(code))}`);

type Supplied = Pick<
  AcademicsCampus,
  'summary' | 'studentFile' | 'terms' | 'allScores' | 'scorePage' | 'schedule' | 'calendarText' | 'termStart' | 'exams'
>;

/** The academic system of Lakeside, which speaks JSON. What it has no page for is not offered. */
export const createLakesideClient = (sessions: SessionAccess): Supplied => {
  const within = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'lakeside', context, work);

  const ask = async <T>(session: UpstreamSession, request: UpstreamRequest, read: (text: string) => T): Promise<T> =>
    session.reading(await session.text(request), read);

  const terms = (session: UpstreamSession) => ask(session, get('terms', '/api/terms'), parseTerms);

  const currentOf = (all: readonly LakesideTerm[]): LakesideTerm => {
    const current = all.find(({ is_current }) => is_current);
    if (current === undefined) throw unreadable('academics', 'no current term');
    return current;
  };

  const ownFile = async (session: UpstreamSession) => {
    const read = await ask(session, get('student', '/api/student'), parseStudent);
    // Nothing of it is kept, told or logged: it is somebody else's.
    if (read.number !== session.userid) throw unreadable('academics', 'file of another student');
    return read;
  };

  const scores = async (session: UpstreamSession, code: string) => {
    const { rows, dropped } = await ask(session, get('scores', `/api/scores${ofTerm(code)}`), parseScores);
    session.dropped('scores', dropped);
    return rows;
  };

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
    // The campus knows no pages and no filters: the whole list is short.
    scorePage: (student, { termCode, courseCode, courseName, page, pageSize }, context) =>
      within(student, context, async (session) => {
        const found = (await scores(session, termCode)).filter(
          ({ course_code, course_name_cn }) => course_code.includes(courseCode) && course_name_cn.includes(courseName),
        );
        const records = found.slice((page - 1) * pageSize, page * pageSize);
        return { page_size: pageSize, page_num: page, total_count: found.length, records };
      }),
    schedule: (student, termCode, _known, context) =>
      within(student, context, async (session) => {
        const all = await terms(session);
        const term = all.find(({ term_code }) => term_code === termCode) ?? null;
        const request = get('timetable', `/api/timetable${ofTerm(termCode)}`);
        const { table, sections, dropped } = await ask(session, request, (text) => parseTimetable(text, term));
        session.dropped('timetable', dropped);
        return { table, sections };
      }),
    calendarText: (student, context) =>
      within(student, context, async (session) => {
        const { term_code } = currentOf(await terms(session));
        const [, academicYear = '', number] = /^(\d{4}-\d{4})-(\d)/.exec(term_code) ?? [];
        return { academicYear, season: number === '1' ? '秋' : '春', week: null, speaksOfEnd: false };
      }),
    termStart: (student, context) =>
      within(student, context, async (session) => {
        const { firstDay, weeks } = currentOf(await terms(session));
        if (firstDay === '') throw unreadable('academics', 'term without first day');
        return { firstDay, weeks };
      }),
    exams: (student, { termCode }, context) =>
      within(student, context, async (session) => {
        const request = get('exams', `/api/exams${ofTerm(termCode)}`);
        const { exams, seats, dropped } = await ask(session, request, parseExams);
        session.dropped('exams', dropped);
        return { seats: { value: seats }, university: { value: exams }, others: { value: [] } };
      }),
  };
};
