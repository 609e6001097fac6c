/** The campus counts characters without blanks. */
export const withoutBlanks = (text: string): string => text.replace(/\s+/gu, '');

const SHORTEST = 4;

/** Why the campus would refuse a comment, in words that follow its name; null when it takes it. */
export const commentFault = (text: string): string | null => {
  const characters = withoutBlanks(text);
  if ([...characters].length < SHORTEST) return `has less than ${SHORTEST} characters`;
  return /(.)\1\1/u.test(characters) ? 'has one character three times in a row' : null;
};
