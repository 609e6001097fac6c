import { dayText, weekdayOf } from '../../lib/time.ts';
import { entryOf } from './attended.ts';
import { chineseDate, codeOf, dayDigits, endOf, nameOf, type Present, termIn } from './calendar.ts';
import { damagedPlans } from './damaged-plans.ts';
import { damagedScores } from './damaged-scores.ts';
import { damagedTimetable } from './damaged-timetables.ts';
import { type DemoEvaluationCourse, lecture, makeUnsubmitted, practice } from './evaluation.ts';
import type { StudentExams } from './exams.ts';
import type { Studies } from './studies.ts';
import type { DemoCurrentScore, StudentCurrentScores } from './this-term.ts';
import { damagedWholeRecord } from './whole-record.ts';

const TERMS_BEFORE = 7;

const termBack = ({ term }: Present, back: number) => {
  const number = term.year * 3 + term.season - 1 - back;
  return termIn(Math.floor(number / 3), (number % 3) + 1);
};

/** Labels with blanks, entities and line feeds, an option twice, one without a code. */
const termsOf = (present: Present): Studies['terms'] => {
  const option = (back: number) => {
    const term = termBack(present, back);
    return { code: codeOf(term), label: nameOf(term) };
  };
  const current = option(0);
  const older = Array.from({ length: TERMS_BEFORE }, (_, index) => option(index + 1));
  return [
    { code: '', label: '全部' },
    option(-1),
    { ...current, label: `\r\n\t\t${current.label}（当前）\r\n\t`, selected: true },
    ...older.map(({ code, label }, index) => {
      if (index === 2) return { code, label: `${label}&nbsp;` };
      return { code, label: index === 3 ? label.replace('学', '&#23398;') : label };
    }),
    option(TERMS_BEFORE),
    { code: '   ', label: '（请选择）' },
  ];
};

const EXAM_DAYS = 5;
/** Longer than any client reads. */
const LONG_HINT = '携带学生证、身份证与黑色签字笔，提前十五分钟入场。'.repeat(30);
const OTHER_ROWS = 33;
const place = (room: string): readonly string[] => ['东校区', '东校区明理楼', `明理楼-${room}`, ''];

/** Faculty exams in every spelling of a date, on more than a page. */
const otherExams = (present: Present) => {
  const { firstDay } = present.term;
  const june = (date: number): number => firstDay + 90 + date;
  const [year, month, date] = dayText(june(9)).split('-').map(Number);
  const row = (number: number, more: Readonly<Record<string, unknown>> = {}) => ({
    ZXJXJHH: codeOf(present.term),
    ZXJXJHM: nameOf(present.term),
    KSMC: '期末考核',
    KCH: `SY41010${String(number).padStart(2, '0')}`,
    KCM: `实验考核（第${number}场）`,
    KXH: '01',
    XM: '许诺',
    KSDD: '西校区 致远楼-101',
    KSRQ: chineseDate(june((number % 28) + 1)),
    KSSJ: '14:00-15:30',
    BZ: null,
    RN: String(number),
    ...more,
  });
  return [
    row(1, { KCM: '形势与政策', KSRQ: chineseDate(firstDay - 58), BZ: '开卷' }),
    row(2, { KCM: '体育（四）', KSRQ: `${year}/${month}/${date}`, KSSJ: '第7-8节', KSDD: null }),
    row(3, { KCM: '口语测试', KSRQ: null, KSSJ: '另行通知', BZ: 3 }),
    row(4, { KCM: null, KSRQ: '', KSSJ: null }),
    ...Array.from({ length: OTHER_ROWS - 4 }, (_, index) => row(index + 5)),
  ];
};

/** Names that come twice, seats glued to other labels, an entry without a course. They move on once a week. */
const examsOf = (present: Present): StudentExams => {
  const { term, today } = present;
  const wednesday = today - weekdayOf(today) + 2;
  const from = Math.min(wednesday, endOf(term) - 1 - EXAM_DAYS);
  type Exam = StudentExams['university'][number];
  const exam = (inDays: number, lines: Exam['lines'], block?: Exam['block']): Exam => ({
    day: from + inDays,
    lines,
    ...(block === undefined ? {} : { block }),
  });
  const second = ['西校区', '西校区致远楼', '致远楼-102'];
  // biome-ignore format: an exam, and its block, a line
  const university = [
    exam(2, ['线性代数(B)', '14:00-16:00', ...second],
      { heading: '（SY1102004-02）线性代数(B)', seat: '07准考证号：' }),
    exam(1, ['高等数学（下）', '08:30-10:30', ...place('308')],
      { heading: '（SY1102002-01）高等数学（下）', seat: '&nbsp;18<br>准考证号：', hint: LONG_HINT }),
    exam(4, ['线性代数(B)', '14:00-16:00', ...place('204')],
      { heading: '(SY1102004-09)线性代数（B）', seat: '31<br>考试提示信息：补考' }),
    exam(3, ['数据结构', '10:00-12:00', ...place('101')],
      { heading: '(SY2202001)数据结构', seat: null, ticket: ' 2026-0071 ' }),
    exam(5, ['大学英语（四）'], { heading: '大学英语（四）', seat: null }),
    exam(6, null),
    exam(3_000, ['很久以后的考试', '08:30-10:30', ...place('101')]),
  ];
  return {
    university,
    others: new Map([[codeOf(term), otherExams(present)]]),
  };
};

