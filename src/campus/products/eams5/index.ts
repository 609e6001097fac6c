import { Type } from '@sinclair/typebox';
import type { StatedCalendarText, StatedTermStart } from '../../../domain/academics/current-term.ts';
import { atCampus } from '../../../domain/academics/exams.ts';
import type { CurrentScoreKey, SectionTimes } from '../../../domain/academics/ports.ts';
import type { AcademicsCampus } from '../../../domain/academics/reads.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { isFailure } from '../../../domain/errors.ts';
import { address, application, service } from '../../contract/driver.ts';
import { readAnswer } from '../../contract/kit.ts';
import { scoreNamed, scoreReads, scoresOfTerm } from '../../contract/listed-scores.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { NIGHT_MS, usualRow } from '../../contract/upstreams.ts';
import { obj } from '../../parsing/cells.ts';
import { type PageReader, unreadable } from '../../parsing/reading.ts';
import { examPageAlive, parseExams } from './parse-exams.ts';
import { type Eams5Score, parseScores } from './parse-scores.ts';
import { parseTermStart, parseTermsPage, type SchoolTerm, termsPageAlive } from './parse-terms.ts';
import { parseTimetable } from './parse-timetable.ts';
import { ENTRANCE, eams5SignIn, STUDENT_ID, showsLogin } from './sign-in.ts';

const xhr = { 'x-requested-with': 'XMLHttpRequest' };

const dataRequest = (page: string, path: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  page,
  method: 'GET',
  path,
  headers: xhr,
  referer: '/home',
  expect: 'json',
  ...more,
});

const pageRequest = (page: string, path: string, alive: PageReader<boolean>): UpstreamRequest => ({
  page,
  method: 'GET',
  path,
  expect: 'page',
  alive,
});

/** Memo key of the school's ids by term code; null for a term whose weeks begin on Sunday. */
const TERM_IDS = 'term-ids';

/** Clients differ in what weekday 1 is then. */
const ofSunday = () => unreadable('academics', 'week begins on Sunday');

const idsOf = (terms: readonly SchoolTerm[]): Record<string, string | null> =>
  Object.fromEntries(terms.map(({ term_code, id, start }) => [term_code, start === 'sunday' ? null : id]));

/** The page of the timetable: the terms of the school, and the student's id where the sign-in has not told it. */
const readTermsPage = async (session: UpstreamSession) => {
  const known = session.memo.get(STUDENT_ID);
  const path = known === undefined ? ENTRANCE : `${ENTRANCE}/info/${known}`;
  const found = await readAnswer(session, pageRequest('terms', path, termsPageAlive), parseTermsPage);
  if (known !== undefined && found.studentId !== null && found.studentId !== known)
    throw unreadable('academics', 'terms of another student');
  if (found.studentId !== null) session.memo.set(STUDENT_ID, found.studentId);
  session.memo.set(TERM_IDS, JSON.stringify(idsOf(found.terms)));
  return found.terms;
};

/** The school's id of a term, of which it has a page of ids. @throws Failure `upstream-unreadable` for weeks of Sundays */
const termIdOf = async (session: UpstreamSession, termCode: string): Promise<string> => {
  const kept: unknown = JSON.parse(session.memo.get(TERM_IDS) ?? '{}');
  let known = obj(kept)[termCode];
  if (known === undefined) known = idsOf(await readTermsPage(session))[termCode];
  if (known === null) throw ofSunday();
  if (typeof known !== 'string') throw unreadable('academics', 'term that the school does not list');
  return known;
};

/** The school's id of the student, from the session's own pages alone. */
const studentIdOf = async (session: UpstreamSession): Promise<string> => {
  if (session.memo.get(STUDENT_ID) === undefined) await readTermsPage(session);
  const id = session.memo.get(STUDENT_ID);
  if (id === undefined) throw unreadable('academics', 'student without id');
  return id;
};

const currentOf = (terms: readonly SchoolTerm[]): SchoolTerm => {
  const current = terms.find(({ is_current }) => is_current);
  if (current === undefined) throw unreadable('academics', 'no current term');
  return current;
};

const calendarText = async (session: UpstreamSession): Promise<StatedCalendarText> => {
  const { term_code } = currentOf(await readTermsPage(session));
  const [, academicYear = '', number = ''] = /^(\d{4}-\d{4})-(\d)/.exec(term_code) ?? [];
  const season = ['', '秋', '春', '夏'][Number(number)] ?? '';
  return { academicYear, season, week: null, speaksOfEnd: false, code: term_code };
};

const termStart = async (session: UpstreamSession): Promise<StatedTermStart> => {
  const { id, start } = currentOf(await readTermsPage(session));
  if (start === 'sunday') throw ofSunday();
  return start ?? readAnswer(session, dataRequest('term-start', `/ws/semester/get/${id}`), parseTermStart);
};

