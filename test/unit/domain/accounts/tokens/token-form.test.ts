import { expect, it } from 'vitest';
import { newPersonalSecret, permit, storedHashOf } from '../../../../../src/domain/accounts/tokens/personal-tokens.ts';
import { type Scope, scopeNames } from '../../../../../src/domain/scopes.ts';
import { randomToken, sha256 } from '../../../../../src/lib/hash.ts';

const replaced = (text: string, at: number, by: string): string => text.slice(0, at) + by + text.slice(at + 1);

it('a personal token is told by its form, and one wrong character anywhere makes it none', () => {
  const token = newPersonalSecret();
  expect(token).toMatch(/^cgp_[\w-]{49}$/);
  expect(storedHashOf(token)).toMatch(/^[0-9a-f]{64}$/);
  expect(storedHashOf(token)).not.toBe(sha256(token));
  for (let at = 0; at < token.length; at += 1) {
    for (const by of ['A', 'z', '-', '0']) {
      if (token[at] !== by) expect(storedHashOf(replaced(token, at, by)), `${by} at ${at}`).toBeNull();
    }
  }
  for (const short of [token.slice(0, -1), `${token}A`, 'cgp_', '', 'x'.repeat(257)]) {
    expect(storedHashOf(short)).toBeNull();
  }
});

it('tokens of logins are stored as before, also one that happens to begin with the same letters', () => {
  for (const token of [randomToken(), `cgp_${randomToken().slice(4)}`, 'anything']) {
    expect(storedHashOf(token)).toBe(sha256(token));
  }
});

it('a scope allows itself and nothing else; only a login token does what needs a login', () => {
  const personal = (...scopes: Scope[]) => ({ userid: '1', personal: { name: 'x', scopes, copiesOnly: false } });
  for (const scope of scopeNames) {
    expect(() => permit(personal(scope), scope)).not.toThrow();
    expect(() => permit(personal(...scopeNames.filter((one) => one !== scope)), scope)).toThrow('scope-missing');
    expect(() => permit({ userid: '1' }, scope)).not.toThrow();
  }
  expect(() => permit(personal(...scopeNames), 'login')).toThrow('scope-missing');
  expect(() => permit(personal(), 'any')).not.toThrow();
  expect(() => permit({ userid: '1' }, 'login')).not.toThrow();
});
