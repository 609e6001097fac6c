import { expect, it } from 'vitest';
import { KeyedNames } from '../../../src/lib/hash.ts';

const [older, newer] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];

it('a name is the same in every version of the service: stored ones are found again', () => {
  const names = new KeyedNames([older]);
  expect(names.one('network', 'a', 'b')).toBe('98ad9062549276d9ef475598350773d1');
  expect(names.one('network', 'ab')).toBe('3358745fee3d3dce9be604a7f4e96094');
  expect(names.one('student', 'a', 'b')).toBe('3c6272fcbc18f50ce5a5f41fa43ac4f2');
});

it('the first key names, and what an older one has named is known', () => {
  const names = new KeyedNames([newer, older]);
  const both = [newer, older].map((key) => new KeyedNames([key]).one('network', 'a'));
  expect(names.all('network', 'a')).toEqual(both);
  expect(names.one('network', 'a')).toBe(both[0]);
  expect(() => new KeyedNames([]).one('network', 'a')).toThrow('no secret key');
});
