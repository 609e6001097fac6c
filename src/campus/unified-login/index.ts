import { Type } from '@sinclair/typebox';
import { address, type LoginDriver } from '../driver.ts';
import { stepIn } from '../parsing/second-step.ts';
import { isLoginPage, isRefusal, parseLoginPage } from './login-page.ts';
import { encryptForUnifiedLogin } from './password-cipher.ts';

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
