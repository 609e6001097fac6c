import { randomInt } from 'node:crypto';

/** Without the letters and digits that people confuse: I, L, O, U, 0 and 1. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A random code of about 78 bits that can be read out loud. */
export const newCode = (): string => Array.from({ length: 4 }, group).join('-');
