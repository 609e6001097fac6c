import { dayNumber, dayText } from '../../lib/time.ts';
import { type SchoolTerm, schoolTerms } from '../school-terms.ts';

/** Courses and marks are made up. */
export interface Eams5Student {
  readonly id: string;
  readonly password: string;
  readonly name: string;
  /** The school's own id, which is not the number. */
  readonly inside: number;
}

export const eams5Students: readonly Eams5Student[] = [
  { id: 'S2026001', password: 'shuwei-password', name: '林晓', inside: 152_113 },
  { id: 'S2026002', password: 'shuwei-password-2', name: '苏禾', inside: 152_287 },
];

/** Ids of terms are the school's own: neither a year nor in the order of terms. */
export const idOf = ({ year, number }: Pick<SchoolTerm, 'year' | 'number'>): number =>
  (number === 1 ? 171 : 191) + ((year * 7) % 40) * 50;

export const nameOf = ({ year, number }: SchoolTerm): string =>
  number === 1 ? `${year}-${year + 1}学年秋季学期` : `${year}-${year + 1}-2`;

/** Four terms, the last of which is one of the summer that its name does not place. */
export const termsOn = (today: string): SchoolTerm[] => schoolTerms(today, 4);

interface Lesson {
  readonly code: string;
  readonly lesson: string;
  readonly name: string;
  readonly english: string;
  readonly credits: number;
  readonly kind: string;
  readonly teachers: readonly string[];
  /** Day, first and last session, weeks, building and room. */
  readonly places: ReadonlyArray<readonly [number, number, number, readonly number[], string, string]>;
  readonly remark: string | null;
}

const weeks = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

const lessons: readonly Lesson[] = [
  {
    code: 'ECO1201',
    lesson: 'ECO1201.01',
    name: '微观经济学',
    english: 'Microeconomics',
    credits: 3,
    kind: '必修',
    teachers: ['周明', '许静'],
    // Odd weeks in one room, all of the second half in another.
    places: [
      [1, 1, 2, weeks(1, 9, 2), '明理楼', '308'],
      [3, 3, 4, weeks(10, 16), '明理楼', '310'],
    ],
    remark: null,
  },
  {
    code: 'MAT1102',
    lesson: 'MAT1102.03',
    name: '线性代数',
    english: 'Linear Algebra',
    credits: 2.5,
    kind: '必修',
    teachers: ['何堤'],
    places: [
      [2, 1, 2, weeks(1, 16), '求是楼', '204'],
      [4, 5, 6, weeks(2, 16, 2), '求是楼', '204'],
    ],
    remark: null,
  },
  {
    code: 'PED1001',
    lesson: 'PED1001.07',
    name: '体育(二)',
    english: 'Physical Education',
    credits: 1,
    kind: '必修',
    teachers: ['许静'],
    places: [[5, 9, 10, weeks(2, 9), '', '']],
    remark: null,
  },
  {
    code: 'LAW2104',
    lesson: 'LAW2104.02',
    name: '经济法',
    english: 'Economic Law',
    credits: 2,
    kind: '选修',
    teachers: ['江澜'],
    // Goes on after what a mask of 24 weeks holds.
    places: [[4, 7, 8, weeks(20, 26), '明理楼', '112']],
    remark: '后半学期开课',
  },
  {
    code: 'PRA3001',
    lesson: 'PRA3001.01',
    name: '社会实践',
    english: 'Field Work',
    credits: 1,
    kind: '实践',
    teachers: ['许静'],
    places: [],
    remark: '第17-18周，地点另行通知',
  },
];

const ownLessons = ({ inside }: Eams5Student): readonly Lesson[] =>
  lessons.filter((_, at) => at !== (inside % 2 === 1 ? 1 : 3));

type Activity = Readonly<Record<string, unknown>>;

/** One member a row of the school's table; a course without a place is one row without weeks. */
export const activitiesOf = (student: Eams5Student): Activity[] =>
  ownLessons(student).flatMap(({ places, ...lesson }, at): Activity[] => {
    const common = {
      lessonId: 9_000 + at,
      lessonCode: lesson.lesson,
      lessonName: lesson.name,
      courseCode: lesson.code,
      courseName: lesson.name,
      // Teachers come in both of the school's spellings.
      teachers: at % 2 === 0 ? lesson.teachers : lesson.teachers.map((nameZh) => ({ nameZh })),
      credits: at % 2 === 0 ? lesson.credits : String(lesson.credits),
      courseType: { nameZh: lesson.kind },
      lessonRemark: lesson.remark,
    };
    const nowhere = { weekday: null, startUnit: null, endUnit: null, weekIndexes: [], weeksStr: '' };
    const unplaced = { ...common, ...nowhere, campus: null, building: null, room: null };
    if (places.length === 0) return [unplaced];
    return places.map(
      ([weekday, startUnit, endUnit, held, building, room]): Activity => ({
        ...common,
        weeksStr: `${held[0]}~${held.at(-1)}`,
        weekIndexes: held,
        weekday,
        startUnit,
        endUnit,
        campus: room === '' ? null : '东校区',
        building: building || null,
        room: room || null,
      }),
    );
  });

