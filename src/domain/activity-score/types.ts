/** The total of a student's activity score, as the campus has computed it. */
export interface ActivityTotal {
  readonly score: number;
  /** The requirement for graduation is met. */
  readonly requirementMet: boolean;
  /** Why it is not met; usually `""` when it is. */
  readonly explanation: string;
}

export interface ActivityItem {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly studentId: string;
  readonly score: number;
  /** Text of the campus: `2024-03-15 10:30:00` or `2024/09/02`. */
  readonly addedAt: string;
}

export interface ActivityCategory {
  readonly id: string;
  readonly displayNumber: number;
  readonly name: string;
  readonly score: number;
  readonly items: readonly ActivityItem[];
}
