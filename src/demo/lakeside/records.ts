import { dayNumber, dayText } from '../../lib/time.ts';
import { schoolTerms } from '../school-terms.ts';

/** Courses and marks are made up. */
export interface LakesideStudent {
  readonly id: string;
  readonly password: string;
  readonly name: string;
  readonly major: string;
}

export const lakesideStudents: readonly LakesideStudent[] = [
  { id: 'L2026001', password: 'lakeside-password', name: '湖小舟', major: '水利工程' },
  { id: 'L2026002', password: 'lakeside-password-2', name: '苇青', major: '环境科学' },
];

/** This term and the two before, newest first. */
export const termsOn = (today: string) =>
  schoolTerms(today).map(({ year, number, isCurrent, firstDay, weeks }) => ({
    code: `${year}-${number}`,
    name: `${year}—${year + 1} ${number === 1 ? '秋季' : '春季'}`,
    current: isCurrent,
    firstDay,
    weeks,
  }));

const beginnings = ['07:30', '08:30', '09:30', '10:30', '13:00', '14:00', '15:00', '16:00', '18:00', '19:00'];

const fiftyLater = (from: string): string => {
  const end = Number(from.slice(0, 2)) * 60 + Number(from.slice(3)) + 50;
  return [Math.floor(end / 60), end % 60].map((part) => String(part).padStart(2, '0')).join(':');
};

export const periods = beginnings.map((from, at) => ({
  no: at + 1,
  name: `第${at + 1}节`,
  from,
  to: fiftyLater(from),
  block: at < 4 ? 1 : at < 8 ? 2 : 3,
}));

const course = (row: readonly [string, string, string, number, string, number, number, string, string]) => {
  const [code, name, english, credits, teacher, day, from, weeks, room] = row;
  return { code, name, english, credits, hours: credits * 16, teachers: teacher.split('、'), day, from, weeks, room };
};

type LakesideCourse = ReturnType<typeof course>;
type LakesideTerm = ReturnType<typeof termsOn>[number];

const courses = [
  course(['LK101', '湖沼学', 'Limnology', 3, '陆远', 1, 1, '1-16', '101']),
  course(['LK102', '流体力学', 'Fluid Mechanics', 4, '沈波、陆远', 2, 3, '1-8,10-18', '204']),
  course(['LK103', '水文测量', 'Hydrometry', 2, '钱汐', 3, 5, '2-16', '实验室3']),
  course(['LK104', '环境法', 'Environmental Law', 2, '何堤', 4, 7, '1-10', '305']),
  course(['LK105', '统计与数据', 'Statistics', 3, '江澜', 5, 1, '1-20', '112']),
  course(['LK106', '科技写作', 'Technical Writing', 1, '汀兰', 5, 9, '11-20', '118']),
];

/** Students differ by a course and by their marks. */
const ownCourses = ({ id }: LakesideStudent): readonly LakesideCourse[] =>
  courses.filter((_, at) => at !== (id.endsWith('1') ? 3 : 4));

const markOf = ({ id }: LakesideStudent, { code }: LakesideCourse): number =>
  60 + ((Number(id.slice(-3)) * 17 + Number(code.slice(-3)) * 29) % 40);

export const timetableOf = (student: LakesideStudent) =>
  ownCourses(student).map(({ code, name, credits, teachers, day, from, weeks, room }) => ({
    code,
    name,
    class: '01',
    teachers,
    kind: '必修',
    examination: '考试',
    credits,
    places: [{ day, from, to: from + 1, weeks, campus: '湖畔校区', building: '涵虚楼', room }],
  }));

/** Of the terms before `today`'s; the current one has no marks yet. */
export const scoresOf = (student: LakesideStudent, today: string) =>
  termsOn(today)
    .slice(1)
    .flatMap(({ code: term }, at) =>
      ownCourses(student)
        .filter((_, index) => index % 2 === at)
        .map((each) => ({ term, each })),
    )
    .map(({ term, each }, at) => ({
      no: at + 1,
      term,
      course: { code: each.code, class: '01', name: each.name, english: each.english },
      credits: each.credits.toFixed(1),
      hours: each.hours,
      kind: '必修',
      examination: '考试',
      mark: String(markOf(student, each)),
      retake: null,
    }));

export const examsOf = (student: LakesideStudent, term: LakesideTerm) => {
  const last = (dayNumber(term.firstDay) ?? 0) + (term.weeks - 2) * 7;
  return ownCourses(student)
    .slice(0, 3)
    .map(({ name }, at) => ({
      name,
      date: dayText(last + at * 2),
      from: '09:00',
      to: '11:00',
      building: '涵虚楼',
      room: `10${at + 1}`,
      seat: String(at * 7 + Number(student.id.slice(-1))),
    }));
};

export const fileOf = (student: LakesideStudent, today: string) => {
  const marks = scoresOf(student, today).map(({ mark }) => Number(mark));
  const average = marks.reduce((sum, mark) => sum + mark, 0) / Math.max(marks.length, 1);
  return {
    id: student.id,
    name: student.name,
    college: '水科学学院',
    major: student.major,
    group: `${student.major}261`,
    campus: '湖畔校区',
    entryYear: 2026,
    standing: {
      taken: marks.length,
      failed: marks.filter((mark) => mark < 60).length,
      pending: ownCourses(student).length,
      gpa: Math.round((average - 50) * 10) / 100,
      average: Math.round(average * 10) / 10,
      rank: Number(student.id.slice(-1)),
      of: 64,
    },
  };
};
