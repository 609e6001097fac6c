import type { CallContext, Student } from '../../domain/context.ts';
import type { EvaluationList } from '../../domain/evaluation/types.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { readAnswer } from '../read-answer.ts';
import type { SessionAccess } from '../session/upstream-session.ts';
import { parseEvaluationIndex } from './parse-evaluation-index.ts';
import { parseEvaluationList } from './parse-evaluation-list.ts';
import { evaluationIndexRequest, evaluationListRequest } from './requests.ts';

/** The evaluation pages keep a state of the session on the server: their requests go one after the other. */
export const evaluationLine = 'evaluation';
const usualPage = 50;
/** More courses than that are no student's; the number is not put into a request. */
const largestPage = 1_000;

/**
 * One request; two when the campus counts more courses than it sends; one more when it counts some and sends none. The
 * list knows no page numbers: when the campus counts more courses than it sent, all are asked for at once, which
 * is spared to those who know how many to expect.
 */
export const readEvaluationList = (
  sessions: SessionAccess,
  student: Student,
  context: CallContext,
  expected = 0,
): Promise<EvaluationList> =>
  sessions.with(student, 'jwc', context, (session) =>
    session.exclusively(evaluationLine, async () => {
      const ask = async (size: number) =>
        session.parse(parseEvaluationList, await session.text(evaluationListRequest(size)));
      const first = await ask(Math.min(largestPage, Math.max(usualPage, expected)));
      const more = first.list.total > first.received && first.list.total <= largestPage;
      const { list, received, dropped } = more ? await ask(first.list.total) : first;
      session.dropped('evaluation', dropped);
      const counts = list.total > 0 || (list.pending ?? 0) > 0;
      // Counted courses of which none is sent: right only while the season is over.
      if (received === 0 && counts) {
        const index = await readAnswer(session, evaluationIndexRequest, parseEvaluationIndex);
        if (index.open) throw unreadable('academics', 'no evaluation rows in spite of a count');
      }
      if (list.total > received) {
        const { total } = list;
        context.log.warn({ system: 'academics', page: 'evaluation', total, received }, 'fewer courses than counted');
      }
      return list;
    }),
  );
