import { Type } from '@sinclair/typebox';
import { address, type LoginDriver } from '../driver.ts';
import { stepIn } from '../parsing/second-step.ts';
import { executionIn, isLoginPage, isRefusal } from './login-page.ts';

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
