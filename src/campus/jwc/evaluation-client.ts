import type { CallContext, Student } from '../../domain/context.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { EvaluationCampus, Questionnaire } from '../../domain/evaluation/questionnaire.ts';
import type { EvaluationCourse, EvaluationIndex } from '../../domain/evaluation/types.ts';
import { randomToken } from '../../lib/hash.ts';
import { readAnswer } from '../read-answer.ts';
import type { SessionAccess, UpstreamSession } from '../session/upstream-session.ts';
import { questionnaireRequest, submissionRequest } from './evaluation-requests.ts';
import { parseEvaluationIndex } from './parse-evaluation-index.ts';
import { parseQuestionnaire } from './parse-questionnaire.ts';
import { parseSubmission } from './parse-submission.ts';
import { named } from './parts.ts';
import { evaluationLine, readEvaluationList } from './read-evaluation.ts';
import { evaluationIndexRequest } from './requests.ts';

/** Where the session keeps the token of the evaluation index. */
const tokenName = 'evaluation-index';

/** Where the session keeps its own mark, which its pages carry. */
const markName = 'evaluation-pages';

const markOf = (session: UpstreamSession): string => {
  const mark = session.memo.get(markName) ?? randomToken();
  session.memo.set(markName, mark);
  return mark;
};

const loadIndex = async (session: UpstreamSession): Promise<EvaluationIndex> => {
  const index = await named('evaluation-index', readAnswer(session, evaluationIndexRequest, parseEvaluationIndex));
  if (index.open) session.memo.set(tokenName, index.token);
  return index;
};

/** Failures that prove that the answers did not leave: everything before the request, and what the core says so of. */
const neverSent = (failure: Failure): boolean =>
  isFailure(
    failure,
    'upstream-unavailable',
    'stored-credentials-refused',
    'stored-credentials-unreadable',
    'sign-in-guarded',
    'sign-in-unavailable',
    'overloaded',
    'rate-limited',
  );

const readQuestionnaire = async (
  session: UpstreamSession,
  course: EvaluationCourse,
  count: number,
  token: string,
): Promise<Questionnaire> => {
  const read = readAnswer(session, questionnaireRequest(course, count, token), parseQuestionnaire);
  const page = await named('questionnaire', read, ['upstream-unreadable']);
  return { ...page, session: markOf(session) };
};

/**
 * Opening and submitting questionnaires. The token that opening needs is kept with the session: a new session has none,
 * and one that is refused is replaced once.
 */
export const createEvaluationClient = ({ sessions }: { sessions: SessionAccess }): EvaluationCampus => {
  /** The evaluation pages keep a state of the session on the server: their requests go one after the other. */
  const alone = <T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>) =>
    sessions.with(student, 'jwc', context, (session) => session.exclusively(evaluationLine, () => work(session)));

  return {
    season: (student, context) => alone(student, context, loadIndex),
    courses: async (student, expected, context) =>
      (await readEvaluationList(sessions, student, context, expected)).courses,
    open: (student, course, count, context) =>
      alone(student, context, async (session) => {
        const kept = session.memo.get(tokenName);
        if (kept !== undefined) {
          try {
            return await readQuestionnaire(session, course, count, kept);
          } catch (error) {
            // The campus has no word for a token it no longer takes: it shows some page that is no questionnaire.
            if (!isFailure(error, 'upstream-unreadable')) throw error;
            session.memo.drop(tokenName, kept);
          }
        }
        const index = await loadIndex(session);
        return index.open ? await readQuestionnaire(session, course, count, index.token) : null;
      }),
    async submit(student, course, questionnaire, answers, count, context) {
      try {
        const request = submissionRequest(course, questionnaire, answers, count);
        // Asked before each sending: a session that turns out to be dead is renewed, and its successor has another mark.
        const sent = await alone(student, context, async (session) =>
          session.memo.get(markName) === questionnaire.session ? session.text(request) : null,
        );
        if (sent === null) return 'page-lost';
        const answer = parseSubmission(sent.text);
        if (answer.kind === 'accepted') return 'accepted';
        if (answer.kind === 'unreadable') return 'unknown';
        context.log.warn({ system: 'academics', timing: answer.aboutTiming }, 'evaluation refused');
        return answer.aboutTiming ? 'not-yet' : 'refused';
      } catch (error) {
        const failure = error instanceof Failure ? error : new Failure('internal', { cause: error });
        const { kind, reason } = failure;
        context.log.warn({ system: 'academics', failure: kind, reason }, 'evaluation not answered');
        // Its session is gone and no password may go for a new one: the page is opened again once the student was there.
        if (kind === 'person-needed') return 'page-lost';
        return neverSent(failure) ? 'not-sent' : 'unknown';
      }
    },
  };
};
