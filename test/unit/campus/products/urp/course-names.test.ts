import { describe, expect, it } from 'vitest';
import { parseEvaluationList } from '../../../../../src/campus/products/urp/parse-evaluation.ts';
import { parseExamSeats } from '../../../../../src/campus/products/urp/parse-exam-seats.ts';
import { parseOtherExams, parseUniversityExams } from '../../../../../src/campus/products/urp/parse-exams.ts';
import { parseCourseTable } from '../../../../../src/campus/products/urp/parse-schedule.ts';
import { parseScoreData, parseThisTermScores } from '../../../../../src/campus/products/urp/parse-scores.ts';
import { parseTrainingPlan } from '../../../../../src/campus/products/urp/parse-student.ts';
import { courseText } from '../../../../../src/campus/products/urp/plan-texts.ts';
import { withSeats } from '../../../../../src/domain/academics/exams.ts';

const escaped = 'C&#43;&#43; &amp; Co';
const name = 'C++ & Co';
const code = 'A&amp;1';

const scoreRow = [1, '2025-2026-1-1', code, '0&#49;', escaped, escaped, '3', 48, '必修', '考试', '87', null, null];
const universityExams = [{ title: `${escaped}\n08:30-10:30`, start: '2026-01-09' }];
const answers: ReadonlyArray<readonly [page: string, parse: (text: string) => unknown, body: unknown]> = [
  ['scores of a term', parseScoreData, { list: { records: [scoreRow] } }],
  [
    'scores of this term',
    parseThisTermScores,
    [{ list: [{ id: { courseNumber: code, examtime: '&#49;' }, coureSequenceNumber: '0&#49;', courseName: escaped }] }],
  ],
  [
    'the timetable',
    parseCourseTable,
    { xkxx: [{ x: { id: { coureNumber: code, coureSequenceNumber: '0&#49;' }, courseName: escaped } }] },
  ],
  [
    'the evaluation list',
    parseEvaluationList,
    { data: [{ id: { evaluatedPeople: code, coureSequenceNumber: '0&#49;' }, evaluationContent: escaped }] },
  ],
  ['other exams', parseOtherExams, { records: [{ KCM: escaped, KSRQ: '2026-01-09', KSSJ: '14:00' }] }],
  ['university exams', parseUniversityExams, universityExams],
  ['the training plan', parseTrainingPlan, { count: 1, data: [[escaped, '7352']] }],
];

describe('a course whose name the campus escapes', () => {
  it.each(answers)('has its plain name in %s', (_, parse, body) => {
    const text = JSON.stringify(parse(JSON.stringify(body)));
    expect(text).toContain(JSON.stringify(name).slice(1, -1));
    expect(text).not.toContain('&#43;');
  });

  it.each(answers.slice(0, 4))('keeps ids and codes as they come in %s', (_, parse, body) => {
    const text = JSON.stringify(parse(JSON.stringify(body)));
    expect(text).toContain(JSON.stringify(code));
    expect(text).toContain('"0&#49;"');
  });

  it('has the same name in the plan', () => {
    expect(courseText(`[${'A1'}]${escaped}[3学分]`).name).toBe(name);
  });

  it('has its seat, which another page shows', () => {
    const page = `<div class="widget-box"><h5 class="widget-title">（A1-01）${escaped}</h5><div class="widget-main">座位号: 18</div></div>
      <script>"examPlan/detail"</script>`;
    const { exams } = parseUniversityExams(JSON.stringify(universityExams));
    expect(withSeats(exams, parseExamSeats(page))).toMatchObject([{ courseName: name, note: '座位号: 18' }]);
  });

  it('is opened for evaluation with teacher and questionnaire as the list spells them', () => {
    const body = { data: [{ evaluatedPeople: '古丽&#183;买买提', questionnaire: { questionnaireName: 'A&amp;B' } }] };
    expect(parseEvaluationList(JSON.stringify(body)).list.courses).toMatchObject([
      { teacher: '古丽&#183;买买提', questionnaire: { name: 'A&amp;B' } },
    ]);
  });
});
