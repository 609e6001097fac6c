import type { CallContext, Student } from '../context.ts';
import type { Writes } from '../reads/writes.ts';
import type { EvaluationCourse, EvaluationIndex, SubmissionOutcome } from './types.ts';

/** One choice of a rating question: the value to send, and its weight (0 where the page states none). */
export interface RatingOption {
  readonly value: string;
  readonly weight: number;
  /** What the page calls it; `""` where it does not. */
  readonly label: string;
}

export interface RatingQuestion {
  readonly kind: 'rating';
  readonly name: string;
  /** Its text on the page; `""` where none is found. */
  readonly question: string;
  /** Never empty, in page order. */
  readonly options: readonly RatingOption[];
}

export type CommentSort = 'overall' | 'inspiration' | 'suggestion' | 'general';

export interface CommentQuestion {
  readonly kind: 'comment';
  readonly name: string;
  /** As that of a rating. */
  readonly question: string;
  readonly sort: CommentSort;
  /** Most characters the field takes; null where the page states no limit. */
  readonly maxLength: number | null;
}

/** An open questionnaire page. Its token is good for one submission and dies with the campus session. */
export interface Questionnaire {
  readonly token: string;
  /** Mark of that session: under another one there is nothing to submit. */
  readonly session: string;
  /** Heading of the page; `""` without one. */
  readonly title: string;
  /** Numbers as the page names them; `""` where it does not. */
  readonly questionnaireNumber: string;
  readonly staffNumber: string;
  readonly contentNumber: string;
  /** Never both empty. */
  readonly ratings: readonly RatingQuestion[];
  readonly comments: readonly CommentQuestion[];
}

/** Field name and value, in the order of the page. */
export type Answers = ReadonlyArray<readonly [name: string, value: string]>;

/**
 * What the academic-affairs system offers to the task; implemented by campus/jwc. Reads throw `Failure`s of the
 * sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `upstream-refused`, `session-lost` or `timed-out`.
 */
export interface EvaluationCampus {
  /** Reads whether the season is open, and keeps the token that opening pages needs with the session. */
  season(student: Student, context: CallContext): Promise<EvaluationIndex>;
  /** All courses. `expected` is their number as far as known, so that one request brings them all. */
  courses(student: Student, expected: number, context: CallContext): Promise<readonly EvaluationCourse[]>;
  /**
   * Opens the questionnaire of a course, which starts the campus's own clock. null: the season is closed meanwhile.
   * @param count pending courses of the run
   */
  open(student: Student, course: EvaluationCourse, count: number, context: CallContext): Promise<Questionnaire | null>;
  /**
   * Sends the answers, once. Never throws for what the campus does: an answer that is lost is `unknown`. `page-lost`:
   * the session of the page has ended, and nothing was sent.
   */
  submit(
    student: Student,
    course: EvaluationCourse,
    questionnaire: Questionnaire,
    answers: Answers,
    count: number,
    context: CallContext,
  ): Promise<SubmissionOutcome | 'page-lost'>;
}

/** The same campus, whose submissions end the freshness of what was read before them. */
export const withCountedSubmissions = (campus: EvaluationCampus, writes: Writes): EvaluationCampus => ({
  season: campus.season,
  courses: campus.courses,
  open: campus.open,
  submit: (student, course, questionnaire, answers, count, context) =>
    writes.during(
      student,
      'academics',
      context,
      () => campus.submit(student, course, questionnaire, answers, count, context),
      (outcome) => outcome !== 'unknown',
    ),
});
