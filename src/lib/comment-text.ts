/** The campus counts characters without blanks. */
export const withoutBlanks = (text: string): string => text.replace(/\s+/gu, '');

/** The fewest characters of a comment. */
export const SHORTEST_COMMENT = 4;

export type CommentFault = 'too-short' | 'repeats';

/** Why the campus would refuse a comment: `repeats` one character three times in a row. null when it takes it. */
export const commentFault = (text: string): CommentFault | null => {
  const characters = withoutBlanks(text);
  if ([...characters].length < SHORTEST_COMMENT) return 'too-short';
  return /(.)\1\1/u.test(characters) ? 'repeats' : null;
};
