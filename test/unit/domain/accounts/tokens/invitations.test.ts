import { describe, expect, it } from 'vitest';
import { readInvite, signInvite } from '../../../../../src/domain/accounts/tokens/invitations.ts';
import { KeyedNames, randomToken } from '../../../../../src/lib/hash.ts';

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
type Signed = Parameters<typeof signInvite>[1];

const tokens = (...keys: Buffer[]) => {
  const names = new KeyedNames(keys);
  return { sign: (signed: Signed) => signInvite(names, signed), read: (token: string) => readInvite(names, token) };
};
const invite = { codeId: '0123456789abcdef', expiresAt: Date.UTC(2026, 8, 1) + 123 };

describe('invite tokens', () => {
  it('have 43 characters, are each another one, and say what was signed', () => {
    const signed = [tokens(oldKey).sign(invite), tokens(oldKey).sign(invite)];
    expect(new Set(signed).size).toBe(2);
    for (const token of signed) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(tokens(oldKey).read(token)).toEqual(invite);
    }
  });

  it('are read under every listed key, and under no other', () => {
    const token = tokens(oldKey).sign(invite);
    expect(tokens(newKey, oldKey).read(token)).toEqual(invite);
    expect(tokens(newKey).read(token)).toBeNull();
    expect(tokens(oldKey).read(tokens(newKey, oldKey).sign(invite))).toBeNull();
  });

  it('altered in any bit, or spelled in another way, are none', () => {
    const token = tokens(oldKey).sign(invite);
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(tokens(oldKey).read(altered.toString('base64url'))).toBeNull();
    }
    // The last character has two bits that say nothing: four spellings of the same bytes.
    const spellings = Array.from(
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
      (last) => token.slice(0, -1) + last,
    ).filter((each) => Buffer.from(each, 'base64url').equals(bytes));
    expect(spellings).toHaveLength(4);
    expect(spellings.filter((each) => tokens(oldKey).read(each) !== null)).toEqual([token]);
    for (const other of [` ${token}`, `${token}=`, `${token}\n`, token.slice(1), '', 'ü']) {
      expect(tokens(oldKey).read(other)).toBeNull();
    }
  });

  it('of the version before, which were random, are none of these', () => {
    for (let at = 0; at < 100; at += 1) expect(tokens(oldKey).read(randomToken())).toBeNull();
  });
});
