import { createCipheriv } from 'node:crypto';
import type { UnifiedLoginPages } from '../../contract/form-login.ts';
import { needsPersonElsewhere } from '../../contract/sign-in.ts';
import { asksNewPassword } from '../../parsing/forms.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';
import { decodeEntities } from '../../parsing/text.ts';
import { stepIn } from './login-page.ts';

// The login whose page hands out a key as `croypto`, and names its flow beside it.

const croyptoElements = { key: 'login-croypto', flow: 'login-page-flowkey' } as const;

interface CroyptoPage {
  readonly key: string;
  readonly flow: string;
  /** The address of its image; empty: it shows none. */
  readonly image: string;
}

/** Both stand in the `value` of their element, or else in its text. */
export const parseCroyptoPage = (text: string): CroyptoPage => {
  const found = { key: '', flow: '', image: '' };
  let open: 'key' | 'flow' | null = null;
  for (const token of htmlTokens(text)) {
    if (token.kind === 'open') {
      const id = attributeOf(token.attributes, 'id');
      open = id === croyptoElements.key ? 'key' : id === croyptoElements.flow ? 'flow' : null;
      if (open !== null) found[open] ||= attributeOf(token.attributes, 'value') ?? '';
      const source = token.name === 'img' ? (attributeOf(token.attributes, 'src') ?? '') : '';
      if (source.includes('captcha/generate')) found.image = source;
    } else if (token.kind === 'text' && open !== null) found[open] ||= decodeEntities(token.text).trim();
    else open = null;
  }
  return found;
};

const ciphers: Readonly<Record<number, (key: Buffer) => readonly [name: string, key: Buffer]>> = {
  // OpenSSL hides single DES; triple DES with one key three times is the same cipher.
  8: (key) => ['des-ede3-ecb', Buffer.concat([key, key, key])],
  16: (key) => ['aes-128-ecb', key],
};

/** The signs that fill it up may be missing: scripts read the same without them. */
const base64 = /^(?:[A-Za-z0-9+/]{4}){0,50}(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** A decoder skips what is no base64, and a password under the key that is left would look like a wrong one. */
const cipherOf = (key: string) => {
  const bytes = base64.test(key) ? Buffer.from(key, 'base64') : Buffer.alloc(0);
  return ciphers[bytes.length]?.(bytes) ?? null;
};

/** @throws Error where the key is of no length that we know, which `unknownCipher` tells before */
export const encryptUnderCroypto = (password: string, key: string): string => {
  const known = cipherOf(key);
  if (known === null) throw new Error('a key of no known length');
  const cipher = createCipheriv(known[0], known[1], null);
  return Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]).toString('base64');
};

export const croyptoPages: UnifiedLoginPages = {
  readForm(text) {
    const { key, flow, image } = parseCroyptoPage(text);
    if (cipherOf(key) === null || flow === '' || asksNewPassword(text)) return null;
    const captcha = image === '' ? null : { field: 'captcha_code', image };
    return { kind: 'login-page', lt: '', execution: flow, captcha, values: { key } };
  },
  fields: ({ execution, values }, { userid, password }, image) => [
    ['username', userid],
    ['type', 'UsernamePassword'],
    ['_eventId', 'submit'],
    ['geolocation', ''],
    ['execution', execution],
    ['captcha_code', image],
    ['croypto', values?.key ?? ''],
    ['password', encryptUnderCroypto(password, values?.key ?? '')],
  ],
  isLoginPage: (text) => new RegExp(`id\\s?=\\s?["']?${croyptoElements.key}\\b`).test(text),
  stepIn,
  unknownCipher(text) {
    const { key } = parseCroyptoPage(text);
    if (key === '' || cipherOf(key) !== null) return null;
    return base64.test(key) ? `croypto of ${Buffer.from(key, 'base64').length} bytes` : 'croypto that is no base64';
  },
  saidIn: ({ text }) => (text.includes('id="phone-number"') ? needsPersonElsewhere('sms', 'accepted') : null),
};
