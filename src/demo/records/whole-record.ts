import { type Attended, gradePointOf, hasPassed, markOf, numberOf } from './attended.ts';
import { codeOf, type DemoTerm, dayDigits } from './calendar.ts';
import { type Programme, type ProgrammePlan, planNameOf, planOf } from './programmes.ts';

export type WholeRecordGroups = readonly unknown[];

const SEASONS = ' 秋春夏';
const GRADES = ['A', 'A-', 'B+', 'B', 'C+', 'C', 'D', 'F'];

const yearOf = ({ year }: DemoTerm): string => `${year}-${year + 1}`;

const rowOf = ({ course, term, examDay }: Attended, userid: string) => {
  const { code, sequence, name, english, credits, nature } = course;
  const number = numberOf(course);
  const step = number === null ? null : Math.min(GRADES.length - 1, Math.max(0, Math.ceil((90 - number) / 5)));
  return {
    id: {
      executiveEducationPlanNumber: codeOf(term),
      courseNumber: code,
      coureSequenceNumber: sequence,
      studentId: userid,
    },
    courseName: name,
    englishCourseName: english,
    courseAttributeName: nature,
    credit: `${credits}`,
    cj: markOf(course),
    courseScore: number,
    gradePointScore: gradePointOf(course),
    gradeName: step === null ? null : GRADES[step],
    academicYearCode: yearOf(term),
    termName: SEASONS[term.season],
    examTime: dayDigits(examDay),
    notByReasonName: hasPassed(course) ? null : '成绩不及格',
  };
};

/** Everything published, plan by plan: the plan of the student's major first. */
export const wholeRecordOf = (
  programme: Programme,
  entry: number,
  attended: readonly Attended[],
  userid: string,
): WholeRecordGroups => {
  const published = attended.filter(({ isPublished }) => isPublished);
  const groupOf = (plan: ProgrammePlan) => {
    const own = published.filter(({ course }) => planOf(programme, course) === plan);
    const passed = own.filter(({ course }) => hasPassed(course)).length;
    return {
      cjlx: planNameOf(plan, entry),
      cjbh: plan.id,
      yxxf: own.reduce((sum, { course }) => sum + course.credits, 0),
      zms: own.length,
      tgms: passed,
      wtgms: own.length - passed,
      cjList: own.map((each) => rowOf(each, userid)),
    };
  };
  return programme.plans.toReversed().map(groupOf);
};

/**
 * Rows without a term, without numbers, with numbers as text, a term of words alone, a course in two groups, a group without
 * rows.
 */
export const damagedWholeRecord = (term: string): WholeRecordGroups => {
  // biome-ignore format: a group of cells a line
  const both = {
    id: { executiveEducationPlanNumber: term, courseNumber: 'SY3201003', coureSequenceNumber: '03' },
    courseName: '软件工程导论', courseAttributeName: '必修', credit: 3, cj: '优秀', courseScore: 95, gradePointScore: '4.0',
  };
  // biome-ignore format: a group of cells a line
  const rows = [
    both,
    {
      id: { courseNumber: 'SY1102004', courseSequenceNumber: '05' },
      courseName: '线性代数(B)', englishCourseName: 'Linear\r\nAlgebra', credit: 2.5, cj: '不及格', courseScore: 52,
      gradePointScore: 0, notByReasonName: '成绩不及格',
    },
    { id: { coureNumber: 'SY3201006' }, courseName: '科技文献检索', credit: '.5', cj: ' ', courseScore: 71 },
    { id: null, courseName: '缓考课程', cj: '缓考', courseScore: '', gradePointScore: ' ' },
    {
      id: { executiveEducationPlanNumber: '2024-2025-3-1', courseNumber: 'SY3203002', coureSequenceNumber: '05' },
      courseName: '军事技能', courseAttributeName: '必修', credit: '2', cj: '合格',
    },
    null,
  ];
  const major = { cjlx: '2023级计算机科学与技术本科培养方案', cjbh: 7352, yxxf: '41.5', zms: '5', tgms: null };
  return [
    { ...major, cjList: rows },
    { cjlx: '2024级法学本科培养方案(辅修)', cjbh: '7410', cjList: [both] },
    { cjlx: '其他', cjList: null },
    'x',
  ];
};
