import type { Attended } from './attended.ts';
import { chineseDate, codeOf, nameOf, type Present } from './calendar.ts';
import { timeSpan } from './sections.ts';

/** A university exam. Without lines: an entry of the calendar that is not an exam. */
interface DemoExam {
  readonly day: number;
  /** Lines of the calendar entry: course, time, place. */
  readonly lines: readonly string[] | null;
  /**
   * Block of the exam page: heading, the text after the seat label (null: no such label), after the label of the
   * ticket, and in the hint. An exam without one has no block.
   */
  readonly block?: {
    readonly heading: string;
    readonly seat: string | null;
    readonly ticket?: string;
    readonly hint?: string;
  };
}

type ExamRow = Readonly<Record<string, unknown>>;

export interface StudentExams {
  readonly university: readonly DemoExam[];
  /** Rows by term, as sent: values of any type. A term that is not listed: `records` is null. */
  readonly others: ReadonlyMap<string, readonly ExamRow[]>;
}

const CAMPUS = '东校区';
const SEATS = 60;

const universityExam = ({ course, examDay, examTime }: Attended, index: number): DemoExam => ({
  day: examDay,
  lines: [course.name, examTime, CAMPUS, course.room],
  block: {
    heading: `（${course.code}-${course.sequence}）${course.name}`,
    seat: `&nbsp;${((examDay + index * 7) % SEATS) + 1}<br>准考证号：`,
  },
});

const otherExam = ({ course, term, examDay }: Attended, name: string, index: number): ExamRow => ({
  ZXJXJHH: codeOf(term),
  ZXJXJHM: nameOf(term),
  KSMC: '随堂考试',
  KCH: course.code,
  KCM: course.name,
  KXH: course.sequence,
  XM: name,
  KSDD: `${CAMPUS} ${course.room}`,
  KSRQ: chineseDate(examDay),
  KSSJ: course.slots[0] ? timeSpan(course.slots[0]) : null,
  BZ: '开卷',
  RN: `${index + 1}`,
});

/** The exams of the term: by the university in separate weeks, by the faculty in the last class. */
export const examsOf = (attended: readonly Attended[], { term }: Present, name: string): StudentExams => {
  const current = attended.filter((each) => each.term.firstDay === term.firstDay);
  const tested = current.filter(({ course }) => course.isTested);
  return {
    university: current.filter(({ course }) => course.exam === '考试').map(universityExam),
    others:
      tested.length === 0
        ? new Map()
        : new Map([[codeOf(term), tested.map((each, index) => otherExam(each, name, index))]]),
  };
};
