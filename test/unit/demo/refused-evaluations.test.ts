import { expect, it } from 'vitest';
import { Students } from '../../../src/demo/students.ts';

it('the campus refuses every evaluation of one demo student, and none of the first', () => {
  const students = new Students();
  const refusals = (userid: string) => students.get(userid)?.evaluation.map(({ refusal }) => refusal) ?? [];
  expect(refusals('2023000004').length).toBeGreaterThan(1);
  expect(refusals('2023000004').every((refusal) => refusal === '系统错误，保存失败！')).toBe(true);
  expect(refusals('2023000001').some((refusal) => refusal !== undefined)).toBe(false);
});
