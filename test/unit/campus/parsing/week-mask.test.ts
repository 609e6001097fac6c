import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../src/campus/parsing/oddities.ts';
import { weekMask } from '../../../../src/campus/parsing/weeks.ts';
import { areOfWord } from '../../../../src/lib/weeks-in-words.ts';

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
    ['第14周 周一 5-8节 14:30~18:00', [14]],
    ['1-8,10周 周三 3-4节', [1, 2, 3, 4, 5, 6, 7, 8, 10]],
    ['第1周-第4周 星期5 5-6节', [1, 2, 3, 4]],
    ['周一 1-2节 1-7单周', [1, 3, 5, 7]],
    ['2-8周(双) 星期二第5-6节', [2, 4, 6, 8]],
    ['1-4单,6-8双 周五 9-11节', [1, 3, 6, 8]],
    ['1-2周 周一 1-2节；3-4周 周二 7-8节', [1, 2, 3, 4]],
    ['周一 1-2节', []],
    ['周5 1-2节', []],
    ['8:00-9:40', []],
    ['单周', [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23]],
    ['双周 周一 1-2节', [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24]],
    ['全周', Array.from({ length: 24 }, (_, index) => index + 1)],
    ['2025年', []],
    ['', []],
    ['全部', []],
    [`${'，'.repeat(300)}1-2周`, []],
  ])('is rebuilt from %j', (description, expected) => {
    expect(weeks(weekMask('', description))).toEqual(expected);
    expect(weeks(weekMask('11x', description))).toEqual(expected);
  });

  it.each([
    ['周三第3,4节{第2-8周|双周}', [2, 4, 6, 8]],
    ['星期一 1-4周 第1-2节 单周', [1, 3]],
    ['1-3周 周二 5-6节 5-8双周', [1, 2, 3, 6, 8]],
    ['第三周', [3]],
    ['十一至十二周 周一 1-2节', [11, 12]],
    ['二十周', [20]],
    ['周一 周三', []],
  ])('with its word apart, or in Chinese numbers (%s), is read', (description, expected) => {
    expect(weeks(weekMask('', description))).toEqual(expected);
  });

  const first = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

  it.each([
    // Signs of other keyboards.
    ['１－１６周', first(16)],
    ['1——16周', first(16)],
    ['1‐4周', first(4)],
    ['01-04周', first(4)],
    ['1_4周', first(4)],
    // The word stands first, or names both.
    ['单周1-7', [1, 3, 5, 7]],
    ['双周 2-8', [2, 4, 6, 8]],
    ['单周1-5 周一 1-2节', [1, 3, 5]],
    ['1-4周 单双周', first(4)],
    ['单双周', first(24)],
    ['1-5单 6-8双', [1, 3, 5, 6, 8]],
    // Other words for them.
    ['1-8周（奇数周）', [1, 3, 5, 7]],
    ['2-8偶', [2, 4, 6, 8]],
    ['偶数周', first(24).filter((week) => week % 2 === 0)],
    ['每周', first(24)],
    ['单', first(24).filter((week) => week % 2 === 1)],
    ['第一、三、五周', [1, 3, 5]],
    // Numbers that are no weeks, or are those without a class.
    ['前8周', first(8)],
    ['后8周', []],
    ['9-16周(共8周)', [9, 10, 11, 12, 13, 14, 15, 16]],
    ['9-10周 2学时', [9, 10]],
    ['9-10周(机房3)', [9, 10]],
    ['9-10周,每2周一次', [9, 10]],
    ['1-6周（除第3、5周外）', [1, 2, 4, 6]],
    ['1-4周 停2周', [1, 3, 4]],
    ['2026-09-01~2026-12-20', []],
    ['9月1日至12月20日', []],
    ['2026-09-07 1-4周', first(4)],
  ])('of %s, as other campuses write it', (description, expected) => {
    expect(weeks(weekMask('', description))).toEqual(expected);
  });

  it.each(['16', '65535', 'YYNN', '后8周'])('that cannot be read (%s) is noted', (mask) => {
    const { value, oddities } = collectOddities(() => weekMask(mask, ''));
    expect(value).toBe(zeros);
    expect(oddities).toEqual([{ kind: 'unknown-text', name: 'weeks', count: 1 }]);
  });

  it.each([
    ['1-16周', '', 16],
    ['2-18双', '', 9],
    ['1-3,5', '', 4],
    ['1-3周', '备注', 3],
    ['12', '', 0],
    ['机房', '', 0],
  ])('in words where the mask is due (%s) is read', (mask, description, count) => {
    expect(weeks(weekMask(mask, description))).toHaveLength(count);
  });

  it.each([16, 20, 26])('of %i signs is read, and what lies beyond the 24 is counted', (signs) => {
    const { value, oddities } = collectOddities(() => weekMask('1'.repeat(signs), ''));
    expect(weeks(value)).toHaveLength(Math.min(signs, 24));
    expect(oddities).toEqual(signs > 24 ? [{ kind: 'weeks-beyond', name: '', count: 2 }] : []);
  });

  it('of a word alone is known as such', () => {
    for (const word of ['单周', '双周', '全周', '奇数周', '单双周'])
      expect(areOfWord(weekMask('', word), word)).toBe(true);
    expect(areOfWord(weekMask('', '1-16周'), '1-16周')).toBe(false);
    expect(areOfWord('1110'.padEnd(24, '0'), '全周')).toBe(false);
  });
});
