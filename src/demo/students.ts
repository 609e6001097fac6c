import {
  type ActivityScoreOf,
  damagedActivityScore,
  manyActivityScores,
  noActivityScore,
  studentOneActivityScore,
  studentTwoActivityScore,
} from './records/activity-score.ts';
import { type AwardsOf, damagedAwards, studentOneAwards, studentTwoAwards } from './records/awards.ts';
import { codeOf, FIXED_MOMENT, type Present, presentAt } from './records/calendar.ts';
import { damagedStudies } from './records/damaged-studies.ts';
import type { DemoEvaluationCourse } from './records/evaluation.ts';
import {
  damagedLabor,
  manyLabors,
  noLabor,
  type StudentLabor,
  studentOneLabor,
  studentTwoLabor,
} from './records/labor-club.ts';
import { chineseLiterature, computerScience, manyReadings, type Programme, withMark } from './records/programmes.ts';
import { type Studies, studiesOf } from './records/studies.ts';
import type { DemoSecondFactor, NewDemoStudent } from './types.ts';

interface Person {
  readonly userid: string;
  readonly name: string;
  password: string;
  vpnPassword: string;
  readonly labor: StudentLabor;
  readonly activityScore: ActivityScoreOf;
  readonly awards: AwardsOf;
}

export interface DemoStudent extends Person {
  studies(present: Present): Studies;
  /** Changes of the academic summary; undefined takes a member away. */
  readonly summaryChanges: Record<string, unknown>;
  readonly foreignPlans: string[];
  evaluation: readonly DemoEvaluationCourse[];
  secondFactor: DemoSecondFactor;
}

/** Kept for the day: pages of one day are made from one value. */
const perDay = <T>(make: (present: Present) => T): ((present: Present) => T) => {
  let kept: { readonly present: Present; readonly value: T } | undefined;
  return (present) => {
    const isSame = kept?.present.today === present.today && kept.present.term.firstDay === present.term.firstDay;
    if (!kept || !isSame) kept = { present, value: make(present) };
    return kept.value;
  };
};

const ofProgramme =
  (programme: Programme, { userid, name }: Person, selection: string | number) =>
  (present: Present): Studies =>
    studiesOf(programme, { userid, name, selection }, present);

const MOST_STUDENTS = 25_000;

export class Students {
  readonly #students = new Map<string, DemoStudent>();
  /** The term whose courses a student has to evaluate; set on request, because there may be thousands of students. */
  readonly #evaluating = new WeakMap<DemoStudent, string>();
  #present: Present = presentAt(FIXED_MOMENT, false);

  constructor() {
    const person = (
      number: number,
      name: string,
      labor: StudentLabor,
      activityScore: ActivityScoreOf,
      awards: AwardsOf,
    ) => {
      const ending = number === 1 ? '' : `-${number}`;
      const pair = { password: `demo-password${ending}`, vpnPassword: `demo-vpn${ending}` };
      return { userid: `202300000${number}`, name, ...pair, labor, activityScore, awards };
    };
    const one = person(1, '林晓', studentOneLabor(), studentOneActivityScore, studentOneAwards);
    const two = person(2, '顾言', studentTwoLabor(), studentTwoActivityScore, studentTwoAwards);
    const damaged = person(3, '许诺', damagedLabor(), damagedActivityScore, damagedAwards);
    const refused = person(4, '江远', noLabor(), noActivityScore, studentTwoAwards);
    this.#put(one, ofProgramme(computerScience, one, 1));
    this.#put(two, ofProgramme(chineseLiterature, two, '0'));
    this.#put(damaged, (present) => damagedStudies(damaged.userid, present));
    const studies = ofProgramme(chineseLiterature, refused, '0');
    this.#put(refused, (present) => {
      const own = studies(present);
      return { ...own, evaluation: own.evaluation.map((course) => ({ ...course, refusal: '系统错误，保存失败！' })) };
    });
  }

  get(userid: string): DemoStudent | null {
    const student = this.#students.get(userid) ?? null;
    const term = codeOf(this.#present.term);
    if (student !== null && this.#evaluating.get(student) !== term) {
      student.evaluation = student.studies(this.#present).evaluation;
      this.#evaluating.set(student, term);
    }
    return student;
  }

  /** Adds a copy of the first student under another number, which is appended to every course code of the copy. */
  add({ userid, password, vpnPassword, newcomer = false, crowded = false }: NewDemoStudent): void {
    if (this.#students.has(userid)) throw new Error(`demo student ${userid} exists`);
    if (this.#students.size >= MOST_STUDENTS) throw new Error('the demo campus is full');
    const rows = { labor: studentOneLabor(), activityScore: studentOneActivityScore };
    const none = { labor: noLabor(), activityScore: noActivityScore };
    const many = { labor: manyLabors(), activityScore: manyActivityScores };
    const copy: Person = {
      userid,
      name: `林晓${userid}`,
      password,
      vpnPassword,
      awards: studentOneAwards,
      ...(newcomer ? none : crowded ? many : rows),
    };
    const programme = crowded ? manyReadings : computerScience;
    const studies = ofProgramme(withMark(programme, `-${userid}`), copy, 1);
    const planless = (present: Present): Studies => ({ ...studies(present), plans: { rows: [], plans: [] } });
    this.#put(copy, newcomer ? planless : studies);
  }

  /** Called with the term of every answer: when it changes, all students have new courses to evaluate. */
  beginTerm(present: Present): void {
    if (codeOf(present.term) !== codeOf(this.#present.term)) this.#present = present;
  }

  #put(person: Person, studies: (present: Present) => Studies): void {
    // The person stays the same object: passwords change.
    const student = Object.assign(person, {
      studies: perDay(studies),
      summaryChanges: {},
      foreignPlans: [],
      evaluation: [],
      secondFactor: 'none' as const,
    });
    this.#students.set(person.userid, student);
  }
}
