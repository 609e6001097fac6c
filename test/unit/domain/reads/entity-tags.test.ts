import { describe, expect, it } from 'vitest';
import { createEntityTags, KnownTags } from '../../../../src/domain/reads/entity-tags.ts';

describe('entity tags', () => {
  it('tell students, parts and secrets apart', () => {
    const tags = createEntityTags(Buffer.alloc(32, 1));
    const others = createEntityTags(Buffer.alloc(32, 2));
    const all = [tags('a', ['x', 'y']), tags('b', ['x', 'y']), tags('a', ['xy']), others('a', ['x', 'y'])];
    expect(new Set(all).size).toBe(4);
    expect(tags('a', ['x', 'y'])).toBe(all[0]);
  });
});

describe('the tag of a value in memory', () => {
  it('is made once for the same question about the same value, and anew for any other', () => {
    const known = new KnownTags();
    let made = 0;
    const make = () => {
      made += 1;
      return `tag ${made}`;
    };
    const value = { total: 1 };
    expect(known.of(value, 'one', make)).toBe('tag 1');
    expect(known.of(value, 'one', make)).toBe('tag 1');
    expect(known.of(value, 'two', make)).toBe('tag 2');
    expect(known.of({ total: 1 }, 'two', make)).toBe('tag 3');
  });
});
