import { createCipheriv } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { PersonalStep } from '../../../domain/errors.ts';
import { address, type LoginDriver } from '../../contract/driver.ts';
import type { LoginForm, UnifiedLogin } from '../../contract/portal.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';

// The central authentication service (CAS). That of our campus encrypts the password, others take it as it is typed.

const TYPED: ReadonlySet<string> = new Set(['text', 'tel', 'number', 'email', 'search']);
/** Names that pages give to the field of a captcha and to its image. */
const CAPTCHA = /captcha|kaptcha|(?:auth|rand|check|valid|verif\w*)_?code|yzm/i;

interface LoginPage {
  readonly form: LoginForm;
  readonly takesPassword: boolean;
  /** It has a field to type in that no plain login has. */
  readonly asksMore: boolean;
  readonly ofLogin: boolean;
}

/** The first field of each name counts. */
export const parseLoginPage = (text: string): LoginPage => {
  const values = new Map<string, string>();
  let image = '';
  let field = '';
  let takesPassword = false;
  let asksMore = false;
  for (const token of htmlTokens(text)) {
    if (token.kind !== 'open' || (token.name !== 'input' && token.name !== 'img')) continue;
    const name = attributeOf(token.attributes, 'name') ?? '';
    const id = attributeOf(token.attributes, 'id') ?? '';
    if (token.name === 'img') {
      const source = attributeOf(token.attributes, 'src') ?? '';
      if (image === '' && (CAPTCHA.test(source) || CAPTCHA.test(id))) image = source;
      continue;
    }
    const type = (attributeOf(token.attributes, 'type') ?? 'text').toLowerCase();
    if (name === 'password' || type === 'password') takesPassword = true;
    else if (name === 'username' || name === 'lt' || name === 'execution') {
      if (!values.has(name)) values.set(name, attributeOf(token.attributes, 'value') ?? '');
    } else if (TYPED.has(type)) {
      asksMore = true;
      if (field === '' && (CAPTCHA.test(name) || CAPTCHA.test(id))) field = name;
    }
  }
  const captcha = image !== '' && field !== '' ? { field, image } : null;
  const form = {
    kind: 'login-page',
    lt: values.get('lt') ?? '',
    execution: values.get('execution') ?? '',
    captcha,
  } as const;
  return { form, takesPassword, asksMore, ofLogin: values.has('username') || values.has('lt') };
};

/**
 * CAS continues a login by `execution`, and no known page says which step it wants. A field to type in makes it one, no
 * matter what words its scripts hold.
 */
const stepIn = (text: string, isRefusal: (text: string) => boolean): PersonalStep | null => {
  if (!text.includes('execution')) return null;
  const { form, takesPassword, asksMore, ofLogin } = parseLoginPage(text);
  if (takesPassword || form.execution === '') return null;
  return asksMore || !(ofLogin || isRefusal(text)) ? 'unknown' : null;
};

/**
 * DES/ECB with PKCS#7 under the first eight bytes of the login ticket. OpenSSL hides single DES; triple DES with one
 * key three times is the same cipher.
 */
export const encryptForUnifiedLogin = (password: string, lt: string): string => {
  const key = Buffer.alloc(8);
  Buffer.from(lt, 'utf8').copy(key, 0, 0, 8);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
  return Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]).toString('base64');
};

const withCaptcha = ({ captcha }: LoginForm, image: string) =>
  captcha === null ? [] : ([[captcha.field, image]] as const);

/** The word `errorMsg` alone says nothing. */
export const isRefusal = (text: string): boolean =>
  text.includes('Invalid username or password') || text.includes('用户名或密码错误');

const encrypted: UnifiedLogin = {
  readForm(text) {
    const { form } = parseLoginPage(text);
    return form.lt === '' || form.execution === '' ? null : form;
  },
  fields: (form, { userid, password }, image) => [
    ['username', userid],
    ['password', encryptForUnifiedLogin(password, form.lt)],
    ['lt', form.lt],
    ['execution', form.execution],
    ['_eventId', 'submit'],
    ['submit', 'LOGIN'],
    ...withCaptcha(form, image),
  ],
  isLoginPage: (text) => text.includes('name="lt"') && text.includes('name="execution"'),
  isRefusal,
  stepIn: (text) => stepIn(text, isRefusal),
};

/** Recognizes the English message, or the message element in any language. */
const isPlainRefusal = (text: string): boolean =>
  text.includes('Invalid credentials') || text.includes('loginErrorsPanel');

const plain: UnifiedLogin = {
  readForm(text) {
    const { form } = parseLoginPage(text);
    return form.execution === '' || stepIn(text, isPlainRefusal) !== null ? null : form;
  },
  fields: (form, { userid, password }, image) => [
    ['username', userid],
    ['password', password],
    ['execution', form.execution],
    ['_eventId', 'submit'],
    ...withCaptcha(form, image),
  ],
  isLoginPage: (text) => text.includes('name="execution"') && text.includes('name="username"'),
  isRefusal: isPlainRefusal,
  stepIn: (text) => stepIn(text, isPlainRefusal),
};

const options = Type.Object({ url: address });

/** Encrypts the password with its login ticket. */
export const cas: LoginDriver = { kind: 'login', options, login: encrypted };
/** From version 5 on it sends the password as it is. */
export const plainCas: LoginDriver = { kind: 'login', options, login: plain };
