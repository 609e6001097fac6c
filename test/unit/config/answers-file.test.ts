import { describe, expect, it } from 'vitest';
import { findingLine } from '../../../src/config/finding.ts';
import type { ConfigFiles } from '../../../src/config/secrets.ts';
import { load, memoryFiles, problems } from './support.ts';

const path = '/etc/campus/answers.json';
const env = { EVALUATION_ANSWERS: path };
const filesWith = (text: string): ConfigFiles => memoryFiles({ [path]: text }).files;
const faults = (text: string): string[] => problems(env, filesWith(text)).map(({ problem }) => problem);

const whole = {
  overall: ['讲解清楚，收获很大', '课堂节奏合适，内容充实'],
  inspiration: ['学会了联系实际'],
  suggestion: ['希望多一些讨论'],
  full_mark_share: 0.5,
};

describe('the file of EVALUATION_ANSWERS', () => {
  it('gives texts and the share of full marks', () => {
    expect(load(env, filesWith(JSON.stringify(whole))).evaluation.answers).toEqual({
      overall: whole.overall,
      inspiration: whole.inspiration,
      suggestion: whole.suggestion,
      fullMarkShare: 0.5,
    });
  });

  it('may leave anything out, and may begin with a byte order mark', () => {
    const text = `\uFEFF${JSON.stringify({ suggestion: whole.suggestion })}`;
    expect(load(env, filesWith(text)).evaluation.answers).toEqual({
      overall: null,
      inspiration: null,
      suggestion: whole.suggestion,
      fullMarkShare: null,
    });
  });

  it('stops the start with every problem of the file at once, beside those of other keys', () => {
    const text = JSON.stringify({
      overall: ['讲解清楚，收获很大', '很 好 的', '好好好好', 7, ' 长 '.repeat(400)],
      inspiration: [],
      suggestion: '希望多一些讨论',
      full_mark_share: 80,
      sugestion: [],
    });
    expect(problems({ ...env, PORT: 'x' }, filesWith(text)).map(findingLine)).toEqual([
      'PORT: "x"; give a whole number from 0 to 65535',
      ...[
        '"sugestion" is not one of overall, inspiration, suggestion, full_mark_share',
        'overall[1]: has less than 4 characters',
        'overall[2]: has one character three times in a row',
        'overall[3]: is no text',
        'overall[4]: has more than 500 characters',
        'inspiration: is empty',
        'suggestion: is no list',
        'full_mark_share: is no number from 0 to 1',
      ].map((fault) => `EVALUATION_ANSWERS: ${path}: ${fault}; correct it in the file`),
    ]);
  });

  it.each(['not json', '[]', 'null', '"text"', ''])('is refused when it holds %j', (text) => {
    expect(faults(text)).toEqual([`${path}: is no JSON object`]);
  });

  it('is refused with more texts than a list may have, and beyond its size', () => {
    expect(faults(JSON.stringify({ overall: Array(101).fill('讲解清楚，收获很大') }))).toEqual([
      `${path}: overall: has more than 100 entries`,
    ]);
    expect(faults(' '.repeat(1_000_001))).toEqual([`${path}: has more than 1000000 characters`]);
  });

  it('must exist and be readable', () => {
    expect(problems(env).map(findingLine)).toEqual([
      `EVALUATION_ANSWERS: ${path}: does not exist; give the path of a readable JSON file, or remove the key`,
    ]);
    const unreadable: ConfigFiles = {
      ...memoryFiles().files,
      read: () => {
        throw new Error('EACCES');
      },
    };
    expect(problems(env, unreadable).map(({ problem }) => problem)).toContain(`${path}: cannot be read`);
  });
});
