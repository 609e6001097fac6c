import { describe, expect, it } from 'vitest';
import { builtInPools, completePools, drawAnswers } from '../../../../src/domain/evaluation/answers.ts';
import type { AnswerPools, CommentSort, Questionnaire, RatingOption } from '../../../../src/domain/evaluation/types.ts';
import { commentFault } from '../../../../src/lib/text.ts';

/** A random source that gives these numbers in turn, then the last one for ever. */
const draws =
  (...values: number[]) =>
  (): number =>
    values.length > 1 ? (values.shift() ?? 0) : (values[0] ?? 0);

const rating = (name: string, options: RatingOption[]) => ({ name, question: '', options }) as const;
const comment = (name: string, sort: CommentSort, maxLength: number | null = null) =>
  ({ name, question: '', sort, maxLength }) as const;
const page = (parts: Partial<Questionnaire>): Questionnaire => ({
  token: 't',
  session: 's',
  title: '',
  questionnaireNumber: '',
  staffNumber: '',
  contentNumber: '',
  ratings: [],
  comments: [],
  ...parts,
});
const options = (...weights: number[]): RatingOption[] =>
  weights.map((weight, at) => ({ value: `${at}_${weight}`, weight, label: '' }));
const rated = (given: RatingOption[], ...values: number[]): string | undefined =>
  drawAnswers(page({ ratings: [rating('r', given)] }), builtInPools, draws(...values))[0]?.[1];
const written = (sort: CommentSort, maxLength: number | null, pools: AnswerPools, ...values: number[]): string =>
  drawAnswers(page({ comments: [comment('c', sort, maxLength)] }), pools, draws(...values))[0]?.[1] ?? '';

describe('ratings', () => {
  it('get the full mark for the share of the pools, else the next one below', () => {
    expect(rated(options(0.4, 1, 0.8, 0.6), 0.79)).toBe('1_1');
    expect(rated(options(0.4, 1, 0.8, 0.6), 0.8, 0)).toBe('2_0.8');
  });

  it('choose among several options of one weight', () => {
    expect(rated(options(1, 1, 0.8), 0, 0.99)).toBe('1_1');
    expect(rated(options(1, 0.8, 0.8), 0.9, 0.99)).toBe('2_0.8');
  });

  it('take the highest group where none has the full weight, and the only one where there is one', () => {
    expect(rated(options(0.5, 0.9, 0.7), 0.99)).toBe('1_0.9');
    expect(rated(options(1, 1), 0.99)).toBe('1_1');
  });

  it('take the first option where the page states no weights', () => {
    expect(rated(options(0, 0, 0), 0.99)).toBe('0_0');
  });

  const labelled = ['完全同意', '同意', '不同意', '完全不同意'].map((label, at) => ({
    value: `v${at}`,
    weight: 1 - at / 4,
    label,
  }));
  it.each([
    ['本题为检测题，请选择“不同意”', 'v2'],
    ['请勾选：同意', 'v1'],
    ['请务必选择完全不同意。', 'v3'],
    ['本题请选C', 'v2'],
    ['请选择第2项', 'v1'],
    ['Please select "不同意"', 'v2'],
    // It names none, or says nothing of options.
    ['请选择最合适的一项', 'v0'],
    ['老师的讲解清楚', 'v0'],
  ])('take the option that the question names: %s', (question, value) => {
    const found = drawAnswers(page({ ratings: [{ name: 'r', question, options: labelled }] }), builtInPools, draws(0));
    expect(found).toEqual([['r', value]]);
  });

  it('follow a share of the operator', () => {
    const never = { ...builtInPools, fullMarkShare: 0 };
    expect(drawAnswers(page({ ratings: [rating('r', options(1, 0.8))] }), never, draws(0))[0]?.[1]).toBe('1_0.8');
  });
});

describe('comments', () => {
  it('come from the pool of their kind, general ones from the overall pool', () => {
    for (const sort of ['overall', 'inspiration', 'suggestion'] as const) {
      expect(builtInPools[sort]).toContain(written(sort, null, builtInPools, 0.5));
    }
    expect(builtInPools.overall).toContain(written('general', null, builtInPools, 0.5));
  });

  it('are drawn again, three times at most, while the campus would refuse them', () => {
    const pools = { ...builtInPools, overall: ['好', '啊啊啊啊', '讲解清楚，收获很大'] };
    expect(written('overall', null, pools, 0, 0.4, 0.9)).toBe('讲解清楚，收获很大');
    expect(written('overall', null, pools, 0, 0, 0, 0.9)).toBe('好');
  });

  it('lose their blanks', () => {
    expect(written('overall', null, { ...builtInPools, overall: [' 讲解 清楚\n收获 很大 '] }, 0)).toBe(
      '讲解清楚收获很大',
    );
  });

  it.each([1, 2, 3, 4, 7, 12, 30, 500])('are neither empty nor over-long in a field of %i', (limit) => {
    const wide = { ...builtInPools, overall: ['😀😀', '👍讲解清楚'] };
    for (const pools of [builtInPools, wide]) {
      for (const at of [0, 0.5, 0.99]) {
        const text = written('overall', limit, pools, at);
        expect(text.length).toBeGreaterThan(0);
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(text.isWellFormed()).toBe(true);
      }
    }
  });

  it('prefer a text that fits to one that is cut', () => {
    const pools = { ...builtInPools, overall: ['讲解清楚，收获很大', '讲得很好'] };
    expect(written('overall', 5, pools, 0)).toBe('讲得很好');
  });
});

describe('answers', () => {
  it('name every question of the page once, ratings first', () => {
    const names = drawAnswers(
      page({ ratings: [rating('a', options(1)), rating('b', options(1))], comments: [comment('zgpj', 'overall')] }),
      builtInPools,
      draws(0),
    ).map(([name]) => name);
    expect(names).toEqual(['a', 'b', 'zgpj']);
  });

  it('built in, are such as the campus takes', () => {
    const { overall, inspiration, suggestion } = builtInPools;
    expect([...overall, ...inspiration, ...suggestion].map(commentFault).filter((fault) => fault !== null)).toEqual([]);
  });

  it('that the operator leaves out are built in', () => {
    expect(completePools(null)).toEqual(builtInPools);
    const own = { overall: ['讲解清楚，收获很大'], inspiration: null, suggestion: null, fullMarkShare: 0 };
    expect(completePools(own)).toEqual({ ...builtInPools, overall: own.overall, fullMarkShare: 0 });
  });
});
