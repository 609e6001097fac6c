/** Why something failed, in words: the message with those of its causes. Some errors of the network have a code only. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || ('code' in error ? String(error.code) : 'unexpected failure');
  if (error.cause === undefined) return own;
  const cause = reasonOf(error.cause);
  return own.includes(cause) ? own : `${own}: ${cause}`;
};
