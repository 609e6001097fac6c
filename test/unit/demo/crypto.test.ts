import { describe, expect, it } from 'vitest';
import { createPortalKey, decryptDes, stripPkcs1 } from '../../../src/demo/crypto.ts';
import { TEST_KEY_PEM } from './test-key.ts';

it('the password of the unified login cannot be read with another key, from broken padding or from no base64', () => {
  const lt = 'LT-204817-qZ7mXw2KfT9vB4nRc1Yd-cas';
  expect(decryptDes('rGaxGnUllAuhdVIDkncufA==', 'LT-99999-x')).not.toBe('Passw0rd!');
  expect(decryptDes('AAAAAAAAAAA=', lt)).toBeNull();
  expect(decryptDes('ctC0s9H8 Cc=', '票据键')).toBeNull();
  expect(decryptDes('', lt)).toBeNull();
});

describe('the password of the portal', () => {
  const cipher =
    '13564846a8611b8da9d3fbc72a036932604ff7ed7b13ecdba557aa0ef5a549cee191acecf9da82b799f90439aab0c1c0250ee797a5ef3b3e0167fd302f627ca68417940e7178103c6e3ac5c3c0fe163a2c31df8db2551e478c6a52d11e3a897866b962bbb1be5c03305b5ce566268d599377cedc40696924599fd055394eceee';

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
