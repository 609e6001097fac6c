import type { PersonalStep } from '../../domain/errors.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';

/** Fields of a login page. */
const OF_LOGIN: ReadonlySet<string> = new Set(['username', 'lt']);
const TYPED: ReadonlySet<string> = new Set(['text', 'tel', 'number', 'email', 'search']);

/**
 * What a page of the unified login wants that takes no password. No second step was ever seen there; it is told by
 * what the pages of CAS have in common: `execution` carries the login on. No known page says which step it is.
 * A field to type in makes it one, no matter what words its scripts hold.
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
