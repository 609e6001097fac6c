import type { Writes } from '../reads/writes.ts';
import type { EvaluationCampus } from './questionnaire.ts';

/** The same campus, whose submissions end the freshness of what was read before them. */
export const withCountedSubmissions = (campus: EvaluationCampus, writes: Writes): EvaluationCampus => ({
  season: (student, context) => campus.season(student, context),
  courses: (student, expected, context) => campus.courses(student, expected, context),
  open: (student, course, count, context) => campus.open(student, course, count, context),
  submit: (student, course, questionnaire, answers, count, context) =>
    writes.during(
      student,
      'academics',
      context,
      () => campus.submit(student, course, questionnaire, answers, count, context),
      (outcome) => outcome !== 'unknown',
    ),
});
