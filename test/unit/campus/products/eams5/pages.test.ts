import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { parseScores } from '../../../../../src/campus/products/eams5/parse-scores.ts';
import { parseTermStart, parseTermsPage, termCodeIn } from '../../../../../src/campus/products/eams5/parse-terms.ts';
import { parseTimetable } from '../../../../../src/campus/products/eams5/parse-timetable.ts';
import { outcomeIn, saltIn, showsLogin, studentIdIn } from '../../../../../src/campus/products/eams5/sign-in.ts';

const unreadable = expect.objectContaining({ kind: 'upstream-unreadable' });

describe('its sign-in', () => {
  it('reads a salt with and without quotes, and no page for one', () => {
    const salt = '11111111-2222-3333-4444-555555555555';
    expect([salt, `"${salt}"`, '', '<html></html>'].map(saltIn)).toEqual([salt, salt, null, null]);
  });

  it('reads answers that say what became of the password, and no others', () => {
    expect(outcomeIn('{"result":false,"message":"用户名或密码错误","needCaptcha":true}')).toEqual({
      ...{ result: false, wantsImage: true, message: '用户名或密码错误' },
    });
    expect(['{"result":"true"}', '{}', '<html></html>'].map(outcomeIn)).toEqual([null, null, null]);
  });

  it('takes the id of the student from the redirect of the session alone', () => {
    expect(
      [
        '/student/for-std/course-table/info/152113',
        '/x/sheet/semester-index/7',
        '/student/login?refer=1',
        undefined,
      ].map(studentIdIn),
    ).toEqual(['152113', '7', null, null]);
    expect(['<title>登入页面</title>', '<p>课表</p>'].map(showsLogin)).toEqual([true, false]);
  });
});

describe('terms', () => {
  it.each([
    ['2025-2026-2', '2025-2026-2-1'],
    ['2025-2026学年秋季学期', '2025-2026-1-1'],
    ['2025-2026学年第三学期', '2025-2026-3-1'],
    ['2025-2026学年2学期', '2025-2026-2-1'],
    ['2025-2026(下)', '2025-2026-2-1'],
    ['2025-2026学年春季学期（上半学期）', '2025-2026-2-1'],
    ['2025-2026学年春季学期第一阶段', '2025-2026-2-1'],
    ['2025-2026学年春夏学期', '2025-2026-2-1'],
    ['2025-2026学年秋冬学期', '2025-2026-1-1'],
    ['2025-2026学年夏季学期(上)', '2025-2026-3-1'],
    ['2025-2026学年暑期(上)', ''],
    ['2025-2026学年第一学期（春）', ''],
    ['2025-2027-1', ''],
    ['2026 春', ''],
  ])('%s is %s', (text, code) => {
    expect(termCodeIn(text)).toBe(code);
  });

  const page = (more: string) =>
    `<select id="allSemesters"><option value="all">全部学期</option><option value="191" selected>2025-2026-2</option><option value="9">小学期</option></select><script>var semesters = JSON.parse('[{\\"id\\":191,\\"startDate\\":\\"2026-03-02\\",\\"endDate\\":\\"2026-07-12\\"${more}}]');var studentId = 152113;</script>`;

  it('are listed where weeks begin on Sunday, which only their first day cannot be told of', () => {
    expect(parseTermsPage(page(''))).toMatchObject({
      terms: [{ id: '191', start: { firstDay: '2026-03-02', weeks: 19 } }],
      studentId: '152113',
      dropped: 1,
    });
    expect(parseTermsPage(page(',\\"weekStartOnSunday\\":true'))).toMatchObject({
      terms: [{ term_code: '2025-2026-2-1', is_current: true, start: 'sunday' }],
    });
    expect(() => parseTermStart('{"startDate":"2026-03-02","weekStartOnSunday":true}')).toThrow(unreadable);
  });

  const scripted = (script: string) =>
    parseTermsPage(
      `<select id="allSemesters"><option value="191" selected>2025-2026-2</option></select><script>${script}</script>`,
    ).terms[0]?.start;

  it.each([
    `var semesters = [{id:191, startDate:'2026-03-02', endDate:"2026-07-12"}];`,
    `var semesters = JSON.parse( '[{"id":"191","startDate":"2026/3/2","endDate":"2026年7月12日"}]' );`,
    `// var semesters = [{id:191, startDate:'2020-03-02'}];\nvar semesters = [{id:191, startDate:'2026-03-02', endDate:'2026-07-12'}];`,
    `/* var semesters = JSON.parse('[{"id":191,"startDate":"2020-03-02"}]'); */ var semesters = JSON.parse('[{"id":191,"startDate":"2026-03-02","endDate":"2026-07-12"}]');`,
  ])('are read from a literal, and never from a comment: %s', (script) => {
    expect(scripted(script)).toEqual({ firstDay: '2026-03-02', weeks: 19 });
  });

  it.each(['true', "'Y'", '1'])('of a literal with weeks that begin on Sunday (%s) have no days', (word) => {
    expect(scripted(`var semesters = [{id:191, startDate:'2026-03-02', weekStartOnSunday:${word}}];`)).toBe('sunday');
  });

  it('keep a moment of another clock as it is stated, because the day depends on the campus', () => {
    const [startDate, endDate] = ['2026-03-01T16:00:00.000Z', '2026-07-11T16:00:00.000Z'];
    const stated = { firstDay: startDate, lastDay: endDate, weeks: 0 };
    expect(parseTermStart(JSON.stringify({ startDate, endDate }))).toEqual(stated);
    expect(parseTermStart(JSON.stringify({ startDate: 1772380800000, endDate: '2026-07-12' }))).toEqual({
      ...{ firstDay: '1772380800000', lastDay: '2026-07-12', weeks: 0 },
    });
    expect(() => parseTermStart(JSON.stringify({ startDate: '2026-02-30', endDate }))).toThrow(unreadable);
  });
});

