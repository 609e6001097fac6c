import { constants, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encryptForPortal, type PortalKey } from '../../../../../src/campus/products/ssl-vpn/index.ts';

const decrypt = (hex: string, key: KeyObject): string => {
  const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, Buffer.from(hex, 'hex'));
  expect([block[0], block[1]]).toEqual([0, 2]);
  const end = block.indexOf(0, 2);
  expect(end).toBeGreaterThanOrEqual(10);
  return block.subarray(end + 1).toString('utf8');
};

const keyOf = (bits: number) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const exponent = BigInt(`0x${Buffer.from(e, 'base64url').toString('hex')}`).toString();
  return { modulusHex: Buffer.from(n, 'base64url').toString('hex'), exponent, privateKey };
};

const hexOf = (password: string, code: string, key: PortalKey): string => {
  const encrypted = encryptForPortal(password, code, key);
  if (encrypted.kind !== 'encrypted') throw encrypted.failure;
  return encrypted.hex;
};

describe('password field of the portal', () => {
  it.each([1024, 2048])('decrypts to password and code under a %i bit key, two digits per modulus byte', (bits) => {
    const key = keyOf(bits);
    const hex = hexOf('Passw0rd!', '1732050807', { ...key, modulusHex: key.modulusHex.toUpperCase() });
    expect(hex).toMatch(/^[0-9a-f]+$/);
    expect(hex).toHaveLength(bits / 4);
    expect(decrypt(hex, key.privateKey)).toBe('Passw0rd!_1732050807');
  });

  it('carries the bare password when the portal sent no code', () => {
    const key = keyOf(1024);
    expect(decrypt(hexOf('密码', '', key), key.privateKey)).toBe('密码');
  });

  it.each([
    ['an odd number of digits', 'abc', '65537'],
    ['letters beyond hex', 'zz'.repeat(128), '65537'],
    ['an exponent that is no number', 'ab'.repeat(128), '0x10001'],
    ['an exponent of zero', 'ab'.repeat(128), '0'],
    ['an exponent of one, which encrypts nothing', 'ab'.repeat(128), '1'],
    ['an even exponent', 'ab'.repeat(128), '4'],
  ])('refuses a key with %s', (_name, modulusHex, exponent) => {
    expect(encryptForPortal('p', 'c', { modulusHex, exponent })).toMatchObject({ kind: 'failed' });
  });
});
