import { expect, it } from 'vitest';
import { examPageAlive, parseExams } from '../../../../../src/campus/products/eams5/parse-exams.ts';
import { atCampus } from '../../../../../src/domain/academics/exams.ts';

const exam = (when: string) => {
  const cells = ['高等数学', when, '301', '12', '一教', '东校区'].map((cell) => `<td>${cell}</td>`);
  const [found] = parseExams(`<table id="exams"><tr>${cells.join('')}</tr></table></html>`).exams;
  return found && atCampus(found, 'Asia/Shanghai');
};

it.each([
  ['2026-01-10 08:30~10:30', '2026-01-10', '08:30-10:30'],
  ['2026年1月10日 下午2:00-4:00', '2026-01-10', '下午2:00-4:00'],
  ['2026-01-10 早8:00-10:00', '2026-01-10', '早8:00-10:00'],
  ['2026-01-10~2026-01-11 09:00', '2026-01-10', '2026-01-10~2026-01-11 09:00'],
  ['2026-01-09T16:00:00.000Z', '2026-01-10', ''],
  ['2026-01-10', '2026-01-10', ''],
  ['待定', '', ''],
])('an exam of %s is on %j at %j', (when, date, time) => {
  expect(exam(when)).toMatchObject({ date, time });
});

it.each([
  '<TABLE ID=exams><TBODY></TBODY></TABLE>',
  '<table id="exams"><tr><td colspan="4">暂无考试安排</td></tr></table>',
  "<table class='exam-table'><tr><td colspan=4>没有数据</td></tr></table>",
])('a table without exams is one, however it is written: %s', (page) => {
  expect(examPageAlive(page)).toBe(true);
  expect(parseExams(page)).toEqual({ exams: [], dropped: 0 });
});

it('one cell that says something else is no empty table', () => {
  expect(() => parseExams('<table id="exams"><tr><td>服务器错误</td></tr></table>')).toThrow(
    expect.objectContaining({ kind: 'upstream-unreadable' }),
  );
});
