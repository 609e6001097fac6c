import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';

/** The value of the hidden field; null where the page has none, or an empty one. */
export const executionIn = (page: string): string | null => {
  for (const token of htmlTokens(page)) {
    if (token.kind !== 'open' || token.name !== 'input') continue;
    if (attributeOf(token.attributes, 'name') === 'execution') return attributeOf(token.attributes, 'value') || null;
  }
  return null;
};

export const isLoginPage = (page: string): boolean =>
  page.includes('name="execution"') && page.includes('name="username"');

/** In English, and the element of the message in any language. */
export const isRefusal = (page: string): boolean =>
  page.includes('Invalid credentials') || page.includes('loginErrorsPanel');
