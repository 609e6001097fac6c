import type { Attended } from './attended.ts';
import type { Present } from './calendar.ts';
import { type Programme, staffNumberOf } from './programmes.ts';

export interface DemoEvaluationCourse {
  readonly staffNumber: string;
  readonly teacher: string;
  readonly sequence: string;
  readonly contentNumber: string;
  readonly courseName: string;
  readonly questionnaire: { readonly number: string; readonly name: string };
  /** The list sends null for the questionnaire and names it among the identifiers instead. */
  readonly questionnaireHidden?: boolean;
  readonly refusal?: string;
  done: boolean;
  /** Submissions that arrived, refused ones included. */
  received: number;
  /** Never more than one. */
  stored: number;
  /** Of the stored submission, by name of the question. */
  answers: ReadonlyMap<string, string>;
}

/** Nothing was submitted yet. */
export const makeUnsubmitted = () => ({ done: false, received: 0, stored: 0, answers: new Map<string, string>() });

export const lecture = { number: '0000000121', name: '理论课评教问卷' } as const;
export const practice = { number: '0000000134', name: '实践课评教问卷' } as const;

/** As many pending courses as a test needs, with both questionnaires by turns. */
export const manyEvaluationCourses = (count: number, refused: readonly number[]): DemoEvaluationCourse[] =>
  Array.from({ length: count }, (_, index) => ({
    staffNumber: String(20200000 + index),
    teacher: `教师${index + 1}`,
    sequence: '01',
    contentNumber: `PJ${String(index + 1).padStart(4, '0')}`,
    courseName: `评教课程${index + 1}`,
    questionnaire: index % 2 === 0 ? lecture : practice,
    ...(refused.includes(index + 1) ? { refusal: '系统错误，保存失败！' } : {}),
    ...makeUnsubmitted(),
  }));

/** The first courses of the term, as many as are evaluated; those tested in class are evaluated when that is over. */
export const evaluationOf = (
  { evaluated }: Programme,
  attended: readonly Attended[],
  { term, today }: Present,
): DemoEvaluationCourse[] =>
  attended
    .filter((each) => each.term.firstDay === term.firstDay)
    .slice(0, evaluated)
    .map(({ course: { code, sequence, name, part, isTested, teachers }, examDay }) => ({
      staffNumber: staffNumberOf(teachers[0] ?? ''),
      teacher: teachers[0] ?? '',
      sequence,
      contentNumber: code,
      courseName: name,
      questionnaire: part === '实践' ? practice : lecture,
      ...makeUnsubmitted(),
      done: isTested && today > examDay,
    }));
