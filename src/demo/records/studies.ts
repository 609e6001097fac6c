import { type Attended, averageOf, entryOf, gradePointOf, hasPassed, listAttended, numberOf } from './attended.ts';
import { codeOf, type DemoTerm, nameOf, type Present } from './calendar.ts';
import { type DemoEvaluationCourse, evaluationOf } from './evaluation.ts';
import { examsOf, type StudentExams } from './exams.ts';
import { plansOf, type StudentPlans } from './plans.ts';
import { classNameOf, type Programme } from './programmes.ts';
import { currentScoresOf, type StudentCurrentScores } from './this-term.ts';
import { timetableOf } from './timetable.ts';
import { type WholeRecordGroups, wholeRecordOf } from './whole-record.ts';

/** An option of the term list. `label` is HTML as the page carries it. */
export interface TermOption {
  readonly code: string;
  readonly label: string;
  readonly selected?: boolean;
}

export type EmptyScores = 'list null' | 'list missing' | 'list without members' | 'records null' | 'no records';

/** The scores of one term: rows as sent, odd ones included, or the shape of their absence. */
export type ScoreSheet = readonly unknown[] | EmptyScores;

/** Values of type unknown are sent as they are. */
export interface Studies {
  readonly summary: Readonly<Record<string, unknown>>;
  /** Newest first. */
  readonly terms: readonly TermOption[];
  /** Counts of the score pages arrive as text. */
  readonly countsAsText: boolean;
  /** By term code, newest first. A term that is not listed has no records. */
  readonly scores: ReadonlyMap<string, ScoreSheet>;
  /** Null: an empty timetable. */
  timetable(term: string): unknown;
  readonly plans: StudentPlans;
  readonly exams: StudentExams;
  readonly currentScores: StudentCurrentScores;
  readonly wholeRecord: WholeRecordGroups;
  /** Lines of the student's file, label by label; far more than a client needs. */
  readonly file: ReadonlyArray<readonly [label: string, html: string]>;
  readonly evaluation: readonly DemoEvaluationCourse[];
  /** Course selection is open while this is 1. */
  readonly selection: string | number;
}

const summaryOf = ({ rank }: Programme, attended: readonly Attended[], { term }: Present) => {
  const done = attended.filter(({ isPublished }) => isPublished).map(({ course }) => course);
  return {
    courseNum: done.filter(hasPassed).length,
    coursePas: done.filter((course) => !hasPassed(course)).length,
    gpa: averageOf(done, gradePointOf),
    courseNum_bxqyxd: attended.filter((each) => each.term.firstDay === term.firstDay).length,
    zxjxjhh: codeOf(term),
    sspjf_jd: averageOf(done, numberOf),
    sspjf_pm: rank[0],
    sspjf_rs: rank[1],
  };
};

const termsOf = (attended: readonly Attended[]): readonly DemoTerm[] =>
  [...new Map(attended.map(({ term }) => [term.firstDay, term])).values()].sort(
    (one, other) => other.firstDay - one.firstDay,
  );

const termOptions = (attended: readonly Attended[], { term }: Present): readonly TermOption[] => [
  { code: '', label: '全部' },
  ...termsOf(attended).map((each) =>
    each.firstDay === term.firstDay
      ? { code: codeOf(each), label: `${nameOf(each)}（当前）`, selected: true }
      : { code: codeOf(each), label: nameOf(each) },
  ),
];

export const scoreRow = ({ course, term }: Attended, index: number): readonly unknown[] => {
  const { code, sequence, name, english, credits, hours, nature, exam, marks } = course;
  const [score, retake, makeup] = marks.map((mark) => mark || null);
  return [
    index + 1,
    codeOf(term),
    code,
    sequence,
    name,
    english,
    `${credits}`,
    hours,
    nature,
    exam,
    score,
    retake,
    makeup,
  ];
};

const scoreSheets = (attended: readonly Attended[]): ReadonlyMap<string, ScoreSheet> =>
  new Map(
    termsOf(attended).map((term) => {
      const rows = attended.filter((each) => each.isPublished && each.term.firstDay === term.firstDay);
      return [codeOf(term), rows.length === 0 ? 'no records' : rows.map(scoreRow)];
    }),
  );

interface Student {
  readonly userid: string;
  readonly name: string;
  readonly selection: string | number;
}

const fileOf = (programme: Programme, entry: number, { userid, name }: Student): Studies['file'] => [
  ['学号：', userid],
  ['姓名：', name],
  ['身份证号', `<a onclick="showPlaintext('MARKER-IDENTITY-${userid}')">110***********0011</a>`],
  ['联系电话', `MARKER-PHONE-${userid}`],
  ['家庭住址', `MARKER-ADDRESS-${userid}`],
  ['家长姓名', `MARKER-PARENT-${userid}`],
  ['院系：', programme.home.college],
  ['专 业', programme.home.major],
  ['班级', classNameOf(programme, entry)],
  ['校区', '东校区&nbsp;'],
  ['年级', `${entry}级`],
];

export const studiesOf = (programme: Programme, student: Student, present: Present): Studies => {
  const attended = listAttended(programme, present);
  const entry = entryOf(present.term);
  return {
    summary: summaryOf(programme, attended, present),
    terms: termOptions(attended, present),
    countsAsText: false,
    scores: scoreSheets(attended),
    timetable: (term) => timetableOf(programme, entry, attended, term, student.userid),
    plans: plansOf(programme, entry, attended),
    exams: examsOf(attended, present, student.name),
    currentScores: currentScoresOf(programme, attended, present, student.userid),
    wholeRecord: wholeRecordOf(programme, entry, attended, student.userid),
    file: fileOf(programme, entry, student),
    evaluation: evaluationOf(programme, attended, present),
    selection: student.selection,
  };
};
