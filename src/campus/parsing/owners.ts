/**
 * Where pages name their student beside the session that they belong to. What is written in another way than the number of
 * the student, such as a name or a number of other systems, says nothing.
 */
export const isOtherNumber = (named: string, userid: string): boolean =>
  named !== userid && named.length === userid.length && /^\d+$/.test(named) && /^\d+$/.test(userid);
