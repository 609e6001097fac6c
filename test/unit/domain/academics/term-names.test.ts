import { describe, expect, it } from 'vitest';
import { termDisplayName } from '../../../../src/domain/academics/current-term.ts';

describe('display name of a term', () => {
  it.each([
    ['2025-2026-1-1', '2025-2026秋季学期'],
    ['2025-2026-2-1', '2025-2026春季学期'],
    ['2025-2026-1', '2025-2026秋季学期'],
    ['2025-2026-2-2', '2025-2026春季学期'],
    ['2025-2026-3-1', '2025-2026-3-1'],
    ['2025-2026-11-1', '2025-2026-11-1'],
    ['2025-2026', '2025-2026'],
    ['2025', '2025'],
    ['', ''],
  ])('of %j is %j', (code, name) => {
    expect(termDisplayName(code)).toBe(name);
  });
});
