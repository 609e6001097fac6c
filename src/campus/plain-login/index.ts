import { Type } from '@sinclair/typebox';
import { address, type LoginDriver } from '../driver.ts';
import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { stepIn } from '../parsing/second-step.ts';

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

/** The central authentication service (CAS, from 5 on) as it comes: the password is sent as it is typed. */
export const plainCas: LoginDriver = {
  kind: 'login',
  options: Type.Object({ url: address }),
  login: {
    readForm(text) {
      const execution = executionIn(text);
      if (execution === null || stepIn(text, isRefusal) !== null) return null;
      return {
        kind: 'login-page',
        fields: ({ userid, password }) => [
          ['username', userid],
          ['password', password],
          ['execution', execution],
          ['_eventId', 'submit'],
        ],
      };
    },
    isLoginPage,
    isRefusal,
    stepIn: (text) => stepIn(text, isRefusal),
  },
};
