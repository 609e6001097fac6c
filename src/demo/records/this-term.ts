import { type Attended, gradePointOf, markOf } from './attended.ts';
import { codeOf, dayDigits, type Present } from './calendar.ts';
import type { Programme } from './programmes.ts';

export interface DemoCurrentScore {
  /** Null: an entry of the list that is not a row. */
  readonly row: Readonly<Record<string, unknown>> | null;
  /** The four values by which its components are asked for: term, course, class and exam time, byte for byte. */
  readonly key: readonly [string, string, string, string];
  /** Null: the mark is not published. */
  readonly components: readonly unknown[] | null;
  readonly weights?: readonly unknown[];
}

export type StudentCurrentScores = readonly DemoCurrentScore[];

const STUDENTS_OF_A_CLASS = 78;
const CLASS_AVERAGE = 76;

/** Three marks whose weighted mean is that of the course; a mark in words has the usual work only. */
const componentsOf = (mark: string): DemoCurrentScore['components'] => {
  const total = Number(mark);
  const marks = Number.isFinite(total)
    ? { pscj: total + 2, qzcj: total - 3, qmcj: total, zcj: total }
    : { pscj: mark, qzcj: null, qmcj: null, zcj: mark };
  return [{ id: { scoreTypeCode: '001' }, ...marks, remark: null }];
};

const WEIGHTS = [
  {
    id: { scoreTypeCode: '001' },
    usualScoreCoefficient: '0.3',
    midtermScoreCoefficient: '0.2',
    endtermScoreCoefficient: '0.5',
    scoreCoefficient: '1',
  },
] as const;

const figuresOf = (each: Attended) => {
  const mark = Number(markOf(each.course));
  if (!each.isPublished) return { gradePoint: null, avgcj: null, maxcj: null, mincj: null, rank: null };
  const place = {
    avgcj: `${CLASS_AVERAGE}.50`,
    maxcj: 98,
    mincj: 41,
    rank: `${Math.max(1, 99 - mark)}/${STUDENTS_OF_A_CLASS}`,
  };
  return { gradePoint: gradePointOf(each.course), ...(Number.isFinite(mark) ? place : {}) };
};

export const scoreOf =
  (userid: string, isDetailed: boolean) =>
  (each: Attended): DemoCurrentScore => {
    const { code, sequence, name, english, credits, hours, nature, exam } = each.course;
    const examtime = dayDigits(each.examDay);
    const term = codeOf(each.term);
    return {
      row: {
        id: { executiveEducationPlanNumber: term, courseNumber: code, examtime, studentNumber: userid },
        coureSequenceNumber: sequence,
        courseName: name,
        englishCourseName: english,
        credit: credits,
        studyHour: hours,
        coursePropertyName: nature,
        examTypeName: exam,
        courseScore: each.isPublished ? markOf(each.course) : null,
        ...(isDetailed ? figuresOf(each) : {}),
      },
      key: [term, code, sequence, examtime],
      components: each.isPublished ? componentsOf(markOf(each.course)) : null,
      ...(isDetailed ? { weights: WEIGHTS } : {}),
    };
  };

export const currentScoresOf = (
  { isDetailed }: Programme,
  attended: readonly Attended[],
  { term }: Present,
  userid: string,
): StudentCurrentScores =>
  attended.filter((each) => each.term.firstDay === term.firstDay).map(scoreOf(userid, isDetailed));