const beginnings = [800, 855, 1010, 1105, 1400, 1455, 1605, 1700, 1900, 1955];

export const units = beginnings.map((startTime, at) => {
  const end = Math.floor(startTime / 100) * 60 + (startTime % 100) + 45;
  return {
    indexNo: at + 1,
    startTime,
    endTime: Math.floor(end / 60) * 100 + (end % 60),
    dayPart: at < 4 ? 'MORNING' : 'AFTERNOON',
  };
});

const markOf = ({ inside }: Eams5Student, at: number): number => 62 + ((inside + at * 17) % 37);

/** Scores of the terms before, newest first: numbers, a word, a retake as a separate row, one that is not published. */
export const gradesOf = (student: Eams5Student, today: string) =>
  termsOn(today)
    .slice(1, 3)
    .map((term, at) => {
      const rows = ownLessons(student).map(({ code, lesson, name, english, credits, kind }, index) => {
        const mark = code === 'PED1001' ? '优秀' : String(markOf(student, index + at));
        const point = code === 'PED1001' ? null : Math.round((Number(mark) - 50) * 10) / 100;
        const common = {
          lessonCode: lesson,
          gaGrade: mark,
          gp: point,
          passed: true,
          published: true,
          semesterName: nameOf(term),
        };
        const detail =
          code === 'ECO1201'
            ? { gradeDetail: '<span>平时成绩:90</span><span>期末成绩:87</span><span>实验:85</span>' }
            : {};
        // The two spellings of a course stand in one answer.
        return index % 2 === 0
          ? {
              course: { nameZh: name, nameEn: english, code, credits },
              courseType: { nameZh: kind },
              ...common,
              ...detail,
            }
          : { courseName: name, courseCode: code, credits: String(credits), courseType: kind, ...common, ...detail };
      });
      const failed = {
        courseName: '大学物理',
        courseCode: 'PHY1001',
        lessonCode: 'PHY1001.02',
        credits: '4',
        courseType: '必修',
        gaGrade: '52',
        gp: 0,
        passed: false,
        published: true,
        semesterName: nameOf(term),
      };
      const again = { ...failed, lessonCode: 'PHY1001.09', gaGrade: '71', gp: 2.1, passed: true };
      const hidden = { courseName: '大学英语', courseCode: 'ENG1001', credits: 2, gaGrade: null, published: false };
      return { term, rows: [...rows, at === 1 ? failed : again, ...(at === 0 ? [hidden] : [])] };
    });

export interface Eams5Exam {
  readonly id: number;
  readonly name: string;
  readonly lesson: string;
  /** `""`: not arranged. */
  readonly date: string;
  readonly span: readonly [string, string];
  readonly building: string;
  readonly room: string;
  readonly seat: number;
}

/** This term's exams, one of which is not arranged, and one of the term before. */
export const examsOf = (student: Eams5Student, today: string): Eams5Exam[] => {
  const [now, before] = termsOn(today);
  const dayOf = (term: SchoolTerm | undefined, behind: number): string =>
    dayText((dayNumber(term?.firstDay ?? today) ?? 0) + 18 * 7 + behind);
  const arranged = ownLessons(student)
    .filter(({ code, places }) => code !== 'PED1001' && places.length > 0)
    .slice(0, 2)
    .map(({ name, lesson }, at) => ({
      id: 70 + at,
      name,
      lesson,
      date: dayOf(now, at * 2),
      span: ['08:30', '10:30'] as const,
      building: '明理楼',
      room: `30${at + 1}`,
      seat: 11 + at + (student.inside % 7),
    }));
  const none = {
    id: 90,
    name: '体育(二)',
    lesson: 'PED1001.07',
    date: '',
    span: ['', ''] as const,
    building: '',
    room: '',
    seat: 0,
  };
  const earlier = {
    id: 60,
    name: '大学物理',
    lesson: 'PHY1001.02',
    date: dayOf(before, 1),
    span: ['14:00', '16:00'] as const,
    building: '求是楼',
    room: '101',
    seat: 5,
  };
  return [...arranged, none, earlier];
};
