/** One choice of a rating question: the value to send, and its weight (0 where the page states none). */
export interface RatingOption {
  readonly value: string;
  readonly weight: number;
}

export interface RatingQuestion {
  readonly kind: 'rating';
  readonly name: string;
  /** Never empty, in page order. */
  readonly options: readonly RatingOption[];
}

export type CommentSort = 'overall' | 'inspiration' | 'suggestion' | 'general';

export interface CommentQuestion {
  readonly kind: 'comment';
  readonly name: string;
  readonly sort: CommentSort;
  /** Most characters the field takes; null where the page states no limit. */
  readonly maxLength: number | null;
}

/** An open questionnaire page. Its token is good for one submission and dies with the campus session. */
export interface Questionnaire {
  readonly token: string;
  /** Mark of that session: under another one there is nothing to submit. */
  readonly session: string;
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
