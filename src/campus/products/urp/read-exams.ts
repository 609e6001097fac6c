import {
  atCampus,
  type ExamPart,
  type ExamSources,
  type ExamWindow,
  type Outcome,
} from '../../../domain/academics/exams.ts';
import type { ExamQuery, ExamTerm } from '../../../domain/academics/ports.ts';
import type { CallContext, Student } from '../../../domain/context.ts';
import { failures } from '../../../domain/errors.ts';
import { awaitAll, isOfOneAnswer, readAllPages, readAnswer } from '../../contract/kit.ts';
import { type SessionAccess, SessionDead, type UpstreamRequest } from '../../contract/upstream-session.ts';
import { dataRequest, pageRequest } from './pages.ts';
import { examPageAlive, parseExamSeats } from './parse-exam-seats.ts';
import { parseOtherExams, parseUniversityExams } from './parse-exams.ts';

const otherExamsPaging = { system: 'academics', what: 'exam', size: 30, mostPages: 40 } as const;

const base = '/student/examinationManagement';

/** The exam page: every known client loads it before the calendar, and it carries the seats. */
const examPageRequest = pageRequest('exam-seats', `${base}/examPlan/index`, examPageAlive);

/** @param now epoch ms; the calendar widget of the campus sends it against caches */
const universityExamsRequest = ({ start, end }: ExamWindow, now: number): UpstreamRequest => {
  const path = `${base}/examPlan/detail?start=${start}&end=${end}&_=${now}&sf_request_type=ajax`;
  return dataRequest('university-exams', path, undefined, { whole: true });
};

const otherExamsRequest = (termCode: string, page: number): UpstreamRequest =>
  dataRequest('other-exams', `${base}/othersExamPlan/queryScores?sf_request_type=ajax`, [
    ['zxjxjhh', termCode],
    ['tab', '0'],
    ['pageNum', String(page)],
    ['pageSize', String(otherExamsPaging.size)],
  ]);

/** Redirects to the login and pages for data: shown by a dead session, but also by a source that is out of order. */
const showsDeadSession = (error: unknown): error is SessionDead =>
  error instanceof SessionDead && (error.sign === 'application-expired' || error.sign === 'html-for-json');

/** Reads the exam page, then the calendar, and the other exams in parallel. A failed source leaves the rest alone. */
export const readExams = (
  sessions: SessionAccess,
  student: Student,
  { termCode, window, now, timeZone }: ExamTerm & Pick<ExamQuery, 'now' | 'timeZone'>,
  context: CallContext,
): Promise<ExamSources> => {
  let round = 0;

  return sessions.with(student, 'jwc', context, async (session) => {
    round += 1;
    const isFirstRound = round === 1;
    const deaths: SessionDead[] = [];

    /** @throws what concerns the call as a whole, or the session, which is then renewed and everything repeated */
    const outcomeOf = async <T>(part: ExamPart, work: () => Promise<T>): Promise<Outcome<T>> => {
      try {
        return { value: await work() };
      } catch (error) {
        if (context.signal.aborted) throw error;
        if (isOfOneAnswer(error)) return { failure: error };
        if (isFirstRound || !showsDeadSession(error)) throw error;
        deaths.push(error);
        return { failure: failures.sessionLost('academics', error.sign, { part }) };
      }
    };

    const readScheduled = async () => ({
      seats: await outcomeOf('exam-seats', () => readAnswer(session, examPageRequest, parseExamSeats)),
      university: await outcomeOf('university-exams', async () => {
        const read = await readAnswer(session, universityExamsRequest(window, now), parseUniversityExams);
        return read.exams.map((exam) => atCampus(exam, timeZone));
      }),
    });
    const unscheduled = outcomeOf('other-exams', async () => {
      const { pages } = await readAllPages(otherExamsPaging, (number) =>
        readAnswer(session, otherExamsRequest(termCode, number), parseOtherExams),
      );
      return pages.flat().map((exam) => atCampus(exam, timeZone));
    });
    const [{ seats, university }, others] = await awaitAll([readScheduled(), unscheduled]);
    // One source that answers proves the session alive, so the others failed for other reasons.
    const [death] = deaths;
    const isAlive = [seats, university, others].some(({ failure }) => failure === undefined);
    if (death !== undefined && !isAlive) throw death;
    return { seats, university, others };
  });
};
