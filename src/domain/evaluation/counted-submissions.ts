import type { Writes } from '../reads/writes.ts';
import type { EvaluationCampus } from './questionnaire.ts';

/** The same campus, whose submissions end the freshness of what was read before them. */
export const withCountedSubmissions = (campus: EvaluationCampus, writes: Writes): EvaluationCampus => ({
  season: campus.season,
  courses: campus.courses,
  open: campus.open,
  submit: (student, course, questionnaire, answers, count, context) =>
    writes.during(
      student,
      'academics',
      context,
      () => campus.submit(student, course, questionnaire, answers, count, context),
      (outcome) => outcome !== 'unknown',
    ),
});
