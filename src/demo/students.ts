import type { StudentAcademics } from './records/academics.ts';
import {
  noActivityScore,
  type StudentActivityScore,
  studentOneActivityScore,
  studentTwoActivityScore,
} from './records/activity-score.ts';
import { type StudentAwards, studentOneAwards, studentTwoAwards } from './records/awards.ts';
import { type DemoEvaluationCourse, studentOneEvaluation, studentTwoEvaluation } from './records/evaluation.ts';
import { type StudentExams, studentOneExams, studentTwoExams } from './records/exams.ts';
import { noLabor, type StudentLabor, studentOneLabor, studentTwoLabor } from './records/labor-club.ts';
import { type StudentPlans, studentOnePlans, studentTwoPlans } from './records/plans.ts';
import { studentOneAcademics } from './records/student-one.ts';
import { studentTwoAcademics } from './records/student-two.ts';
import { type StudentCurrentScores, studentOneCurrentScores, studentTwoCurrentScores } from './records/this-term.ts';

export interface DemoStudent {
  readonly userid: string;
  readonly name: string;
  password: string;
  vpnPassword: string;
  readonly academics: StudentAcademics;
  readonly plans: StudentPlans;
  readonly exams: StudentExams;
  readonly currentScores: StudentCurrentScores;
  evaluation: readonly DemoEvaluationCourse[];
  /** What there is to evaluate at the beginning of a term. */
  readonly newEvaluation: () => readonly DemoEvaluationCourse[];
  /** What the course-selection status says: open while it is 1. */
  readonly selection: string | number;
  readonly activityScore: StudentActivityScore;
  readonly labor: StudentLabor;
  readonly awards: StudentAwards;
}

interface NewStudent {
  readonly userid: string;
  readonly password: string;
  readonly vpnPassword: string;
  /** Without any row in activity score and labor club. */
  readonly newcomer?: boolean;
}

/** @param mark stands behind every course code, as in the other records of a copy */
const studentOneStudies = (mark: string) => {
  const code = (number: string): string => `KJ${number}${mark}`;
  return {
    plans: studentOnePlans(code),
    exams: studentOneExams(code),
    currentScores: studentOneCurrentScores(code),
    newEvaluation: () => studentOneEvaluation(code),
    selection: 1,
  };
};

const MOST_STUDENTS = 20_000;

/** The students of the campus. */
export class Students {
  readonly #students = new Map<string, DemoStudent>();
  #term: string | null = null;

  constructor() {
    this.#put({
      userid: '2023000001',
      name: '林晓',
      password: 'demo-password',
      vpnPassword: 'demo-vpn',
      academics: studentOneAcademics('2023000001', ''),
      ...studentOneStudies(''),
      activityScore: studentOneActivityScore('2023000001'),
      labor: studentOneLabor(),
      awards: studentOneAwards('2023000001'),
    });
    this.#put({
      userid: '2023000002',
      name: '顾言',
      password: 'demo-password-2',
      vpnPassword: 'demo-vpn-2',
      academics: studentTwoAcademics('2023000002'),
      plans: studentTwoPlans(),
      exams: studentTwoExams(),
      currentScores: studentTwoCurrentScores(),
      newEvaluation: studentTwoEvaluation,
      selection: '0',
      activityScore: studentTwoActivityScore('2023000002'),
      labor: studentTwoLabor(),
      awards: studentTwoAwards('2023000002'),
    });
  }

  get(userid: string): DemoStudent | null {
    return this.#students.get(userid) ?? null;
  }

  /** Adds a copy of the first student under another number, which stands behind every course code of the copy. */
  add({ userid, password, vpnPassword, newcomer = false }: NewStudent): void {
    if (this.#students.has(userid)) throw new Error(`demo student ${userid} exists`);
    if (this.#students.size >= MOST_STUDENTS) throw new Error('the demo campus is full');
    this.#put({
      userid,
      name: `林晓${userid}`,
      password,
      vpnPassword,
      academics: studentOneAcademics(userid, `-${userid}`),
      ...studentOneStudies(`-${userid}`),
      activityScore: newcomer ? noActivityScore() : studentOneActivityScore(userid),
      labor: newcomer ? noLabor() : studentOneLabor(),
      awards: studentOneAwards(userid),
    });
  }

  /** Called with the term of every answer: when it changes, everybody has new courses to evaluate. */
  beginTerm(term: string): void {
    const before = this.#term;
    this.#term = term;
    if (before === null || before === term) return;
    for (const student of this.#students.values()) student.evaluation = student.newEvaluation();
  }

  #put(student: Omit<DemoStudent, 'evaluation'>): void {
    this.#students.set(student.userid, { ...student, evaluation: student.newEvaluation() });
  }
}