const activity = {
  lessonCode: 'E.1',
  courseCode: 'E',
  courseName: 'a',
  weekIndexes: [1, 3],
  weekday: 1,
  startUnit: 1,
  endUnit: 2,
};
const table = (...activities: object[]) => parseTimetable(JSON.stringify({ studentTableVms: [{ id: 1, activities }] }));

it('weeks that count from 0 place no class, and are counted', () => {
  const read = table(activity, { ...activity, lessonCode: 'E.2', weekIndexes: [0, 1] });
  expect(read.table.courses.map(({ places }) => places.length)).toEqual([1, 0]);
  expect(read.dropped).toBe(1);
});

describe('the timetable', () => {
  it('has courses without weeks, and is unreadable where no stated place can be read', () => {
    expect(table(activity, { ...activity, weekIndexes: [] })).toMatchObject({ dropped: 1, table: { courses: [{}] } });
    expect(table({ ...activity, weekIndexes: [] }).table.courses).toMatchObject([{ places: [] }]);
    expect(() => table({ ...activity, weekday: 9 })).toThrow(unreadable);
    expect(table()).toMatchObject({ table: { courses: [] } });
  });
});

it('a negative mark or point is none, and words are no number', () => {
  const score = (gaGrade: unknown, gp: unknown) => {
    const row = { courseName: 'a', courseCode: 'A', gaGrade, gp, semesterName: '2025-2026-1' };
    const { scores } = parseScores(JSON.stringify({ semesterId2studentGrades: { '1': [row] } }));
    return [scores[0]?.row.score, scores[0]?.row.score_number, scores[0]?.row.grade_point];
  };
  expect([score(-999, -1), score('优秀', null), score('95', 0)]).toEqual([
    ['', null, null],
    ['优秀', null, null],
    ['95', 95, 0],
  ]);
});

describe('components of a score', () => {
  const componentsOf = (gradeDetail: string) => {
    const row = { courseName: '课', courseCode: 'C1', gaGrade: '88', gradeDetail };
    return parseScores(JSON.stringify({ semesterId2studentGrades: { 1: [row] } })).scores[0]?.components;
  };

  it.each<[string, object]>([
    ['<span>平时成绩:90</span><span>实验:85</span>', { regular: '90', final: null, total: '88', remark: '实验 85' }],
    ['<span>平时成绩:90</span><span>期末成绩:-999</span>', { regular: '90', final: null, remark: '' }],
    ['平时成绩：－1<br>期末成绩：87<br>实验:-1', { regular: null, final: '87', remark: '' }],
  ])('are those of %s, without what is not published', (detail, expected) => {
    expect(componentsOf(detail)).toMatchObject([expected]);
  });
});

it('finds nothing odd about a type that is a text', () => {
  const row = { courseName: '课', courseCode: 'C1', gaGrade: '88', courseType: '必修' };
  const read = () => parseScores(JSON.stringify({ semesterId2studentGrades: { 1: [row] } }));
  expect(collectOddities(read)).toMatchObject({ oddities: [], value: { scores: [{ row: { course_type: '必修' } }] } });
});
