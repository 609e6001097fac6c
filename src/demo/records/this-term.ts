/** A score of this term as sent, odd values included, and what the campus shows when it is asked for its components. */
interface DemoCurrentScore {
  /** Null: an entry of the list that is no row at all. */
  readonly row: Readonly<Record<string, unknown>> | null;
  /** The four values by which its components are asked for: term, course, class and exam time, byte for byte. */
  readonly key: readonly [string, string, string, string];
  /** Null: the mark is not published. */
  readonly components: readonly unknown[] | null;
  readonly weights?: readonly unknown[];
}

export type StudentCurrentScores = readonly DemoCurrentScore[];

const term = '2025-2026-2-1';

const score = (
  code: string,
  sequence: string,
  examTime: string,
  row: Readonly<Record<string, unknown>>,
  components: DemoCurrentScore['components'],
  weights: readonly unknown[] = [],
): DemoCurrentScore => ({
  row: {
    id: { executiveEducationPlanNumber: term, courseNumber: code, examtime: examTime },
    coureSequenceNumber: sequence,
    credit: 3,
    studyHour: 48,
    coursePropertyName: '必修',
    examTypeName: '考试',
    ...row,
  },
  key: [term, code, sequence, examTime],
  components,
  weights,
});

const part = (code: string | null, marks: Readonly<Record<string, unknown>>) => ({
  id: code === null ? null : { scoreTypeCode: code },
  ...marks,
});

/** Blanks around values, numbers for text, a mark in words, one not yet published, entries that are none. */
export const studentOneCurrentScores = (code: (number: string) => string): StudentCurrentScores => [
  score(
    code('3202001'),
    '02',
    ' 20260610 ',
    {
      courseName: '数据结构',
      englishCourseName: 'Data Structures',
      courseScore: ' 87 ',
      gradePoint: 3.7,
      avgcj: '81.20',
      maxcj: 99,
      mincj: '40',
      rank: '3/78',
    },
    [
      part('001', { pscj: 90, qzcj: 82, qmcj: 88.5, zcj: 87.3, remark: null }),
      part('002', { pscj: '85', qzcj: ' ', qmcj: null, zcj: '86', remark: ' 实验六次 ' }),
      null,
      part(null, { zcj: {} }),
    ],
    [
      part('002', { usualScoreCoefficient: '1', scoreCoefficient: 0.4 }),
      'x',
      part('001', {
        usualScoreCoefficient: '.3',
        midtermScoreCoefficient: '.2',
        endtermScoreCoefficient: '.5',
        scoreCoefficient: '.6',
      }),
    ],
  ),
  score(
    code('3202004'),
    '11',
    '1',
    {
      courseName: '体育（六）',
      englishCourseName: null,
      credit: '1.0',
      studyHour: '32.0',
      examTypeName: null,
      courseScore: '优秀',
      gradePoint: ' ',
    },
    [],
  ),
  { row: null, key: ['', '', '', ''], components: null },
  score(code('3202002'), '05', '20260612', { courseName: '线性代数(B)', courseScore: null, avgcj: null }, null),
];

/** As it should be, without what this campus may never send: grade point, figures of the class, weights. */
export const studentTwoCurrentScores = (): StudentCurrentScores => [
  score('RW3502001', '01', '20260611', { courseName: '古代文学史（四）', courseScore: 91 }, [
    part('001', { pscj: 92, qzcj: null, qmcj: 90, zcj: 91 }),
  ]),
];
