import type { CallContext, Student } from '../../../domain/context.ts';
import { asFailure, type Failure, isFailure } from '../../../domain/errors.ts';
import type { EvaluationCourse } from '../../../domain/evaluation/task.ts';
import type {
  EvaluationCampus,
  EvaluationList,
  Submission,
  SubmissionOutcome,
} from '../../../domain/evaluation/types.ts';
import { randomToken } from '../../../lib/hash.ts';
import { nameFailures, readAnswer } from '../../contract/kit.ts';
import type { SessionAccess, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { type JsonObject, str } from '../../parsing/cells.ts';
import { readJsonObject, unreadable } from '../../parsing/reading.ts';
import { plainMessage } from '../../parsing/text.ts';
import { dataRequest, pageRequest } from './pages.ts';
import { evaluationIndexAlive, parseEvaluationIndex, parseEvaluationList } from './parse-evaluation.ts';
import { parseQuestionnaire, questionnaireAlive } from './parse-questionnaire.ts';

const evaluation = '/student/teachingEvaluation';
const base = `${evaluation}/teachingEvaluation`;

/** This page carries the session's token for questionnaires, or says that the season is over. */
const indexRequest = pageRequest('evaluation-index', `${evaluation}/evaluation/index`, evaluationIndexAlive);

const listRequest = (pageSize: number): UpstreamRequest => {
  const form = [['optType', '1'] as const, ['pagesize', String(pageSize)] as const];
  return dataRequest('evaluation', `${base}/search?sf_request_type=ajax`, form, { whole: true });
};

const questionnaireNumber = ({ id, questionnaire }: EvaluationCourse): string =>
  questionnaire?.number || id?.questionnaireCoding || '';

/** Starts the campus's clock for this course. Still a read: nothing is stored, and it may be repeated. */
export const questionnaireRequest = (course: EvaluationCourse, count: number, token: string): UpstreamRequest => {
  const form = [
    ['count', String(count)],
    ['evaluatedPeople', course.teacher],
    ['evaluatedPeopleNumber', course.id?.staffNumber ?? ''],
    ['questionnaireCode', questionnaireNumber(course)],
    ['questionnaireName', course.questionnaire?.name ?? ''],
    ['coureSequenceNumber', course.id?.sequence ?? ''],
    ['evaluationContentNumber', course.id?.contentNumber ?? ''],
    ['evaluationContentContent', ''],
    ['tokenValue', token],
  ] as const;
  return pageRequest('questionnaire', `${base}/evaluationPage`, questionnaireAlive, { method: 'POST', form });
};

/** Numbers of the list come first; those it leaves empty are on the page. */
export const submissionRequest = ({ course, questionnaire: page, answers, count }: Submission): UpstreamRequest => {
  const form = [
    ['optType', 'submit'],
    ['tokenValue', page.token],
    ['questionnaireCode', questionnaireNumber(course) || page.questionnaireNumber],
    ['evaluationContent', course.id?.contentNumber || page.contentNumber],
    ['evaluatedPeopleNumber', course.id?.staffNumber || page.staffNumber],
    ['count', String(count)],
    ...answers,
  ] as const;
  return dataRequest('submission', `${base}/assessment?sf_request_type=ajax`, form, { write: true });
};

/**
 * Refusals that opening and submitting again may avoid: too early, or the page token is no longer good.
 * The net is wide on purpose: a refusal caught by mistake costs one more attempt, a missed one every course of the run.
 */
const timing = /时间|过快|太快|过短|稍后|等待|分钟|秒|token|令牌|失效|过期|超时|重新进入|刷新|页面/i;

/**
 * `{result: "success" | …, msg, token}`; anything else is no answer of the application. A result with a slash is the way to
 * the login, and a new token says that the page is spent. The words of a refusal are not handed on: they may quote an
 * answer, which is the student's and never logged.
 * @param sent the token of the page
 */
export const parseSubmission = (text: string, sent = ''): SubmissionOutcome => {
  let body: JsonObject;
  try {
    body = readJsonObject(text, 'academics');
  } catch {
    return 'unknown';
  }
  const [result, token] = [str(body.result), str(body.token)];
  if (result === '') return 'unknown';
  if (result.includes('/')) return 'spent';
  if (result.toLowerCase() === 'success') return 'accepted';
  // Another word for it is none that we know: the list tells.
  if (['ok', 'true', '1', '0', '200'].includes(result.toLowerCase())) return 'unknown';
  if (token !== '' && token !== sent) return 'spent';
  return timing.test(plainMessage(body.msg)) ? 'not-yet' : 'refused';
};

/** Runs one request after the other, because the evaluation pages keep per-session state on the server. */
const runAlone = <T>(
  sessions: SessionAccess,
  student: Student,
  context: CallContext,
  work: (session: UpstreamSession) => Promise<T>,
): Promise<T> =>
  sessions.with(student, 'jwc', context, async (session) => {
    using _turn = await session.takeTurn('evaluation');
    return await work(session);
  });

const usualPage = 50;
/** No student has more courses; the number is not put into a request. */
const largestPage = 1_000;

/**
 * One request; a second for all courses, unless `expected` covers them, when the campus counts more than it sent: the list
 * knows no page numbers. One more when it counts some and sends none.
 */
export const readEvaluationList = (
  sessions: SessionAccess,
  student: Student,
  context: CallContext,
  expected = 0,
): Promise<EvaluationList> =>
  runAlone(sessions, student, context, async (session) => {
    const ask = async (size: number) => session.parse(parseEvaluationList, await session.text(listRequest(size)));
    const first = await ask(Math.min(largestPage, Math.max(usualPage, expected)));
    const more = first.list.total > first.received && first.list.total <= largestPage;
    const { list, received, dropped } = more ? await ask(first.list.total) : first;
    session.noteDropped('evaluation', dropped);
    const counts = list.total > 0 || (list.pending ?? 0) > 0;
    // Courses counted but none sent is normal only while the season is over.
    if (received === 0 && counts) {
      const index = await readAnswer(session, indexRequest, parseEvaluationIndex);
      if (index.open) throw unreadable('academics', 'no evaluation rows in spite of a count');
    }
    if (list.total > received) {
      const { total } = list;
      context.log.warn({ system: 'academics', page: 'evaluation', total, received }, 'fewer courses than counted');
    }
    return list;
  });

const tokenName = 'evaluation-index';

/** Memo key of the mark that ties open pages to the session they were opened in. */
const markName = 'evaluation-pages';

const markOf = (session: UpstreamSession): string => {
  const mark = session.memo.get(markName) ?? randomToken();
  session.memo.set(markName, mark);
  return mark;
};

const loadIndex = async (session: UpstreamSession) => {
  const index = await nameFailures('evaluation-index', readAnswer(session, indexRequest, parseEvaluationIndex));
  if (index.open) session.memo.set(tokenName, index.token);
  return index;
};

/** Failures after which the answers certainly did not leave: those before the request, and those the core marks so. */
const wasNeverSent = (failure: Failure): boolean =>
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

const readQuestionnaire = async (session: UpstreamSession, course: EvaluationCourse, count: number, token: string) => {
  const read = readAnswer(session, questionnaireRequest(course, count, token), parseQuestionnaire);
  const page = await nameFailures('questionnaire', read, ['upstream-unreadable']);
  return { ...page, session: markOf(session) };
};

/** The token that opening needs is stored with the session: a new session has none, and a refused one is replaced once. */
export const createEvaluationClient = ({ sessions }: { sessions: SessionAccess }): EvaluationCampus => ({
  season: async (student, context) => (await runAlone(sessions, student, context, loadIndex)).open,
  courses: async (student, expected, context) =>
    (await readEvaluationList(sessions, student, context, expected)).courses,
  open: (student, course, count, context) =>
    runAlone(sessions, student, context, async (session) => {
      const stored = session.memo.get(tokenName);
      if (stored !== undefined) {
        try {
          return await readQuestionnaire(session, course, count, stored);
        } catch (error) {
          // The campus has no word for a token it no longer takes: it shows some page that is not a questionnaire.
          if (!isFailure(error, 'upstream-unreadable')) throw error;
          session.memo.drop(tokenName, stored);
        }
      }
      const index = await loadIndex(session);
      return index.open ? await readQuestionnaire(session, course, count, index.token) : null;
    }),
  async submit(student, submission, context) {
    try {
      const request = submissionRequest(submission);
      // Asked before each sending: a session that turns out to be dead is renewed, and its successor has another mark.
      const sent = await runAlone(sessions, student, context, async (session) =>
        session.memo.get(markName) === submission.questionnaire.session ? session.text(request) : null,
      );
      if (sent === null) return 'page-lost';
      const answer = parseSubmission(sent.text, submission.questionnaire.token);
      if (answer !== 'accepted' && answer !== 'unknown') {
        context.log.warn({ system: 'academics', timing: answer === 'not-yet' }, 'evaluation refused');
      }
      return answer;
    } catch (error) {
      const failure = asFailure(error);
      const { kind, reason } = failure;
      context.log.warn({ system: 'academics', failure: kind, reason }, 'evaluation not answered');
      // The session is gone and no password may be sent, so the page is opened again after the student has signed in.
      if (kind === 'person-needed') return 'page-lost';
      return wasNeverSent(failure) ? 'not-sent' : 'unknown';
    }
  },
});
