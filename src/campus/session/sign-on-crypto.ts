import { constants, createCipheriv, createPublicKey, publicEncrypt } from 'node:crypto';

/**
 * The unified login's password field: DES/ECB with PKCS#7, keyed by the first eight bytes of the login ticket.
 * Single DES is hidden in OpenSSL's legacy provider; triple DES with the same key three times is the same cipher.
 */
export const encryptForUnifiedLogin = (password: string, lt: string): string => {
  const key = Buffer.alloc(8);
  Buffer.from(lt, 'utf8').copy(key, 0, 0, 8);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
  return Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]).toString('base64');
};

export interface PortalKey {
  /** Big-endian hex, upper or lower case. */
  readonly modulusHex: string;
  /** Decimal text. */
  readonly exponent: string;
}

/** Thrown when the portal's key cannot take the password or is no key at all. */
export class PortalKeyError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'PortalKeyError';
  }
}

/** The portal's password field: RSA PKCS#1 v1.5 of `<password>_<code>`, lower-case hex, two digits per modulus byte. */
export const encryptForPortal = (vpnPassword: string, code: string, key: PortalKey): string => {
  if (!/^(?:[0-9a-fA-F]{2}){64,1024}$/.test(key.modulusHex) || !/^\d{1,10}$/.test(key.exponent)) {
    throw new PortalKeyError('portal key is malformed');
  }
  // An exponent of one would put the password on the wire as it is.
  if (BigInt(key.exponent) < 3n || BigInt(key.exponent) % 2n === 0n)
    throw new PortalKeyError('portal key is malformed');
  const modulus = Buffer.from(key.modulusHex.replace(/^(?:00)+/, ''), 'hex');
  const exponentHex = BigInt(key.exponent).toString(16);
  const exponent = Buffer.from(exponentHex.padStart(exponentHex.length + (exponentHex.length % 2), '0'), 'hex');
  const message = Buffer.from(code === '' ? vpnPassword : `${vpnPassword}_${code}`, 'utf8');
  if (message.length > modulus.length - 11) throw new PortalKeyError('password too long for portal key');
  try {
    const publicKey = createPublicKey({
      key: { kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') },
      format: 'jwk',
    });
    const encrypted = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, message);
    return encrypted.toString('hex');
  } catch (error) {
    if (error instanceof PortalKeyError) throw error;
    // The library's own message may quote key material.
    throw new PortalKeyError('portal key is not usable');
  }
};
