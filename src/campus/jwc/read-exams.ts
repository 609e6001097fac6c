import type { ExamPart, ExamSources, Settled } from '../../domain/academics/exams.ts';
import type { ExamQuery } from '../../domain/academics/ports.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import { DeadSession } from '../session/exchange.ts';
import type { SessionAccess } from '../session/upstream-session.ts';
import { readAllPages } from './all-pages.ts';
import { examPageRequest, otherExamsPageSize, otherExamsRequest, universityExamsRequest } from './exam-requests.ts';
import { logDropped } from './log-dropped.ts';
import { parseExamSeats } from './parse-exam-seats.ts';
import { parseOtherExams } from './parse-other-exams.ts';
import { parseUniversityExams } from './parse-university-exams.ts';
import { both, isOfOneAnswer } from './parts.ts';

/**
 * The exam page, then the calendar of university exams; beside them the other exams, page by page. A source that fails
 * is handed on as failed and does not take the others with it.
 */
export const readExams = (
  sessions: SessionAccess,
  student: Student,
  { termCode, window, now }: ExamQuery,
  context: CallContext,
): Promise<ExamSources> => {
  /** Parts that once answered with a page instead of data: the session core renews for that, once. */
  const pagesForData = new Set<ExamPart>();

  /** @throws what concerns the call as a whole, or the session, which is then renewed and everything repeated */
  const settled = async <T>(part: ExamPart, work: () => Promise<T>): Promise<Settled<T>> => {
    try {
      return { value: await work() };
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (isOfOneAnswer(error)) return { failure: error };
      if (!(error instanceof DeadSession) || error.sign !== 'html-for-json') throw error;
      if (!pagesForData.has(part)) {
        pagesForData.add(part);
        throw error;
      }
      // The renewed session gets the same page: this source is out of order, not the session.
      return { failure: new Failure('upstream-unreadable', { system: 'academics', reason: 'page for data', part }) };
    }
  };

  return sessions.with(student, 'jwc', context, async (session) => {
    const scheduled = async () => {
      const seats = await settled('exam-seats', async () => parseExamSeats(await session.text(examPageRequest)));
      const university = await settled('university-exams', async () => {
        const { exams, dropped } = parseUniversityExams(await session.text(universityExamsRequest(window, now)));
        logDropped(context, 'university-exams', dropped);
        return exams;
      });
      return { seats, university };
    };
    const unscheduled = settled('other-exams', () =>
      readAllPages('exam', otherExamsPageSize, async (number) => {
        const page = parseOtherExams(await session.text(otherExamsRequest(termCode, number)));
        logDropped(context, 'other-exams', page.received - page.rows.length);
        return page;
      }),
    );
    const [{ seats, university }, others] = await both(scheduled(), unscheduled);
    return { seats, university, others };
  });
};
