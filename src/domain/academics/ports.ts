import type { ExamWindow } from './exams.ts';
import type { CourseExtras } from './records.ts';

export interface ExamTerm {
  /** Term of the other exams. */
  readonly termCode: string;
  /** Days of the university exams. */
  readonly window: ExamWindow;
}

export interface ExamQuery {
  /** Epoch ms. */
  readonly now: number;
  /** Which term: reads it where it is not known yet. A client that learns it from its own pages need not ask. */
  readonly ofTerm: () => Promise<ExamTerm>;
  /** Decides the day of a moment that the campus states by another clock. */
  readonly timeZone: string;
}

export interface AcademicSummary {
  readonly coursesTaken: number;
  /** Null where the campus states none, here and below. */
  readonly coursesFailed: number | null;
  readonly coursesPending: number;
  readonly gpa: number;
  /** Term code `2025-2026-1-1`, `""` when unknown. */
  readonly currentTerm: string;
  /** Average mark, 0 to 100. */
  readonly averageScore: number | null;
  /** Place by average mark, from 1, of how many. */
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

/** A teaching session of the day. Times are `HHMM`, the length is minutes as text. */
export interface TimeSlot {
  readonly session: number;
  readonly name: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly length: string;
  readonly block: number;
}

/** The part of a timetable that is the same for all students. */
export interface SectionTimes {
  readonly slots: readonly TimeSlot[];
  /** Null where the page has no section block. */
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
  /** 24 characters `0` or `1`, from week 1. */
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
  readonly extras?: CourseExtras;
}

export interface CourseTable {
  readonly totalCredits: number;
  readonly courses: readonly ScheduledCourse[];
}

export interface Schedule extends CourseTable {
  readonly sections: SectionTimes;
}

export interface CourseSelection {
  readonly open: boolean;
}

/** Names a score of this term. The campus shows its components only for all four, unchanged. */
export interface CurrentScoreKey {
  readonly termCode: string;
  readonly courseCode: string;
  readonly courseClass: string;
  /** A code of the campus, blanks included. */
  readonly examTime: string;
}
