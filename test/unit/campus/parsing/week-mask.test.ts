import { describe, expect, it } from 'vitest';
import { weekMask } from '../../../../src/campus/parsing/cells.ts';

const zeros = '0'.repeat(24);
/** The weeks of a mask. */
const weeks = (mask: string): number[] => [...mask].flatMap((digit, i) => (digit === '1' ? [i + 1] : []));

describe('week mask', () => {
  it.each([
    ['111111111111111100000000', '111111111111111100000000'],
    ['0111', `0111${'0'.repeat(20)}`],
    ['1'.repeat(30), '1'.repeat(24)],
    ['0', zeros],
  ])('%s is padded or cut to %s', (mask, expected) => {
    expect(weekMask(mask, '20-24周')).toBe(expected);
  });

  it.each([
    ['1-4周', [1, 2, 3, 4]],
    ['第1-4周', [1, 2, 3, 4]],
    ['第1周-第4周', [1, 2, 3, 4]],
    ['1-7周单周', [1, 3, 5, 7]],
    ['2-8双', [2, 4, 6, 8]],
    ['1-8(双)', [2, 4, 6, 8]],
    ['1-3,5,7-8周', [1, 2, 3, 5, 7, 8]],
    ['1-3，6、8;10；12周', [1, 2, 3, 6, 8, 10, 12]],
    ['1-5单，6-8双', [1, 3, 5, 6, 8]],
    ['1-2周 4-5周', [1, 2, 4, 5]],
    ['3周', [3]],
    ['1－2 ~ 9', [1, 2, 9]],
    ['22-30周', [22, 23, 24]],
    ['0-2周', [1, 2]],
    ['9-3周', []],
    ['2025年', []],
    ['', []],
    ['全部', []],
    [`${'，'.repeat(300)}1-2周`, []],
  ])('is rebuilt from %j', (description, expected) => {
    expect(weeks(weekMask('', description))).toEqual(expected);
    expect(weeks(weekMask('11x', description))).toEqual(expected);
  });
});
