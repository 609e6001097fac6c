import { randomBytes, randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits: fit for a cookie value, a path segment and a query without escaping. */
export const letters = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export const newTwfid = (): string => randomBytes(8).toString('hex');
export const newRandomCode = (): string => String(randomInt(1_000_000_000, 2_000_000_000));
export const newSessionId = (): string => randomBytes(16).toString('hex').toUpperCase();
export const newLoginTicket = (): string => `LT-${randomInt(100_000, 999_999)}-${letters(20)}-cas`;
export const newServiceTicket = (): string => `ST-${randomInt(10_000, 99_999)}-${letters(20)}-cas`;
export const newGrantingTicket = (): string => `TGT-${randomInt(1_000, 9_999)}-${letters(20)}-cas`;

/** Base64 that always holds `+`, `/` and `=`, the three characters that careless escaping destroys. */
export const newApplicationToken = (): string => `${randomBytes(30).toString('base64')}/+${letters(4)}==`;
