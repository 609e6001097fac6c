import { createCipheriv } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { address, type LoginDriver } from '../driver.ts';
import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { stepIn } from '../parsing/second-step.ts';

export interface LoginPage {
  readonly kind: 'login-page';
  readonly lt: string;
  readonly execution: string;
}

/** The first field of each name counts. */
export const parseLoginPage = (text: string): LoginPage | null => {
  const found: { lt?: string; execution?: string } = {};
  for (const token of htmlTokens(text)) {
    if (token.kind !== 'open' || token.name !== 'input') continue;
    const name = attributeOf(token.attributes, 'name');
    if (name === 'lt' || name === 'execution') found[name] ??= attributeOf(token.attributes, 'value') ?? '';
    if (found.lt !== undefined && found.execution !== undefined) break;
  }
  const { lt, execution } = found;
  return lt && execution ? { kind: 'login-page', lt, execution } : null;
};

/** The two fields as a page spells them, enough to tell a login page from a page of an application. */
export const isLoginPage = (text: string): boolean => text.includes('name="lt"') && text.includes('name="execution"');

/** Both wordings of a refusal; the word `errorMsg` alone says nothing. */
export const isRefusal = (text: string): boolean =>
  text.includes('Invalid username or password') || text.includes('用户名或密码错误');

/**
 * The unified login's password field: DES/ECB with PKCS#7, keyed by the first eight bytes of the login ticket.
 * Single DES is hidden in OpenSSL's legacy provider; triple DES with the same key three times is the same cipher.
 */
export const encryptForUnifiedLogin = (password: string, lt: string): string => {
  const key = Buffer.alloc(8);
  Buffer.from(lt, 'utf8').copy(key, 0, 0, 8);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
  return Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]).toString('base64');
};

/** The central authentication service (CAS) whose login ticket is the key of the password. */
export const cas: LoginDriver = {
  kind: 'login',
  options: Type.Object({ url: address }),
  login: {
    readForm(text) {
      const page = parseLoginPage(text);
      if (page === null) return null;
      const { lt, execution } = page;
      return {
        kind: 'login-page',
        fields: ({ userid, password }) => [
          ['username', userid],
          ['password', encryptForUnifiedLogin(password, lt)],
          ['lt', lt],
          ['execution', execution],
          ['_eventId', 'submit'],
          ['submit', 'LOGIN'],
        ],
      };
    },
    isLoginPage,
    isRefusal,
    stepIn: (text) => stepIn(text, isRefusal),
  },
};
