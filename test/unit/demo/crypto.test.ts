import { describe, expect, it } from 'vitest';
import { createPortalKey, decryptDes, desKey, stripPkcs1 } from '../../../src/demo/crypto.ts';
import { desBase64, rsaHex } from '../../socket/demo-browser.ts';
import { TEST_KEY_MODULUS, TEST_KEY_PEM } from './test-key.ts';

const VECTORS = [
  ['LT-204817-qZ7mXw2KfT9vB4nRc1Yd-cas', '4c542d3230343831', 'Passw0rd!', 'rGaxGnUllAuhdVIDkncufA=='],
  ['LT-20481-another-tail', '4c542d3230343831', 'Passw0rd!', 'rGaxGnUllAuhdVIDkncufA=='],
  ['LT-1-abc', '4c542d312d616263', '12345678', 'WtlEcdJBL9VxsNzt3t92Hg=='],
  ['LT-1-abc', '4c542d312d616263', '', 'cbDc7d7fdh4='],
  ['abc', '6162630000000000', 'secret', '/lZcQGlrp5U='],
  ['LT-98765-x', '4c542d3938373635', '密码Abc123', 'AzRVoo6TSb2COIHW60W/NQ=='],
  ['票据键', 'e7a5a8e68daee994', 'pw+/=&%', 'ctC0s9H8+Cc='],
  [
    'LT-204817-qZ7mXw2KfT9vB4nRc1Yd-cas',
    '4c542d3230343831',
    '0123456789abcdefghijklmnop',
    'OPSYjDX/TfLXoFrcEDlRZE0NXoI3gKJoeTKoV9/bj6Y=',
  ],
] as const;

describe('the password of the unified login', () => {
  it.each(VECTORS)('is read from the message made with %s (%s): %j', (lt, keyHex, password, message) => {
    expect(desKey(lt).toString('hex')).toBe(keyHex);
    expect(decryptDes(message, lt)).toBe(password);
    expect(desBase64(lt, password)).toBe(message);
  });

  it('cannot be read with another key, from broken padding or from text that is no base64', () => {
    const [lt, , , message] = VECTORS[0];
    expect(decryptDes(message, 'LT-99999-x')).not.toBe('Passw0rd!');
    expect(decryptDes('AAAAAAAAAAA=', lt)).toBeNull();
    expect(decryptDes('ctC0s9H8 Cc=', '票据键')).toBeNull();
    expect(decryptDes('', lt)).toBeNull();
  });
});

describe('the password of the portal', () => {
  const cipher =
    '13564846a8611b8da9d3fbc72a036932604ff7ed7b13ecdba557aa0ef5a549cee191acecf9da82b799f90439aab0c1c0250ee797a5ef3b3e0167fd302f627ca68417940e7178103c6e3ac5c3c0fe163a2c31df8db2551e478c6a52d11e3a897866b962bbb1be5c03305b5ce566268d599377cedc40696924599fd055394eceee';

  it('is read from the recorded message of the fixed key', async () => {
    const key = await createPortalKey(TEST_KEY_PEM);
    expect(key.modulusHex).toBe(TEST_KEY_MODULUS);
    expect(key.exponent).toBe('65537');
    expect(key.decrypt(cipher)).toBe('Passw0rd!_1732050807');
  });

  it('is read from what a client encrypts for a fresh key', async () => {
    const key = await createPortalKey();
    expect(key.modulusHex).toMatch(/^[0-9A-F]{256}$/);
    expect(key.decrypt(rsaHex(key.modulusHex, key.exponent, '密码_+_1'))).toBe('密码_+_1');
  });

  it('is not guessed from anything else', async () => {
    const key = await createPortalKey(TEST_KEY_PEM);
    expect(key.decrypt(cipher.toUpperCase())).toBeNull();
    expect(key.decrypt(cipher.slice(2))).toBeNull();
    expect(key.decrypt('f'.repeat(256))).toBeNull();
    expect(key.decrypt('0'.repeat(256))).toBeNull();
    expect(key.decrypt('')).toBeNull();
  });

  it('needs eight bytes of padding and an end mark', () => {
    const block = (padding: number, end: string) => Buffer.from(`0002${'ab'.repeat(padding)}${end}`, 'hex');
    expect(stripPkcs1(block(8, '006869'))?.toString()).toBe('hi');
    expect(stripPkcs1(block(7, '006869'))).toBeNull();
    expect(stripPkcs1(block(12, ''))).toBeNull();
    expect(stripPkcs1(Buffer.from('0001ffffffffffffffff006869', 'hex'))).toBeNull();
  });
});
