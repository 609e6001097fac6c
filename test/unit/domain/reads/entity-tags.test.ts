import { describe, expect, it } from 'vitest';
import { createEntityTags } from '../../../../src/lib/hash.ts';

describe('entity tags', () => {
  it('tell students, parts and secrets apart', () => {
    const tags = createEntityTags(Buffer.alloc(32, 1));
    const others = createEntityTags(Buffer.alloc(32, 2));
    const all = [tags('a', ['x', 'y']), tags('b', ['x', 'y']), tags('a', ['xy']), others('a', ['x', 'y'])];
    expect(new Set(all).size).toBe(4);
    expect(tags('a', ['x', 'y'])).toBe(all[0]);
  });
});
