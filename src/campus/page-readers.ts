import * as card from './card/parse-card.ts';
import * as form from './competition/form.ts';
import * as awards from './competition/parse-awards.ts';
import * as buildings from './isim/parse-buildings.ts';
import * as picker from './isim/parse-picker.ts';
import * as records from './isim/parse-records.ts';
import * as calendar from './jwc/parse-calendar.ts';
import * as classes from './jwc/parse-classes.ts';
import * as courseTable from './jwc/parse-course-table.ts';
import * as evaluationIndex from './jwc/parse-evaluation-index.ts';
import * as evaluationList from './jwc/parse-evaluation-list.ts';
import * as examSeats from './jwc/parse-exam-seats.ts';
import * as home from './jwc/parse-home.ts';
import * as offerings from './jwc/parse-offerings.ts';
import * as otherExams from './jwc/parse-other-exams.ts';
import * as planCompletion from './jwc/parse-plan-completion.ts';
import * as questionnaire from './jwc/parse-questionnaire.ts';
import * as schemeScores from './jwc/parse-scheme-scores.ts';
import * as scoreComponents from './jwc/parse-score-components.ts';
import * as scoreData from './jwc/parse-score-data.ts';
import * as sections from './jwc/parse-sections.ts';
import * as segments from './jwc/parse-segments.ts';
import * as smallAnswers from './jwc/parse-small-answers.ts';
import * as studentFile from './jwc/parse-student-file.ts';
import * as termList from './jwc/parse-term-list.ts';
import * as thisTermScores from './jwc/parse-this-term-scores.ts';
import * as universityExams from './jwc/parse-university-exams.ts';

/** A pure function of the text of a page. What it returns is plain data. */
export type PageReader<T = unknown> = (text: string) => T;

const modules: readonly object[] = [
  card,
  schemeScores,
  studentFile,
  form,
  awards,
  buildings,
  picker,
  records,
  calendar,
  classes,
  courseTable,
  evaluationIndex,
  evaluationList,
  examSeats,
  home,
  offerings,
  otherExams,
  planCompletion,
  questionnaire,
  scoreComponents,
  scoreData,
  sections,
  segments,
  smallAnswers,
  termList,
  thisTermScores,
  universityExams,
];

/** Every function that reads pages of applications, told by its name: another thread knows them by these. */
export const pageReaders: Readonly<Record<string, PageReader>> = Object.fromEntries(
  modules.flatMap(Object.entries).filter(([name]) => /^(?:parse|read)[A-Z]|Alive$/.test(name)),
);
