import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

export interface PortalKey {
  /** Big-endian hex, upper or lower case. */
  readonly modulusHex: string;
  /** Decimal text. */
  readonly exponent: string;
}

type Encrypted =
  | { readonly kind: 'encrypted'; readonly hex: string }
  /** The portal's key cannot take the password, or is not a key at all. */
  | { readonly kind: 'unusable-key'; readonly reason: string };

const unusable = (reason: string): Encrypted => ({ kind: 'unusable-key', reason });

/** An exponent of one would send the password in clear. */
const isKey = ({ modulusHex, exponent }: PortalKey): boolean =>
  /^(?:[0-9a-fA-F]{2}){64,1024}$/.test(modulusHex) &&
  /^\d{1,10}$/.test(exponent) &&
  BigInt(exponent) >= 3n &&
  BigInt(exponent) % 2n === 1n;

/** The portal's password field: RSA PKCS#1 v1.5 of `<password>_<code>`, lower-case hex, two digits per modulus byte. */
export const encryptForPortal = (vpnPassword: string, code: string, key: PortalKey): Encrypted => {
  if (!isKey(key)) return unusable('portal key is malformed');
  const modulus = Buffer.from(key.modulusHex.replace(/^(?:00)+/, ''), 'hex');
  const exponentHex = BigInt(key.exponent).toString(16);
  const exponent = Buffer.from(exponentHex.padStart(exponentHex.length + (exponentHex.length % 2), '0'), 'hex');
  const message = Buffer.from(code === '' ? vpnPassword : `${vpnPassword}_${code}`, 'utf8');
  if (message.length > modulus.length - 11) return unusable('password too long for portal key');
  try {
    const publicKey = createPublicKey({
      key: { kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') },
      format: 'jwk',
    });
    const encrypted = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, message);
    return { kind: 'encrypted', hex: encrypted.toString('hex') };
  } catch {
    // The library's own message may quote key material.
    return unusable('portal key is not usable');
  }
};
