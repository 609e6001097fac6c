import type { CallContext, Student } from '../context.ts';
import type { EvaluationList } from '../evaluation/types.ts';
import type { CalendarText, TermStart } from './current-term.ts';
import type { ExamSources, ExamWindow } from './exams.ts';
import type { PlanCompletion, PlanEntry, PlanOption, TrainingPlan } from './plans.ts';
import type {
  CourseExtras,
  CurrentScore,
  ScoreComponent,
  ScorePage,
  ScoreRecord,
  StudentFile,
  Term,
  WholeRecord,
} from './records.ts';

export interface ExamQuery {
  /** Term of the other exams. */
  readonly termCode: string;
  /** Days of the university exams. */
  readonly window: ExamWindow;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * The port of academic affairs, implemented by campus/jwc. Every method throws `Failure`s
 * of the sign-in kinds, `upstream-unavailable`, `upstream-unreadable`, `session-lost` or `timed-out`; `summary`
 * and `trainingPlan` also `upstream-empty`, scores, plans, schedule and `evaluationCourses` also `upstream-refused`
 * {upstreamMessage}.
 */
export interface AcademicsCampus {
  summary(student: Student, context: CallContext): Promise<AcademicSummary>;
  /** In upstream order; never empty; exactly one is current. */
  terms(student: Student, context: CallContext): Promise<readonly Term[]>;
  scorePage(student: Student, query: ScoreQuery, context: CallContext): Promise<ScorePage>;
  /** All pages of 50, read one after the other within one session; the segment page is read once. */
  allScores(student: Student, termCode: string, context: CallContext): Promise<readonly ScoreRecord[]>;
  /**
   * Every score: the campus's own page of them where it has one, else the score list of all terms or of each. At most
   * 2,000 rows; more are `upstream-unreadable`.
   */
  wholeRecord(student: Student, context: CallContext): Promise<WholeRecord>;
  /** `upstream-unreadable` also for a page that is another student's. */
  studentFile(student: Student, context: CallContext): Promise<StudentFile>;
  /**
   * Course table, and the section times unless `knownSections` is given (then they are not asked for). Sections are
   * read beside the index and course requests of the same session. A failure names its `part`: `courses` or `sections`.
   */
  schedule(
    student: Student,
    termCode: string,
    knownSections: SectionTimes | null,
    context: CallContext,
  ): Promise<{ table: CourseTable; sections: SectionTimes }>;
  /** The first plan of the student. */
  trainingPlan(student: Student, context: CallContext): Promise<TrainingPlan>;
  /** A page with neither a readable tree nor a choice fails with the `part` `plan-tree`, here and below. */
  planEntry(student: Student, context: CallContext): Promise<PlanEntry>;
  /** A plan that the student's own page offers: no other may be asked for. */
  chosenPlan(student: Student, option: PlanOption, context: CallContext): Promise<PlanCompletion>;
  /** This term only: the campus shows no components of earlier ones. Failures also `upstream-refused`. */
  currentScores(student: Student, context: CallContext): Promise<readonly CurrentScore[]>;
  /** Empty for a score that is not published, and for a key that is not the student's: the campus tells no difference. */
  scoreComponents(student: Student, key: CurrentScoreKey, context: CallContext): Promise<readonly ScoreComponent[]>;
  courseSelection(student: Student, context: CallContext): Promise<CourseSelection>;
  calendarText(student: Student, context: CallContext): Promise<CalendarText>;
  termStart(student: Student, context: CallContext): Promise<TermStart>;
  /** The failure of one source is part of the answer; thrown is what concerns the call as a whole. */
  exams(student: Student, query: ExamQuery, context: CallContext): Promise<ExamSources>;
  /** All courses, evaluated ones included; empty while the season is over. */
  evaluationCourses(student: Student, context: CallContext): Promise<EvaluationList>;
}

/** A plan, and how far the student has come at a glance; null when only the plan could be had. */
export interface PlanOverview {
  readonly plan: TrainingPlan;
  readonly summary: AcademicSummary | null;
}

/** A student's courses and average at a glance. */
export interface AcademicSummary {
  readonly coursesTaken: number;
  /** Null where the campus does not say. */
  readonly coursesFailed: number | null;
  readonly coursesPending: number;
  readonly gpa: number;
  /** Term code `2025-2026-1-1`, `""` when unknown. */
  readonly currentTerm: string;
  /** Average mark, 0 to 100, as the campus has it. Null where it has none. */
  readonly averageScore: number | null;
  /** Place by average mark, 1 is best, and how many students have one; each of them null where the campus has none. */
  readonly rank: number | null;
  readonly rankTotal: number | null;
}

export interface ScoreQuery {
  readonly termCode: string;
  readonly courseCode: string;
  readonly courseName: string;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** One teaching session of the day. Times are `HHMM`, length is minutes as text. */
export interface TimeSlot {
  readonly session: number;
  readonly name: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly length: string;
  readonly block: number;
}

/** The part of the timetable page that is the same for all students. */
export interface SectionTimes {
  readonly slots: readonly TimeSlot[];
  /** Null when the page carries no section block. */
  readonly semester: {
    readonly totalWeeks: string;
    readonly weekDescription: string;
    readonly totalSessions: string;
    readonly firstDay: string;
  } | null;
}

export interface CoursePlace {
  /** 1 Monday … 7 Sunday. */
  readonly weekday: number;
  readonly firstSession: number;
  readonly sessionCount: number;
  /** 24 characters `0`/`1`; the first is week 1. */
  readonly weekMask: string;
  readonly weekDescription: string;
  readonly campus: string;
  readonly building: string;
  readonly room: string;
}

export interface ScheduledCourse {
  readonly name: string;
  readonly code: string;
  readonly sequence: string;
  readonly teachers: string;
  readonly nature: string;
  readonly examType: string;
  readonly credits: number;
  /** Empty: the course has no concrete time. */
  readonly places: readonly CoursePlace[];
  /** Left out: the campus says none of it. */
  readonly extras?: CourseExtras;
}

export interface CourseTable {
  readonly totalCredits: number;
  readonly courses: readonly ScheduledCourse[];
}

export interface Schedule extends CourseTable {
  readonly sections: SectionTimes;
}

/** Whether courses can be chosen at the moment. */
export interface CourseSelection {
  readonly open: boolean;
}

/** Names a score of this term: the campus shows its components only for all four sent unchanged. */
export interface CurrentScoreKey {
  readonly termCode: string;
  readonly courseCode: string;
  readonly courseClass: string;
  /** A code of the campus, blanks included. */
  readonly examTime: string;
}
