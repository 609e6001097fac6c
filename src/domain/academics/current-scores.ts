/** What names a score of this term: the campus shows its components to nobody who does not send all four unchanged. */
export interface CurrentScoreKey {
  readonly termCode: string;
  readonly courseCode: string;
  readonly courseClass: string;
  /** A code of the campus, blanks included. */
  readonly examTime: string;
}
