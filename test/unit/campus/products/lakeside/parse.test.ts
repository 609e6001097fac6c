import { expect, it } from 'vitest';
import { parseExams, parseScores, parseStudent } from '../../../../../src/campus/products/lakeside/parse.ts';
import { failureOf, unreadablePage } from '../urp/fixtures.ts';

const student = (standing: object) => JSON.stringify({ id: '1', standing });

it.each(['taken', 'pending', 'gpa'])('a summary whose %s is there and is no number is unreadable', (name) => {
  expect(failureOf(() => parseStudent(student({ [name]: 'NaN' })))).toMatchObject(unreadablePage);
});

it('a summary shows the default for what is absent', () => {
  expect(parseStudent(student({})).summary).toMatchObject({ coursesTaken: 0, coursesPending: 0, gpa: 0 });
});

it('a mark without a course is dropped and counted; where none has one, the answer is unreadable', () => {
  const scores = (...rows: object[]) => parseScores(JSON.stringify({ scores: rows }));
  const good = { course: { code: 'A' }, mark: '90' };
  expect(scores(good, { course: {}, mark: '80' })).toMatchObject({ rows: [{ course_code: 'A' }], dropped: 1 });
  expect(failureOf(() => scores({ course: {}, mark: '80' }))).toMatchObject(unreadablePage);
});

it('an exam whose end the campus does not say has its beginning alone, and one without hours none', () => {
  const times = (...rows: object[]) => parseExams(JSON.stringify({ exams: rows })).exams.map(({ time }) => time);
  expect(times({ name: 'A', from: '09:00', to: '11:00' }, { name: 'B', from: '09:00' }, { name: 'C' })).toEqual([
    '09:00-11:00',
    '09:00',
    '',
  ]);
});
