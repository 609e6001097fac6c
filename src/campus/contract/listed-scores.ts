import type { ScoreQuery } from '../../domain/academics/ports.ts';
import type { AcademicsCampus } from '../../domain/academics/reads.ts';
import {
  CurrentScore,
  type RecordRow,
  type ScorePage,
  ScoreRecord,
  type WholeRecord,
} from '../../domain/academics/records.ts';
import { mostRecordRows } from '../../domain/academics/score-marks.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { unsaidOf } from '../../domain/record.ts';
import { unreadable } from '../parsing/reading.ts';
import type { UpstreamSession } from './upstream-session.ts';

// For academic systems that answer with the list of scores as a whole: pages, filters and this term's list are ours.

export interface ListedScore {
  readonly row: RecordRow;
  /** The key back to this row, by which its components are asked for; `""`: by code and class. */
  readonly key: string;
}

/** @throws Failure `upstream-unreadable`: so many rows are not the record of one student */
export const checkScoreCount = <T extends ListedScore>(scores: readonly T[]): readonly T[] => {
  if (scores.length > mostRecordRows) throw unreadable('academics', 'more rows than a record can have');
  return scores;
};

/** Every score of an unlimited list that is of this term; all of them where the code is empty. */
export const scoresOfTerm = <T extends ListedScore>(scores: readonly T[], termCode: string): readonly T[] =>
  termCode === '' ? scores : scores.filter(({ row }) => row.term_id === termCode);

const scoreId = ({ row }: ListedScore) => ({
  term_id: row.term_id ?? '',
  course_code: row.course_code,
  course_class: row.course_class,
  course_name_cn: row.course_name_cn,
  course_name_en: row.course_name_en,
  credits: row.credits,
  hours: row.hours ?? 0,
  course_type: row.course_type,
  exam_type: row.exam_type ?? '',
  score: row.score,
});

const unsaidOfScore = unsaidOf(ScoreRecord);
const unsaidOfCurrentScore = unsaidOf(CurrentScore);

const scoreRecords = (scores: readonly ListedScore[]): ScoreRecord[] =>
  scores.map((score, at) => ({
    sequence: at + 1,
    ...scoreId(score),
    ...unsaidOfScore,
    retake_score: score.row.retake_score,
    makeup_score: score.row.makeup_score,
  }));

const scorePageOf = (scores: readonly ListedScore[], query: ScoreQuery): ScorePage => {
  const { courseCode, courseName, page, pageSize } = query;
  const found = scoreRecords(scores).filter(
    ({ course_code, course_name_cn }) => course_code.includes(courseCode) && course_name_cn.includes(courseName),
  );
  const records = found.slice((page - 1) * pageSize, page * pageSize);
  return { page_size: pageSize, page_num: page, total_count: found.length, records };
};

/** Figures and ranks of a class have no source. */
const currentScoresOf = (scores: readonly ListedScore[]): CurrentScore[] =>
  scores.map((score) => ({
    ...scoreId(score),
    ...unsaidOfCurrentScore,
    exam_time: score.key,
    grade_point: score.row.grade_point === null ? null : String(score.row.grade_point),
  }));

const wholeRecordOf = (scores: readonly ListedScore[]): WholeRecord => ({
  source: 'all_terms',
  groups: [],
  records: scores.map(({ row }) => row),
});

/** The row that a key of `CurrentScore` names: by the key of the campus, else by code and class. */
export const scoreNamed = <T extends ListedScore>(
  scores: readonly T[],
  { courseCode, courseClass, examTime }: { courseCode: string; courseClass: string; examTime: string },
): T | undefined =>
  scores.find(({ row, key }) => row.course_code === courseCode && row.course_class === courseClass && key === examTime);

type SessionWork<T> = (session: UpstreamSession) => Promise<T>;

interface ListOfScores<T extends ListedScore> {
  readonly within: <R>(student: Student, context: CallContext, work: SessionWork<R>) => Promise<R>;
  /** Those of a term; all of them for an empty code. */
  readonly scores: (session: UpstreamSession, termCode: string) => Promise<readonly T[]>;
  readonly currentScores: SessionWork<readonly T[]>;
}

/** Every read of scores, made of the one list. */
export const scoreReads = <T extends ListedScore>({ within, scores, currentScores }: ListOfScores<T>) =>
  ({
    allScores: (student, termCode, context) =>
      within(student, context, async (session) => scoreRecords(await scores(session, termCode))),
    scorePage: (student, query, context) =>
      within(student, context, async (session) => scorePageOf(await scores(session, query.termCode), query)),
    wholeRecord: (student, context) =>
      within(student, context, async (session) => wholeRecordOf(await scores(session, ''))),
    currentScores: (student, context) =>
      within(student, context, async (session) => currentScoresOf(await currentScores(session))),
  }) satisfies Partial<AcademicsCampus>;
