/** An option of the term list. `label` is HTML as the page carries it. */
export interface TermOption {
  readonly code: string;
  readonly label: string;
  readonly selected?: boolean;
}

/** Ways in which the score list of a term arrives without rows. */
export type EmptyScores = 'list null' | 'list missing' | 'list without members' | 'records null' | 'no records';

/** The scores of one term: rows as sent, odd ones included, or the shape of their absence. */
export type ScoreSheet = readonly unknown[] | EmptyScores;

/** What academic affairs know about one student in the term of the records. Values of type unknown are sent as JSON without a look at them. */
export interface StudentAcademics {
  readonly summary: Record<string, unknown>;
  /** Newest first. */
  readonly terms: readonly TermOption[];
  /** Counts of the score pages arrive as text. */
  readonly countsAsText: boolean;
  /** By term code, newest first. A term that is not listed has no records. */
  readonly scores: ReadonlyMap<string, ScoreSheet>;
  /** By term code, while the current term has that many weeks. A term that is not listed is an empty timetable. */
  readonly schedules: (weeks: number) => ReadonlyMap<string, unknown>;
}
