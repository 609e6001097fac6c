import type { PersonalStep } from '../../domain/errors.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';

/** Fields of a login page. */
const OF_LOGIN: ReadonlySet<string> = new Set(['username', 'lt']);
const TYPED: ReadonlySet<string> = new Set(['text', 'tel', 'number', 'email', 'search']);

/**
 * What a page of the unified login wants that takes no password. Nobody has seen a second step there, so it is told by
 * what the pages of CAS have in common: `execution` carries the login on. Which step it is no page is known to say.
 * A field to type in makes it one whatever words the page holds, in its scripts for example.
 */
export const stepIn = (text: string, isRefusal: (text: string) => boolean): PersonalStep | null => {
  if (!text.includes('execution')) return null;
  let goesOn = false;
  let isTyped = false;
  let ofLogin = false;
  for (const token of htmlTokens(text)) {
    if (token.kind !== 'open' || token.name !== 'input') continue;
    const name = attributeOf(token.attributes, 'name') ?? '';
    const type = (attributeOf(token.attributes, 'type') ?? 'text').toLowerCase();
    if (name === 'password' || type === 'password') return null;
    if (name === 'execution') goesOn ||= Boolean(attributeOf(token.attributes, 'value'));
    else if (OF_LOGIN.has(name)) ofLogin = true;
    else isTyped ||= TYPED.has(type);
  }
  return goesOn && (isTyped || !(ofLogin || isRefusal(text))) ? 'unknown' : null;
};
