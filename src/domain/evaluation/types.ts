/** A course in the evaluation list of a student, whether evaluated already or not. */
export interface EvaluationCourse {
  /** Null when the campus sends none: such a course cannot be evaluated by a program. */
  readonly id: {
    /** Staff number of the person evaluated. */
    readonly staffNumber: string;
    readonly sequence: string;
    /** Course number. */
    readonly contentNumber: string;
    /** Number of the questionnaire where `questionnaire` is null; often `""`. */
    readonly questionnaireCoding: string;
  } | null;
  readonly questionnaire: { readonly number: string; readonly name: string } | null;
  readonly teacher: string;
  readonly courseName: string;
  /** `是` is done; anything else, also `""`, is pending. As the campus writes it. */
  readonly evaluated: string;
}

export interface EvaluationList {
  readonly courses: readonly EvaluationCourse[];
  /** Courses as the campus counts them; the number of rows where it does not say. */
  readonly total: number;
  /** Pending courses as the campus counts them; null where it does not say. */
  readonly pending: number | null;
}

/** Whether the evaluation season is on. The token belongs to the session and goes into every questionnaire request. */
export type EvaluationIndex = { readonly open: true; readonly token: string } | { readonly open: false };

/**
 * What the campus said to a submission. `not-yet`: refused for the time or the page token, so another plan may work.
 * `unknown`: no readable answer; whether anything was stored, only the list can tell.
 */
export type SubmissionOutcome = 'accepted' | 'refused' | 'not-yet' | 'unknown';

export const isPending = (course: EvaluationCourse): boolean => course.evaluated !== '是';
