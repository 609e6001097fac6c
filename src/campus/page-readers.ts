import * as card from './card/parse-card.ts';
import * as form from './competition/form.ts';
import * as awards from './competition/parse-awards.ts';
import * as electricity from './isim/parse-records.ts';
import * as rooms from './isim/parse-rooms.ts';
import * as evaluation from './jwc/parse-evaluation.ts';
import * as exams from './jwc/parse-exams.ts';
import * as offerings from './jwc/parse-offerings.ts';
import * as plan from './jwc/parse-plan-page.ts';
import * as questionnaire from './jwc/parse-questionnaire.ts';
import * as schedule from './jwc/parse-schedule.ts';
import * as schemeScores from './jwc/parse-scheme-scores.ts';
import * as scores from './jwc/parse-scores.ts';
import * as segments from './jwc/parse-segments.ts';
import * as student from './jwc/parse-student.ts';
import * as terms from './jwc/parse-terms.ts';

/** A pure function of the text of a page. What it returns is plain data. */
export type PageReader<T = unknown> = (text: string) => T;

const modules: readonly object[] = [
  card,
  form,
  awards,
  electricity,
  rooms,
  evaluation,
  exams,
  offerings,
  plan,
  questionnaire,
  schedule,
  schemeScores,
  scores,
  segments,
  student,
  terms,
];

/** Every function that reads pages of applications, by the name that page threads use. */
export const pageReaders: Readonly<Record<string, PageReader>> = Object.fromEntries(
  modules.flatMap(Object.entries).filter(([name]) => /^(?:parse|read)[A-Z]|Alive$/.test(name)),
);
