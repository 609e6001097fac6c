/** A text that every database keeps as it is: half characters and NUL become the replacement character. */
export const asPlainText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** True when a text has more than `most` characters; a character outside the basic plane counts once. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most);
