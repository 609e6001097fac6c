import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';

const hiddenField = (text: string, name: string): string | null => {
  for (const token of htmlTokens(text)) {
    if (token.kind !== 'open' || token.name !== 'input') continue;
    if (attributeOf(token.attributes, 'name') === name) return attributeOf(token.attributes, 'value');
  }
  return null;
};

export interface LoginPage {
  readonly kind: 'login-page';
  readonly lt: string;
  readonly execution: string;
}

export const parseLoginPage = (text: string): LoginPage | null => {
  const lt = hiddenField(text, 'lt');
  const execution = hiddenField(text, 'execution');
  return lt && execution ? { kind: 'login-page', lt, execution } : null;
};

/** The two fields as a page spells them, enough to tell a login page from a page of an application. */
export const isLoginPage = (text: string): boolean => text.includes('name="lt"') && text.includes('name="execution"');

/** Both wordings of a refusal; the word `errorMsg` proves nothing. */
export const isRefusal = (text: string): boolean =>
  text.includes('Invalid username or password') || text.includes('用户名或密码错误');
