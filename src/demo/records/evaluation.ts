/** A course that its student may evaluate. `done` changes when an evaluation is submitted. */
export interface DemoEvaluationCourse {
  readonly staffNumber: string;
  readonly teacher: string;
  readonly sequence: string;
  readonly contentNumber: string;
  readonly courseName: string;
  readonly questionnaire: { readonly number: string; readonly name: string };
  /** The list sends null for the questionnaire and names it among the identifiers instead. */
  readonly questionnaireHidden?: boolean;
  /** Refuses every submission with this text. */
  readonly refusal?: string;
  done: boolean;
  /** Submissions that arrived, and those of them that were stored. */
  received?: number;
  stored?: number;
  /** The answers that were stored, by name of the question. */
  answers?: ReadonlyMap<string, string>;
}

const lecture = { number: '0000000121', name: '理论课评教问卷' } as const;
const practice = { number: '0000000134', name: '实践课评教问卷' } as const;

/** As many pending courses as a test needs, with both questionnaires by turns. */
export const manyEvaluationCourses = (count: number, refused: readonly number[]): DemoEvaluationCourse[] =>
  Array.from({ length: count }, (_, index) => ({
    staffNumber: String(20200000 + index),
    teacher: `教师${index + 1}`,
    sequence: '01',
    contentNumber: `PJ${String(index + 1).padStart(4, '0')}`,
    courseName: `评教课程${index + 1}`,
    questionnaire: index % 2 === 0 ? lecture : practice,
    ...(refused.includes(index + 1) ? { refusal: '系统错误，保存失败！' } : {}),
    done: false,
  }));

export const studentOneEvaluation = (code: (number: string) => string): DemoEvaluationCourse[] => [
  {
    staffNumber: '20080123',
    teacher: '周明',
    sequence: '02',
    contentNumber: code('3202001'),
    courseName: '数据结构',
    questionnaire: lecture,
    done: false,
  },
  {
    staffNumber: '20110456',
    teacher: '何岩',
    sequence: '05',
    contentNumber: code('3202002'),
    courseName: '线性代数(B)',
    questionnaire: practice,
    done: false,
  },
  {
    staffNumber: '20150789',
    teacher: '任远',
    sequence: '11',
    contentNumber: code('3202003'),
    courseName: '体育（二）',
    questionnaire: lecture,
    questionnaireHidden: true,
    done: true,
  },
];

export const studentTwoEvaluation = (): DemoEvaluationCourse[] =>
  (
    [
      ['沈若', '古代文学史（四）'],
      ['韩雪', '外国文学史'],
      ['严青', '训诂学'],
      ['卓玛', '民间文学'],
    ] as const
  ).map(([teacher, courseName], index) => ({
    staffNumber: `2009030${index}`,
    teacher,
    sequence: '01',
    contentNumber: `RW350200${index + 1}`,
    courseName,
    questionnaire: index === 3 ? practice : lecture,
    done: false,
  }));
