import type { CallContext, Student } from '../../domain/context.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { Answers, EvaluationCampus, Questionnaire } from '../../domain/evaluation/questionnaire.ts';
import type { EvaluationCourse, EvaluationIndex, SubmissionOutcome } from '../../domain/evaluation/types.ts';
import { randomToken } from '../../lib/hash.ts';
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
  const read = async () => parseEvaluationIndex(await session.text(evaluationIndexRequest));
  const index = await named('evaluation-index', read());
  if (index.open) session.memo.set(tokenName, index.token);
  return index;
};

/**
 * Opening and submitting questionnaires. The token that opening needs is kept with the session: a new session has none,
 * and one that is refused is replaced once.
 */
export class EvaluationClient implements EvaluationCampus {
  readonly #sessions: SessionAccess;

  constructor({ sessions }: { sessions: SessionAccess }) {
    this.#sessions = sessions;
  }

  season(student: Student, context: CallContext): Promise<EvaluationIndex> {
    return this.#alone(student, context, loadIndex);
  }

  async courses(student: Student, expected: number, context: CallContext): Promise<readonly EvaluationCourse[]> {
    const { courses } = await readEvaluationList(this.#sessions, student, context, expected);
    return courses;
  }

  open(student: Student, course: EvaluationCourse, count: number, context: CallContext): Promise<Questionnaire | null> {
    return this.#alone(student, context, async (session) => {
      const kept = session.memo.get(tokenName);
      if (kept !== undefined) {
        try {
          return await this.#page(session, course, count, kept);
        } catch (error) {
          // The campus has no word for a token it no longer takes: it shows some page that is no questionnaire.
          if (!isFailure(error, 'upstream-unreadable')) throw error;
          session.memo.drop(tokenName, kept);
        }
      }
      const index = await loadIndex(session);
      return index.open ? await this.#page(session, course, count, index.token) : null;
    });
  }

  async submit(
    student: Student,
    course: EvaluationCourse,
    questionnaire: Questionnaire,
    answers: Answers,
    count: number,
    context: CallContext,
  ): Promise<SubmissionOutcome | 'page-lost'> {
    try {
      const request = submissionRequest(course, questionnaire, answers, count);
      // Asked before each sending: a session that turns out to be dead is renewed, and its successor has another mark.
      const text = await this.#alone(student, context, async (session) =>
        session.memo.get(markName) === questionnaire.session ? session.text(request) : null,
      );
      if (text === null) return 'page-lost';
      const answer = parseSubmission(text);
      if (answer.kind === 'accepted') return 'accepted';
      if (answer.kind === 'unreadable') return 'unknown';
      context.log.warn({ system: 'academics', timing: answer.aboutTiming }, 'evaluation refused');
      return answer.aboutTiming ? 'not-yet' : 'refused';
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure('internal', { cause: error });
      context.log.warn(
        { system: 'academics', failure: failure.kind, reason: failure.reason },
        'evaluation not answered',
      );
      return neverSent(failure) ? 'refused' : 'unknown';
    }
  }

  async #page(
    session: UpstreamSession,
    course: EvaluationCourse,
    count: number,
    token: string,
  ): Promise<Questionnaire> {
    const read = async () => parseQuestionnaire(await session.text(questionnaireRequest(course, count, token)));
    const page = await named('questionnaire', read(), ['upstream-unreadable']);
    return { ...page, session: markOf(session) };
  }

  /** The evaluation pages keep a state of the session on the server: their requests go one after the other. */
  #alone<T>(student: Student, context: CallContext, work: (session: UpstreamSession) => Promise<T>): Promise<T> {
    return this.#sessions.with(student, 'jwc', context, (session) =>
      session.exclusively(evaluationLine, () => work(session)),
    );
  }
}

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
  );
