import { dayNumber, dayText } from '../../lib/time.ts';
import { type SchoolTerm, schoolTerms } from '../school-terms.ts';

/** Courses and marks are made up. */
export interface JwglxtStudent {
  readonly id: string;
  readonly password: string;
  readonly name: string;
  /** Tells the two apart: their courses, marks and rooms differ. */
  readonly at: number;
}

export const jwglxtStudents: readonly JwglxtStudent[] = [
  { id: 'Z2026001', password: 'zhengfang-password', name: '林晓', at: 0 },
  { id: 'Z2026002', password: 'zhengfang-password-2', name: '苏禾', at: 1 },
];

/** The product numbers the terms of a year like this; the third is a short one in summer. */
export const termNumbers = { 1: '3', 2: '12', 3: '16' } as const;

export const termsOn = (today: string): SchoolTerm[] => schoolTerms(today, 4);

interface Lesson {
  readonly code: string;
  readonly name: string;
  readonly mark: string;
  readonly english: string;
  readonly credits: string;
  readonly kind: string;
  readonly teachers: string;
  readonly group: string;
  readonly remark: string;
  /** Day, sessions, weeks in words, weeks as bits, room. */
  readonly places: ReadonlyArray<readonly [string, string, string, string, string]>;
}

const lesson = (
  [code, name, english, credits, kind, teachers, group]: readonly [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ],
  places: Lesson['places'],
  { mark = '', remark = '无' } = {},
): Lesson => ({ code, name, english, credits, kind, teachers, group, places, mark, remark });

const lessons: readonly Lesson[] = [
  lesson(
    ['ECO1201', '微观经济学', 'Microeconomics', '3.0', '必修', '周明,许静', '微观经济学-0001'],
    // Odd weeks and even ones, in two rooms.
    [
      ['1', '1-2', '1-8周(单),10周,12-16周(双)', '43605', '明理楼308'],
      ['3', '1-2,5-6', '2-16周(双)', '43690', '明理楼310'],
    ],
    { mark: '★' },
  ),
  lesson(
    ['MAT1102', '线性代数', 'Linear Algebra', '2.5', '必修', '何堤', '线性代数-0003'],
    [['2', '3-4', '1-16周', '65535', '求是楼204']],
  ),
  lesson(
    ['PED1001', '体育(二)', 'Physical Education', '1.0', '必修', '', '体育-0007'],
    [['5', '9', '2-4周,6-9周', '494', '未排地点']],
  ),
  // Goes on after what a mask of 24 weeks holds, and states no bits.
  lesson(
    ['LAW2104', '经济法', 'Economic Law', '2.0', '选修', '江澜', '经济法-0002'],
    [['4', '7-8', '20-26周', '', '明理楼112']],
    {
      remark: '后半学期开课',
    },
  ),
  // Of the second programme.
  lesson(
    ['PSY2001', '心理学导论', 'Psychology', '2.0', '选修', '江澜', '心理学导论-0001'],
    [['6', '1-4', '1-8周', '255', '求是楼101']],
  ),
];

const ownLessons = ({ at }: JwglxtStudent): readonly Lesson[] =>
  lessons.filter((_, index) => index !== (at % 2 === 0 ? 1 : 3));

/** The number of a class inside the product. */
const insideOf = ({ code }: Pick<Lesson, 'code'>, term: SchoolTerm): string =>
  Buffer.from(`${code}${term.year}${term.number}`).toString('hex').toUpperCase().padEnd(32, '0');

type Row = Readonly<Record<string, unknown>>;

export const timetableOf = (
  student: JwglxtStudent,
  term: SchoolTerm,
): { kbList: Array<Row | null>; sjkList: Row[] } => {
  if (!term.isCurrent) return { kbList: [], sjkList: [] };
  const kbList = ownLessons(student).flatMap((each) =>
    each.places.map(([xqj, jcs, zcd, oldzc, cdmc]) => ({
      kch: each.code,
      kch_id: 'FEDCBA9876543210FEDCBA9876543210',
      kcmc: `${each.name}${each.mark}`,
      jxbmc: each.group,
      jxb_id: insideOf(each, term),
      xm: each.teachers,
      xqmc: cdmc === '未排地点' ? '' : '东校区',
      cdmc,
      xqj,
      jcs,
      jc: `${jcs}节`,
      // Not what `jcs` says, as at real schools.
      jcor: '1-4',
      zcd,
      ...(oldzc === '' ? {} : { oldzc }),
      xf: each.credits,
      kcxz: each.kind,
      khfsmc: '考试',
      xkbz: each.remark,
    })),
  );
  const practice = {
    kcmc: '社会实践',
    jsxm: '许静',
    qsjsz: '17-18周',
    xf: '1.0',
    qtkcgs: '社会实践●许静(共2周)/17-18周/无',
  };
  return { kbList: [...kbList, null], sjkList: [practice] };
};

const beginnings = ['08:00', '08:55', '10:10', '11:05', '14:00', '14:55', '16:05', '17:00', '19:00', '19:55'];

export const sections = beginnings.map((qssj, at) => {
  const end = Number(qssj.slice(0, 2)) * 60 + Number(qssj.slice(3)) + 45;
  return {
    jcmc: String(at + 1),
    qssj,
    jssj: `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`,
  };
});

