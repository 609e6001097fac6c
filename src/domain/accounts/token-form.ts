import { crc32 } from 'node:zlib';
import { randomToken, sha256 } from '../../lib/hash.ts';

const MARK = 'cgp_';
const SECRET_LENGTH = 43;
const LENGTH = MARK.length + SECRET_LENGTH + 6;
const LONGEST = 256;

/** Six characters: a checksum of 32 bits, which finds every single character that is typed wrong. */
const checksumOf = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
};

/** `cgp_`, 32 random bytes and a checksum: programs that look for leaked secrets know it by its form alone. */
export const newPersonalSecret = (): string => {
  const text = `${MARK}${randomToken()}`;
  return `${text}${checksumOf(text)}`;
};

/**
 * Under which a token is stored; null for what can be none, such as a personal token that was typed wrong: storage need not
 * be asked about it. The hash of a personal token is of another text than that of a login's: a lookup of the hash of
 * a plain token, as the login guard does and a replica of the previous version, never finds one.
 */
export const storedHashOf = (token: string): string | null => {
  if (token === '' || token.length > LONGEST) return null;
  const isPersonal = token.length === LENGTH || (token.startsWith(MARK) && token.length !== SECRET_LENGTH);
  if (!isPersonal) return sha256(token);
  const isWhole =
    token.length === LENGTH && token.startsWith(MARK) && checksumOf(token.slice(0, -6)) === token.slice(-6);
  return isWhole ? sha256(`personal token ${token}`) : null;
};

/** The id of a token is the beginning of its hash: enough to name it, of no use to a reader. */
const ID_LENGTH = 16;

export const sessionId = (tokenHash: string): string => tokenHash.slice(0, ID_LENGTH);
