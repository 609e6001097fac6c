import {
  constants,
  createDecipheriv,
  createPrivateKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { promisify } from 'node:util';

const utf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

/**
 * Strips `00 02 <8 or more non-zero bytes> 00`. By hand, because the library's own unpadding answers random bytes
 * where the padding is bad, and the campus would call a broken message a wrong password.
 */
export const stripPkcs1 = (block: Buffer): Buffer | null => {
  if (block[0] !== 0 || block[1] !== 2) return null;
  const end = block.indexOf(0, 2);
  return end < 10 ? null : block.subarray(end + 1);
};

/** The portal's RSA key pair: what its challenge announces, and how it reads an encrypted password. */
export class PortalKey {
  /** Upper-case hex, an even number of digits. */
  readonly modulusHex: string;
  readonly exponent: string;
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    const { n = '', e = '' } = key.export({ format: 'jwk' });
    this.modulusHex = Buffer.from(n, 'base64url').toString('hex').toUpperCase();
    this.exponent = BigInt(`0x${Buffer.from(e, 'base64url').toString('hex')}`).toString();
    this.#key = key;
  }

  /** The clear text of lower-case hex as long as the modulus; null for anything else. */
  decrypt(hex: string): string | null {
    if (hex.length !== this.modulusHex.length || !/^[0-9a-f]+$/.test(hex)) return null;
    try {
      const padding = constants.RSA_NO_PADDING;
      const message = stripPkcs1(privateDecrypt({ key: this.#key, padding }, Buffer.from(hex, 'hex')));
      return message && utf8(message);
    } catch {
      return null; // a number above the modulus
    }
  }
}

/** @param pem a private key to use instead of a fresh one */
export const createPortalKey = async (pem?: string): Promise<PortalKey> => {
  if (pem) return new PortalKey(createPrivateKey(pem));
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 1024 });
  return new PortalKey(privateKey);
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** The DES key of a login page: the first 8 bytes of its `lt`, padded with zeros. */
const desKey = (lt: string): Buffer => {
  const key = Buffer.alloc(8);
  Buffer.from(lt, 'utf8').copy(key, 0, 0, 8);
  return key;
};

/** The clear text of a password under the key that a page handed out, base64; null when it was not made with that. */
export const decryptCroypto = (base64: string, croypto: string): string | null => {
  if (!BASE64.test(base64)) return null;
  const key = Buffer.from(croypto, 'base64');
  try {
    const decipher =
      key.length === 16
        ? createDecipheriv('aes-128-ecb', key, null)
        : createDecipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
    return utf8(Buffer.concat([decipher.update(base64, 'base64'), decipher.final()]));
  } catch {
    return null;
  }
};

/** The clear text of a login form's password, or null when it was not made with this `lt`. */
export const decryptDes = (base64: string, lt: string): string | null => {
  if (!BASE64.test(base64)) return null;
  const key = desKey(lt);
  try {
    // Single DES is hidden in OpenSSL 3; triple DES with one key three times is the same function.
    const decipher = createDecipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
    return utf8(Buffer.concat([decipher.update(base64, 'base64'), decipher.final()]));
  } catch {
    return null;
  }
};
