import type { TrainingPlan } from './training-plan.ts';

export interface PlanCourse {
  readonly flagId: string;
  readonly flagType: string;
  /** `""` when the campus gives none. */
  readonly code: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'unread';
  readonly credits: number | null;
  /** A number or a word grade. */
  readonly score: string | null;
  /** `YYYYMMDD`. */
  readonly examDate: string | null;
  readonly type: string;
  /** Id of the node above; `-1` at the root. */
  readonly parentId: string;
  /** 2 course of the catalogue, 0 unknown. */
  readonly level: number;
}

/** A part of the plan. The numbers are those that the campus prints; 0 where it prints none. */
export interface PlanCategory {
  readonly flagId: string;
  readonly name: string;
  readonly minCredits: number;
  readonly completedCredits: number;
  readonly totalCourses: number;
  readonly passedCourses: number;
  readonly failedCourses: number;
  readonly missingRequiredCourses: number;
  readonly subcategories: readonly PlanCategory[];
  readonly courses: readonly PlanCourse[];
}

/** How far a student has come in a plan. The counts are those of the courses in the whole tree. */
export interface PlanCompletion {
  /** Id of the plan among several, null for the only one. */
  readonly planId: string | null;
  readonly plan: TrainingPlan;
  readonly categories: readonly PlanCategory[];
  readonly totalCourses: number;
  readonly passedCourses: number;
  readonly failedCourses: number;
  readonly unreadCourses: number;
}

/** No course is passed: so it is for a student who has just begun, and so the campus shows some plans to others. */
export const nothingPassed = ({ totalCourses, passedCourses }: PlanCompletion): boolean =>
  totalCourses > 0 && passedCourses === 0;
