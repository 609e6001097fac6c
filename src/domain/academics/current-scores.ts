import type { CourseScore } from './types.ts';

/** What names a score of this term: the campus shows its components to nobody who does not send all four unchanged. */
export interface CurrentScoreKey {
  readonly termCode: string;
  readonly courseCode: string;
  readonly courseClass: string;
  /** A code of the campus, blanks included. */
  readonly examTime: string;
}

/** A score of this term. What may be null is not sent by every campus. */
export interface CurrentScore extends CurrentScoreKey, CourseScore {
  readonly gradePoint: string | null;
  readonly classAverage: string | null;
  readonly classHighest: string | null;
  readonly classLowest: string | null;
  readonly classRank: string | null;
}

/** A part of a score, e.g. of the lessons or of the laboratory. Marks are as the campus has them, null without one. */
export interface ScoreComponent {
  readonly typeCode: string;
  readonly regular: string | null;
  readonly midterm: string | null;
  readonly final: string | null;
  readonly total: string | null;
  readonly remark: string;
  /** Shares inside this part; 0.3 is 30 %. */
  readonly regularWeight: number | null;
  readonly midtermWeight: number | null;
  readonly finalWeight: number | null;
  /** Share of this part in the score. */
  readonly weight: number | null;
}
