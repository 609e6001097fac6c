import { describe, expect, it } from 'vitest';
import { drivers } from '../../../../src/campus/drivers.ts';
import lists from '../../../../src/campus/recordings/words.json' with { type: 'json' };
import { isKeptIn, isMarkup } from '../../../../src/campus/recordings/words.ts';
import { spellingOf } from '../../../support/spelled-words.ts';

describe('the kept words', () => {
  it.each(Object.entries(lists))('of %s are spelled by its driver or its templates', (list, words) => {
    const isSpelled = spellingOf(list);
    expect(words.filter((word) => !isSpelled(word))).toEqual([]);
    expect(words.length).toBeLessThanOrEqual(300);
    expect(words).toEqual([...new Set(words)].toSorted());
  });

  it('are listed for every application', () => {
    const applications = Object.entries(drivers).flatMap(([name, driver]) =>
      driver.kind === 'application' ? name : [],
    );
    expect(Object.keys(lists)).toEqual([...applications, 'everywhere', 'markup'].toSorted());
  });

  it.each([
    ['jwc', '数据结构'],
    ['isim', '松园1号学生公寓'],
    ['ldjlb', '同意加入'],
    ['ldjlb', '梁秋'],
    ['eams5', '微观经济学'],
    ['lakeside', '湖小舟'],
    ['everywhere', '林晓'],
    ['markup', '苇青'],
  ])('of %s may not be a word of its records: %s', (list, word) => {
    expect(spellingOf(list)(word)).toBe(false);
  });

  it('never holds a single character, nor what no list has', () => {
    const isKept = isKeptIn(Object.keys(lists));
    const signs = Array.from({ length: 0x5000 }, (_, at) => String.fromCharCode(0x20 + at));
    expect(signs.filter(isKept)).toEqual([]);
    expect(['张伟', 'zhangwei', '2023000001'].filter((word) => isKept(word) || isMarkup(word))).toEqual([]);
  });
});