const part = (code: string | null, marks: Readonly<Record<string, unknown>>) => ({
  id: code === null ? null : { scoreTypeCode: code },
  ...marks,
});

const COMPONENTS = [
  part('001', { pscj: 90, qzcj: 82, qmcj: 88.5, zcj: 87.3, remark: null }),
  part('002', { pscj: '85', qzcj: ' ', qmcj: null, zcj: '86', remark: ' 实验六次 ' }),
  null,
  part(null, { zcj: {} }),
];

/** In another order than the components, with an invalid entry. */
// biome-ignore format: a part a line
const WEIGHTS = [
  part('002', { usualScoreCoefficient: '1', scoreCoefficient: 0.4 }),
  'x',
  part('001', { usualScoreCoefficient: '.3', midtermScoreCoefficient: '.2', endtermScoreCoefficient: '.5', scoreCoefficient: '.6' }),
];

/** Blanks around values, numbers for text, a mark in words, one not yet published, invalid entries. */
const currentScores = ({ term }: Present): StudentCurrentScores => {
  const code = codeOf(term);
  const day = (week: number): string => dayDigits(term.firstDay + week);
  const score = (
    [course, sequence, examtime]: readonly [string, string, string],
    row: Readonly<Record<string, unknown>>,
    components: DemoCurrentScore['components'],
    weights: readonly unknown[] = [],
  ): DemoCurrentScore => ({
    row: {
      id: { executiveEducationPlanNumber: code, courseNumber: course, examtime },
      coureSequenceNumber: sequence,
      credit: 3,
      studyHour: 48,
      coursePropertyName: '必修',
      examTypeName: '考试',
      ...row,
    },
    key: [code, course, sequence, examtime],
    components,
    weights,
  });
  // biome-ignore format: a group of cells a line
  const structures = {
    courseName: '数据结构', englishCourseName: 'Data Structures', courseScore: ' 87 ', gradePoint: 3.7,
    avgcj: '81.20', maxcj: 99, mincj: '40', rank: '3/78',
  };
  // biome-ignore format: a group of cells a line
  const sports = {
    courseName: '体育（六）', englishCourseName: null, credit: '1.0', studyHour: '32.0', examTypeName: null,
    courseScore: '优秀', gradePoint: ' ',
  };
  const algebra = { courseName: '线性代数(B)', courseScore: null, avgcj: null };
  return [
    score(['SY3202001', '02', ` ${day(100)} `], structures, COMPONENTS, WEIGHTS),
    score(['SY3202004', '11', '1'], sports, []),
    { row: null, key: ['', '', '', ''], components: null },
    score(['SY3202002', '05', day(102)], algebra, null),
  ];
};

const evaluation = (): DemoEvaluationCourse[] => {
  const course = (staffNumber: string, teacher: string, sequence: string, code: string, courseName: string) => {
    const contentNumber = `SY${code}`;
    return { staffNumber, teacher, sequence, contentNumber, courseName, questionnaire: lecture, ...makeUnsubmitted() };
  };
  return [
    course('20080123', '周明', '02', '3202001', '数据结构'),
    { ...course('20110456', '何岩', '05', '3202002', '线性代数(B)'), questionnaire: practice },
    { ...course('20150789', '任远', '11', '3202003', '体育（二）'), questionnaireHidden: true, done: true },
  ];
};

/** Records with everything that can be odd about a page. They are in the current term. */
export const damagedStudies = (userid: string, present: Present): Studies => {
  const codes = Array.from({ length: TERMS_BEFORE + 1 }, (_, back) => codeOf(termBack(present, back)));
  return {
    summary: {
      courseNum: '38',
      coursePas: null,
      gpa: '3.42',
      courseNum_bxqyxd: 9,
      zxjxjhh: codeOf(present.term),
      sspjf_jd: '85.37',
      sspjf_pm: 21,
      sspjf_rs: null,
    },
    terms: termsOf(present),
    countsAsText: true,
    scores: damagedScores((back) => codeOf(termBack(present, back))),
    timetable: (term) => damagedTimetable(codes.indexOf(term), term, userid, present.term.weeks),
    plans: damagedPlans(entryOf(present.term)),
    exams: examsOf(present),
    currentScores: currentScores(present),
    wholeRecord: damagedWholeRecord(codeOf(termBack(present, 1))),
    file: [
      ['姓名', `<span>许<b>***</b></span><a onclick="showPlaintext('MARKER-NAME-${userid}')">查看</a>`],
      ['学院', ' '],
      ['系所', '信息&amp;工程'],
      ['行政班', `计科231${'。'.repeat(200)}`],
      ['年级', '不详'],
    ],
    evaluation: evaluation(),
    selection: '1',
  };
};
