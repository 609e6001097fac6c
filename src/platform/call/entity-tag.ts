/** Whether `If-None-Match` names this tag: a list or `*`, compared weakly. */
export const isKnownTo = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header === tag) return true;
  if (header.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque);
};
