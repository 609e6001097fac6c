import { isRecord } from '../../../lib/text.ts';
import type { Fields } from '../../contract/sign-in.ts';
import {
  JSON_ACCEPT,
  refusedSession,
  type UpstreamRequest,
  type UpstreamSession,
} from '../../contract/upstream-session.ts';
import { type PageReader, unreadable } from '../../parsing/reading.ts';
import { dataAlive, isMissing, isOwnNumber, type MenuFunction, usualFunction } from './pages.ts';
import { ownTerm } from './parse-terms.ts';
import { FUNCTIONS } from './sign-in.ts';

const MENU = '/xtgl/index_initMenu.html';

/** A number that is stated and not the student's: nothing of the answer is kept, and the session is dropped. */
export const refuseForeignOwner = (session: UpstreamSession, what: string, ...stated: readonly unknown[]): void => {
  if (!stated.every((number) => isOwnNumber(number, session.userid)))
    throw refusedSession(unreadable('academics', `${what} of another student`));
};

export const functionOf = (session: UpstreamSession, name: MenuFunction): string => {
  const kept: unknown = JSON.parse(session.memo.get(FUNCTIONS) ?? '{}');
  const own = isRecord(kept) ? kept[name] : undefined;
  return typeof own === 'string' ? own : usualFunction(name);
};

export const pageRequest = (
  page: string,
  path: string,
  alive: PageReader<boolean>,
  more: Partial<UpstreamRequest> = {},
) => ({ page, method: 'GET', path, expect: 'page', alive, referer: MENU, ...more }) as const;

/** Answers with JSON, or with a page that says why not. */
export const dataRequest = (
  page: string,
  path: string,
  form: Fields,
  more: Partial<UpstreamRequest> = {},
): UpstreamRequest => ({
  ...pageRequest(page, path, dataAlive, more),
  method: 'POST',
  form,
  headers: { 'x-requested-with': 'XMLHttpRequest', accept: JSON_ACCEPT },
});

export const termOf = (code: string): Fields => {
  const own = ownTerm(code);
  if (own === null) throw unreadable('academics', 'term that the school cannot have');
  return Object.entries(own);
};

/**
 * Asks by the first name that a page has, and by the second where the school does not know the first; the one that answers
 * is remembered. `settles`: the answer shows that the school fills this page.
 */
export const byEitherName = async <T>(
  session: UpstreamSession,
  names: readonly [first: string, second: string],
  ask: (name: string) => Promise<T>,
  settles: (answer: T) => boolean = () => true,
): Promise<T> => {
  const [usual, other] = names;
  const known = session.memo.get(usual);
  const order = known === other ? [other, usual] : names;
  let doubtful: { readonly answer: T } | null = null;
  let missing: unknown = null;
  for (const name of order) {
    try {
      const answer = await ask(name);
      if (settles(answer)) session.memo.set(usual, name);
      if (settles(answer) || known === name) return answer;
      doubtful ??= { answer };
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing ??= error;
    }
  }
  if (doubtful !== null) return doubtful.answer;
  throw missing;
};