/** One school has another name for the same answer. */
const readTimetable = async (session: UpstreamSession, termId: string) => {
  const base = `${ENTRANCE}/semester/${termId}/print-data`;
  const usual = dataRequest('timetable', `${base}?semesterId=${termId}&hasExperiment=true`, { optional: true });
  const answer = await session.text(usual).catch((error: unknown) => {
    if (isFailure(error, 'upstream-unavailable') && error.upstreamStatus === 500) return null;
    throw error;
  });
  if (answer !== null && answer.text !== '') return session.parse(parseTimetable, answer);
  const other = dataRequest(
    'timetable',
    `${base}/${await studentIdOf(session)}?semesterId=${termId}&hasExperiment=true`,
  );
  return session.parse(parseTimetable, await session.text(other));
};

const schedule = async (session: UpstreamSession, termCode: string, known: SectionTimes | null) => {
  const { table, sections, studentId, dropped } = await readTimetable(session, await termIdOf(session, termCode));
  session.noteDropped('timetable', dropped);
  if (studentId !== null && studentId !== (await studentIdOf(session)))
    throw unreadable('academics', 'timetable of another student');
  return { table, sections: known ?? sections };
};

/** All scores; the list of terms is read where an answer does not say which terms its rows are of. */
const readScores = async (session: UpstreamSession): Promise<readonly Eams5Score[]> => {
  const id = await studentIdOf(session);
  const request = dataRequest('scores', `/for-std/grade/sheet/info/${id}?semester=`, { whole: true });
  const { scores } = await readAnswer(session, request, parseScores);
  if (scores.every(({ row }) => row.term_id !== null)) return scores;
  const codes = new Map((await readTermsPage(session)).map((term) => [term.id, term.term_code]));
  const placed = scores.flatMap((score) => {
    const term_id = score.row.term_id ?? codes.get(score.termId);
    return term_id === undefined ? [] : [{ ...score, row: { ...score.row, term_id } }];
  });
  session.noteDropped('scores', scores.length - placed.length);
  if (scores.length > 0 && placed.length === 0) throw unreadable('academics', 'scores without terms');
  return placed;
};

const currentScores = async (session: UpstreamSession): Promise<readonly Eams5Score[]> => {
  const { term_code } = currentOf(await readTermsPage(session));
  return scoresOfTerm(await readScores(session), term_code);
};

const components = async (session: UpstreamSession, key: CurrentScoreKey) =>
  scoreNamed(scoresOfTerm(await readScores(session), key.termCode), key)?.components ?? [];

/** Leaves out what has no source: a summary, the student's file, plans. */
export const createEams5Client = ({ sessions }: { readonly sessions: SessionAccess }) => {
  const within = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'eams5', context, work);
  return {
    terms: (student, context) =>
      within(student, context, async (session) =>
        (await readTermsPage(session)).map(({ term_code, term_name, is_current }) => ({
          term_code,
          term_name,
          is_current,
        })),
      ),
    calendarText: (student, context) => within(student, context, calendarText),
    termStart: (student, context) => within(student, context, termStart),
    schedule: (student, termCode, known, context) =>
      within(student, context, (session) => schedule(session, termCode, known)),
    ...scoreReads({
      within,
      scores: async (session, termCode) => scoresOfTerm(await readScores(session), termCode),
      currentScores,
    }),
    scoreComponents: (student, key, context) => within(student, context, (session) => components(session, key)),
    exams: async (student, { ofTerm, timeZone }, context) => {
      const { window } = await ofTerm();
      return within(student, context, async (session) => {
        const path = `/for-std/exam-arrange/info/${await studentIdOf(session)}`;
        const read = await readAnswer(session, pageRequest('exams', path, examPageAlive), parseExams);
        const exams = read.exams.map((exam) => atCampus(exam, timeZone));
        // Those of all terms come; what has no day yet is still to come.
        const wanted = exams.filter(({ date }) => date === '' || (date >= window.start && date <= window.end));
        return { seats: { value: [] }, university: { value: wanted }, others: { value: [] } };
      });
    },
  } satisfies Partial<AcademicsCampus>;
};

/** 树维 EAMS 5, the generation that answers JSON: with its own login, or behind a unified one. */
export const eams5 = application({
  options: Type.Object({ url: address, service: Type.Optional(service) }),
  row: {
    ...usualRow,
    system: 'academics',
    entry: { kind: 'service-ticket' },
    deadPath: /\/login$/,
    showsLogin,
    deadStatuses: [401],
    longestIdleMs: NIGHT_MS / 4,
  },
  ownLogin: () => eams5SignIn,
  supplies: (access) => ({ academics: createEams5Client(access) }),
});
