import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';

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

/** Both wordings of a refusal; the word `errorMsg` proves nothing. */
export const isRefusal = (text: string): boolean =>
  text.includes('Invalid username or password') || text.includes('用户名或密码错误');
