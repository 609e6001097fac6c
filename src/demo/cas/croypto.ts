import { randomBytes } from 'node:crypto';
import { decryptCroypto } from '../crypto.ts';
import type { DemoCall } from '../exchange.ts';

// The login page that hands out a key, as one maker of a CAS has it. Its script makes the form, which the page does not show.

const keyBytes = { des: 8, aes: 16 } as const;
export type CroyptoCipher = keyof typeof keyBytes;

/** Good for one password. It stands for the login ticket, which these pages do not have. */
export const newCroyptoKey = (cipher: CroyptoCipher): string => randomBytes(keyBytes[cipher]).toString('base64');

export const croyptoPage = (key: string, execution: string, said: string): string =>
  `${said}<p id="login-croypto" style="display:none">${key}</p><p id="login-page-flowkey" style="display:none">${execution}</p>`;

const constants = { type: 'UsernamePassword', _eventId: 'submit', geolocation: '', captcha_code: '' };
const others = ['username', 'execution', 'croypto', 'password'];

/** What its script sends: these fields, each of them once, and no others. */
const isCroyptoForm = (form: URLSearchParams): boolean => {
  const names = [...form.keys()].sort().join();
  const isWhole = names === [...Object.keys(constants), ...others].sort().join();
  return isWhole && Object.entries(constants).every(([name, value]) => form.get(name) === value);
};

export interface SubmittedLogin {
  /** The login ticket of its page, or what stands for it. */
  readonly lt: string;
  readonly execution: string;
  readonly userid: string;
  /** Null: it was not made with what the page gave. */
  readonly password: string | null;
}

/** Null: its script would not send that. */
export const readCroyptoForm = ({ form }: DemoCall): SubmittedLogin | null => {
  if (!isCroyptoForm(form)) return null;
  const [lt = '', execution = '', userid = '', sealed = ''] = ['croypto', 'execution', 'username', 'password'].map(
    (name) => form.get(name) ?? '',
  );
  return { lt, execution, userid, password: decryptCroypto(sealed, lt) };
};