export const scoresOf = (student: JwglxtStudent, today: string): Row[] =>
  termsOn(today)
    .slice(0, 3)
    .flatMap((term, at) => {
      const ofTerm = {
        xh: student.id,
        xm: student.name,
        xnm: String(term.year),
        xnmmc: `${term.year}-${term.year + 1}`,
        xqm: termNumbers[term.number],
        xqmmc: String(term.number),
        ksxz: '正常考试',
        ksxzdm: '01',
        khfsmc: '考试',
      };
      const rowOf = (each: Lesson, marks: Row): Row => ({
        ...ofTerm,
        kch: each.code,
        kcmc: each.name,
        kcywmc: each.english,
        jxb_id: insideOf(each, term),
        jxbmc: each.group,
        xf: each.credits,
        kcxzmc: each.kind,
        kcbj: each.code === 'PSY2001' ? '辅修' : '主修',
        ...marks,
      });
      // Taught in a block, so that its mark is there before the end of the term.
      const early = lesson(['MIL1001', '军事理论', 'Military Theory', '1.0', '必修', '何堤', '军事理论-0001'], []);
      if (at === 0) return [rowOf(early, { cj: String(88 + student.at), bfzcj: 88 + student.at, jd: '3.80' })];
      const rows = ownLessons(student).map((each, index) => {
        if (each.code === 'PED1001') return rowOf(each, { cj: '优秀', bfzcj: '', xf: 1 });
        const mark = 62 + ((student.at * 7 + (index + at) * 17) % 37);
        const point = ((mark - 50) / 10).toFixed(2);
        // Numbers come as numbers and as text.
        return rowOf(each, { cj: String(mark), bfzcj: index % 2 === 0 ? mark : String(mark), jd: point });
      });
      const physics: Lesson = lesson(['PHY1001', '大学物理', 'Physics', '4.0', '必修', '何堤', '大学物理-0002'], []);
      const failed = rowOf(physics, { cj: '52', bfzcj: '52', jd: '0' });
      const madeUp = rowOf(physics, { cj: '58', bfzcj: 58, ksxz: '补考一', ksxzdm: '11' });
      // Taken again in another class, a term later.
      const again = rowOf(
        { ...physics, group: '大学物理-0009' },
        { cj: '71', bfzcj: '71', jd: '2.10', ksxz: '重修', ksxzdm: '16' },
      );
      const absent = rowOf(lesson(['ENG1001', '大学英语', 'English', '2.0', '必修', '许静', '大学英语-0004'], []), {
        cj: '缺考',
        bfzcj: '缺考',
        jd: '0',
      });
      // The later term states its number in words alone.
      const { xnm: _, xqm: __, ...inWords } = absent;
      return at === 2
        ? [...rows, failed, madeUp]
        : [...rows, again, { ...inWords, xqmmc: term.number === 1 ? '第一学期' : '第二学期' }];
    });

const components = (mark: string) => [
  ['平时', '40%', '77.5'],
  ['实验', '20%', '85'],
  ['期末', '40%', '90'],
  ['总评', '', mark],
];

/** The parts of a mark; none for a word. */
export const componentsOf = (student: JwglxtStudent, today: string, inside: string): string[][] => {
  const row = scoresOf(student, today).find(({ jxb_id }) => jxb_id === inside);
  return row !== undefined && /^\d/.test(String(row.cj)) ? components(String(row.cj)) : [];
};

/** Exams of this term: arranged, not arranged, and one that states nothing. */
export const examsOf = (student: JwglxtStudent, term: SchoolTerm): Row[] => {
  if (!term.isCurrent) return [];
  const name = `${term.year}-${term.year + 1}-${term.number}期末考试`;
  const first = dayNumber(term.firstDay) ?? 0;
  const arranged = ownLessons(student)
    .filter(({ code }) => ['ECO1201', 'MAT1102', 'LAW2104'].includes(code))
    .map((each, at) => ({
      xh: student.id,
      kch: each.code,
      kcmc: each.name,
      jxbmc: each.group,
      kssj: `${dayText(first + 18 * 7 + at * 2)}(09:00-11:00)`,
      cdmc: `明理楼30${at + 1}`,
      cdxqmc: '东校区',
      zwh: String(11 + at + student.at),
      ksmc: name,
      bz1: at === 0 ? '请携带学生证' : '',
    }));
  return [
    ...arranged,
    { kcmc: '体育(二)', kssj: '未安排', ksmc: name, zwh: '' },
    { kcmc: '线性代数', ksmc: `${term.year}-${term.year + 1}-${term.number}补考` },
  ];
};

export const fileOf = ({ id, name, at }: JwglxtStudent): ReadonlyArray<readonly [string, string]> => [
  ['学号', id],
  ['姓名', name],
  // Both concern the student and the school alone.
  ['证件号码', '110101200001010000'],
  ['银行卡号', '6222000000000000'],
  ['学院名称', at === 0 ? '经济学院' : '法学院'],
  ['专业名称', at === 0 ? '会计学' : '法学'],
  ['班级名称', at === 0 ? '会计231' : '法学232'],
  ['年级', '2023'],
];
