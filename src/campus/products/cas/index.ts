import { createCipheriv } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { address, type LoginDriver } from '../../contract/driver.ts';
import { type UnifiedLoginPages, unifiedLogin } from '../../contract/form-login.ts';
import type { LoginForm } from '../../contract/sign-in.ts';
import { asksNewPassword } from '../../parsing/forms.ts';
import { hiddenPasswordIn, passwordCipherIn } from '../../parsing/password-cipher.ts';
import { croyptoPages } from './croypto.ts';
import { parseLoginPage, stepIn } from './login-page.ts';

// The central authentication service (CAS). That of our campus encrypts the password, others take it as it is typed.

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

export const encrypted: UnifiedLoginPages = {
  readForm(text) {
    const { form } = parseLoginPage(text);
    return form.lt === '' || form.execution === '' || asksNewPassword(text) ? null : form;
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
  stepIn,
  unknownCipher: (text) => passwordCipherIn(text, 'des'),
};

export const plainPages: UnifiedLoginPages = {
  readForm(text) {
    const { form } = parseLoginPage(text);
    return form.execution === '' || asksNewPassword(text) || stepIn(text) !== null ? null : form;
  },
  fields: (form, { userid, password }, image) => [
    ['username', userid],
    ['password', password],
    ['execution', form.execution],
    ['_eventId', 'submit'],
    ...withCaptcha(form, image),
  ],
  isLoginPage: (text) => text.includes('name="execution"') && text.includes('name="username"'),
  stepIn,
  unknownCipher: (text) => passwordCipherIn(text, 'nothing') ?? hiddenPasswordIn(text),
};

const options = Type.Object({ url: address });

/** Encrypts the password with its login ticket. */
export const cas: LoginDriver = { kind: 'login', options, create: () => unifiedLogin(encrypted) };
/** From version 5 on it sends the password as it is. */
export const plainCas: LoginDriver = { kind: 'login', options, create: () => unifiedLogin(plainPages) };
/** Encrypts the password under a key that its page hands out. */
export const croypto: LoginDriver = { kind: 'login', options, create: () => unifiedLogin(croyptoPages) };
