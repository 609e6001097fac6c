import type { CourseSelection } from '../../domain/academics/types.ts';
import { readJsonObject } from '../parsing/json.ts';
import { str } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';

/**
 * `{zxjxjhm, retString, jhrxxqztx}`; courses can be chosen exactly while `retString` is 1, as text or number.
 * @throws Failure `upstream-unreadable`, also without `retString`: "closed" would be a guess
 */
export const parseCourseSelection = (text: string): CourseSelection => {
  const body = readJsonObject(text, 'academics');
  if (!('retString' in body)) throw unreadable('academics', 'selection status without its member');
  return { open: str(body.retString) === '1' };
};
