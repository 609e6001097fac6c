import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

/** A public key as logins hand it out. */
export interface RsaKey {
  /** May begin with zero bytes. */
  readonly modulus: Buffer;
  readonly exponent: bigint;
}

/** An eavesdropper can read what a shorter key encrypts. */
const SHORTEST_KEY_BITS = 1024;
const LONGEST_KEY_BYTES = 1024;
const PADDING_BYTES = 11;

const encryptUnpadded = (modulus: Buffer): Buffer => modulus.subarray(modulus.findIndex((byte) => byte !== 0));

/** The longest message, in bytes. */
export const roomUnder = ({ modulus }: RsaKey): number => encryptUnpadded(modulus).length - PADDING_BYTES;

/** What is wrong with a key; null: a password may be encrypted with it. An exponent of one would send it in clear. */
export const rsaKeyFault = ({ modulus, exponent }: RsaKey): string | null => {
  if (modulus.length === 0 || modulus.length > LONGEST_KEY_BYTES || exponent < 3n || exponent % 2n === 0n)
    return 'key is malformed';
  const bits = BigInt(`0x${modulus.toString('hex')}`).toString(2).length;
  return bits < SHORTEST_KEY_BITS ? `key has ${bits} bits` : null;
};

/** RSA with the padding of PKCS#1 v1.5. A text says what keeps it back. */
export const encryptRsa = (message: Buffer, key: RsaKey): Buffer | string => {
  const fault = rsaKeyFault(key);
  if (fault !== null) return fault;
  if (message.length > roomUnder(key)) return 'key is too short for the password';
  const hex = key.exponent.toString(16);
  const exponent = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  try {
    const publicKey = createPublicKey({
      key: { kty: 'RSA', n: encryptUnpadded(key.modulus).toString('base64url'), e: exponent.toString('base64url') },
      format: 'jwk',
    });
    return publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, message);
  } catch {
    // The library's own message may quote key material.
    return 'key is not usable';
  }
};
