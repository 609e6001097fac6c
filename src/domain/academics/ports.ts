import type { ExamWindow } from './exams.ts';
import type { TrainingPlan } from './plans.ts';
import type { CourseExtras } from './records.ts';

export interface ExamQuery {
  /** Term of the other exams. */
  readonly termCode: string;
  /** Days of the university exams. */
  readonly window: ExamWindow;
  /** Epoch ms. */
  readonly now: number;
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
