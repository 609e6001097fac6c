import { RecordRow, ScoreComponent } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/text.ts';
import { checkScoreCount, type ListedScore } from '../../contract/listed-scores.ts';
import { credits, type JsonObject, label, list, mark, obj, optNum, optPoint, str } from '../../parsing/cells.ts';
import { readersOf, readJsonObject, unreadable } from '../../parsing/reading.ts';
import { refusesRows } from '../../parsing/refusals.ts';
import { readFlagOrNull } from '../../parsing/row-reader.ts';
import { decodeEntities, plainMessage } from '../../parsing/text.ts';
import { termCodeIn } from './parse-terms.ts';
import { nameIn } from './parse-timetable.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

export interface Eams5Score extends ListedScore {
  /** The school's id of its term. */
  readonly termId: string;
  readonly components: readonly ScoreComponent[];
}

export interface Eams5Scores {
  readonly scores: readonly Eams5Score[];
  readonly dropped: number;
}

const unsaidOfRow = unsaidOf(RecordRow);
const unsaidOfComponent = unsaidOf(ScoreComponent);

/** What each name of a component is to us; the others are told in the remark. */
const parts = [
  ['平时', 'regular'],
  ['期中', 'midterm'],
  ['期末', 'final'],
] as const;

const longestDetail = 4_000;

/** `<span>平时成绩:90</span><span>期末成绩:97</span>`: no weights are stated. */
const componentsIn = (detail: unknown, total: string): ScoreComponent[] => {
  const texts = decodeEntities(str(detail).slice(0, longestDetail))
    .split(/<[^<>]*>|[;；,，、\n]|\s(?=\S{1,40}[:：])/)
    .flatMap((text) => {
      const [, name, given] = /^([^:：]+)[:：](.+)$/.exec(text.trim()) ?? [];
      return name === undefined ? [] : [[label(name), mark(given)] as const];
    });
  if (texts.length === 0) return [];
  const marks: { regular: string | null; midterm: string | null; final: string | null } = {
    regular: null,
    midterm: null,
    final: null,
  };
  const others: string[] = [];
  for (const [name, given] of texts) {
    const part = parts.find(([word]) => name.includes(word))?.[1];
    if (given === '') continue;
    if (part !== undefined && marks[part] === null) marks[part] = given;
    else others.push(`${name} ${given}`);
  }
  const remark = others.length === 0 ? '' : plainMessage(others.join('，'));
  return [{ ...unsaidOfComponent, score_type_code: '', ...marks, total: total || null, remark }];
};

const scoreOf = (row: JsonObject, termCode: string | null): Omit<Eams5Score, 'termId'> => {
  const course = obj(row.course);
  const score = mark(row.gaGrade);
  const key = str(row.lessonCode);
  return {
    key,
    row: {
      ...unsaidOfRow,
      term_id: termCode,
      course_code: str(course.code ?? row.courseCode),
      course_class: key,
      course_name_cn: label(course.nameZh ?? row.courseName),
      course_name_en: label(course.nameEn ?? row.courseNameEn),
      credits: credits(course.credits ?? row.credits),
      course_type: nameIn(row.courseType),
      score,
      score_number: /^[\d.]/.test(score) ? optNum(score) : null,
      grade_point: optPoint(row.gp),
    },
    components: componentsIn(row.gradeDetail, score),
  };
};

/** The terms that the answer itself lists, by the school's ids. */
const termsIn = (body: JsonObject): ReadonlyMap<string, string> =>
  new Map(list(body.semesters).map((each) => [str(obj(each).id), termCodeIn(str(obj(each).nameZh))]));

/**
 * All scores that are published. `term_id` is by the terms of the answer, else by the words of the row; null where neither
 * says.
 */
export const parseScores = reader('parseScores', (text: string): Eams5Scores => {
  const body = readJsonObject(text, system);
  const byTerm = body.semesterId2studentGrades;
  if (!isRecord(byTerm)) throw unreadable(system, 'scores without terms');
  if (Object.keys(byTerm).length === 0 && refusesRows(body)) throw unreadable(system, 'an answer without scores');
  const terms = termsIn(body);
  const scores: Eams5Score[] = [];
  let received = 0;
  for (const [id, rows] of Object.entries(byTerm)) {
    if (!Array.isArray(rows)) throw unreadable(system, 'scores of the wrong type');
    for (const value of rows) {
      const row = obj(value);
      // What is not published yet is left out by the rule, and is no loss.
      if (readFlagOrNull(row.published) === false) continue;
      received += 1;
      const score = scoreOf(row, terms.get(id) || termCodeIn(str(row.semesterName)) || null);
      if (score.row.course_code !== '' || score.row.course_name_cn !== '') scores.push({ ...score, termId: id });
    }
  }
  if (received > 0 && scores.length === 0) throw unreadable(system, 'scores of another shape');
  return { scores: checkScoreCount(scores), dropped: received - scores.length };
});
