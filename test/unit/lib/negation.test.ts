import { expect, it } from 'vitest';
import { affirms, saysOf } from '../../../src/lib/negation.ts';

const success = /成功|通过|success(?:ful(?:ly)?)?|passed/i;

it.each([
  ['提交成功', 'affirmed'],
  ['您的请求处理成功！', 'affirmed'],
  ['未成功', 'negated'],
  ['提交不成功', 'negated'],
  ['没有提交成功', 'negated'],
  ['审核未能通过', 'negated'],
  ['无法成功提交', 'negated'],
  ['非成功状态', 'negated'],
  ['not successful', 'negated'],
  ['cannot be passed', 'negated'],
  ['unsuccessful', 'negated'],
  ['un-successful', 'negated'],
  ['It failed to be successful', 'negated'],
  ["It wasn't successful", 'negated'],
  // Another clause says nothing of the word.
  ['密码不变，修改成功', 'affirmed'],
  ['Not now. Passed', 'affirmed'],
  ['余额不足；\n提交成功', 'affirmed'],
  ['提交成功，但未审核', 'affirmed'],
  ['提交成功，审核未通过', 'negated'],
  // They hold a sign and negate nothing.
  ['非常成功', 'affirmed'],
  ['不仅提交成功', 'affirmed'],
  ['不但成功', 'affirmed'],
  ['不限次数提交成功', 'affirmed'],
  ['核对无误提交成功', 'affirmed'],
  ['无需审核直接通过', 'affirmed'],
  ['非常遗憾未通过', 'negated'],
  ['University notice: passed', 'affirmed'],
  ['处理中', null],
  ['', null],
] as const)('%s: %s', (text, said) => {
  expect(saysOf(text, success)).toBe(said);
  expect(affirms(text, success)).toBe(said === 'affirmed');
});

it('stays linear where the word is repeated', () => {
  expect(saysOf('成功'.repeat(100_000), success)).toBe('affirmed');
});
