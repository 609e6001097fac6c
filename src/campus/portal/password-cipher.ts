import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

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
