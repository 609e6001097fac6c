import { dayNumber } from '../../lib/time.ts';
import { type EvaluationCourse, isPending } from '../evaluation/task.ts';
import type { EvaluationList } from '../evaluation/types.ts';
import type { EventDetail, EventDraft, Item, NewsPart, ReadEvents } from '../events/ports.ts';
import type { EventAbout, EventType } from '../events/records.ts';
import { onePart } from '../read-row.ts';
import type { TermFacts } from './current-term.ts';
import type { Exam, ExamFindings } from './exams.ts';
import type { Schedule, ScheduledCourse } from './ports.ts';
import type { CurrentScore, RecordRow, ScoreComponent, ScorePage, ScoreRecord, WholeRecord } from './records.ts';

interface Mark extends Item {
  readonly row: Scored;
  readonly part: 'score' | 'retake' | 'makeup';
}

type Scored = Pick<ScoreRecord, 'course_code' | 'course_class' | 'course_name_cn' | 'score'> &
  Partial<Pick<RecordRow, 'retake_score' | 'makeup_score'>>;

/** A retake does not replace the first mark: both were published. A row without code and class is not told from others. */
const marksOf = (all: readonly Scored[]): Mark[] => {
  const rows = all.filter(({ course_code, course_class }) => course_code !== '' || course_class !== '');
  const marks: Mark[] = [];
  const add = (row: Scored, part: Mark['part'], mark: string | null = null): void => {
    const content = mark?.trim() ?? '';
    if (content !== '') marks.push({ key: `${row.course_code}\n${row.course_class}\n${part}`, content, row, part });
  };
  for (const row of rows) {
    add(row, 'score', row.score);
    add(row, 'retake', row.retake_score);
    add(row, 'makeup', row.makeup_score);
  }
  return marks;
};

/** All reads that show the marks of a term share its scope, so no mark is told twice. */
const marksOfTerm = (source: string, term: string, rows: readonly Scored[], ask: string): NewsPart<Mark> => {
  const telling =
    (type: EventType) =>
    ({ row, part, content }: Mark): EventDraft => {
      const { course_code, course_class, course_name_cn: course_name } = row;
      const about = { term_code: term, course_code, course_class, course_name, part };
      return { type, about, ask, detail: { score: content } };
    };
  return {
    scope: `scores ${term}`,
    source,
    vanished: 'kept',
    items: marksOf(rows),
    tell: ({ added, changed }) => [
      ...added.map(telling('score.published')),
      ...changed.map(({ item }) => telling('score.changed')(item)),
    ],
  };
};

const byTerm = <R extends { readonly term_id: string | null }>(rows: readonly R[]): ReadonlyMap<string, R[]> =>
  Map.groupBy(
    rows.filter(({ term_id }) => (term_id ?? '') !== ''),
    ({ term_id }) => term_id ?? '',
  );

export const termScoreEvents: ReadEvents<readonly ScoreRecord[]> = (rows, { params: [term = ''] }) =>
  term === '' ? null : [marksOfTerm('term', term, rows, `/jwc/score/${term}/list`)];

/** A page is the whole term where it is the only one. */
export const scorePageEvents: ReadEvents<ScorePage> = ({ page_num, total_count, records }, reading) =>
  page_num === 1 && total_count === records.length ? termScoreEvents(records, reading) : null;

export const currentScoreEvents: ReadEvents<readonly CurrentScore[]> = (rows) =>
  [...byTerm(rows)].map(([term, own]) => marksOfTerm('current', term, own, '/jwc/score/current/list'));

/** Compared by source, because each writes marks in its way. */
export const wholeRecordEvents: ReadEvents<WholeRecord> = ({ source, records }) =>
  [...byTerm(records)].map(([term, own]) => marksOfTerm(source, term, own, '/jwc/score/all'));

const componentMarks = ['regular', 'midterm', 'final', 'total'] as const;

export const componentEvents: ReadEvents<readonly ScoreComponent[]> = (
  components,
  { params: [course = ''], about },
) => {
  const items = components.flatMap((component) =>
    componentMarks.flatMap((name) => {
      const content = component[name] ?? '';
      return content === '' ? [] : { key: `${component.score_type_code}\n${name}`, content, component };
    }),
  );
  return onePart({
    scope: `components ${course}`,
    vanished: 'kept',
    items,
    tell: ({ added }) =>
      [...new Set(added.map(({ component }) => component))].map(
        ({ score_type_code, regular, midterm, final, total }) => ({
          type: 'score.component_published',
          about: { ...about, part: score_type_code },
          ask: '/jwc/score/current/detail',
          detail: { regular, midterm, final, total },
        }),
      ),
  });
};

const examDraft = (type: EventType, about: EventAbout, detail: EventDetail): EventDraft => ({
  type,
  about,
  ask: '/jwc/exam/info',
  detail,
});

/** Exams with a date that are still to come: one that is over may leave the list. */
export const examEvents: ReadEvents<ExamFindings> = ({ exams }, { today }) => {
  const items = exams
    .filter(({ date }) => dayNumber(date) !== null && date >= today)
    .map((exam) => {
      const { kind, courseName, date, time, location } = exam;
      const keep = { kind, courseName, date, time, location };
      return { key: `${kind}\n${courseName}`, content: `${date}\n${time}\n${location}`, keep, exam };
    });
  const detailOf = ({ date, time, location }: Exam): EventDetail => ({ date, time, location });
  const aboutOf = ({ kind, courseName, extras }: Exam): EventAbout => ({
    exam_kind: kind,
    course_name: courseName,
    ...(extras?.course_code ? { course_code: extras.course_code } : {}),
  });
  return onePart({
    scope: 'exams',
    vanished: 'agreed',
    items,
    tell: ({ added, changed, gone }) => [
      ...added.map(({ exam }) => examDraft('exam.scheduled', aboutOf(exam), detailOf(exam))),
      ...changed.map(({ item: { exam }, before }) => {
        const { date: date_before = null, time: time_before = null, location: location_before = null } = before ?? {};
        const detail = { ...detailOf(exam), date_before, time_before, location_before };
        return examDraft('exam.moved', aboutOf(exam), detail);
      }),
      ...gone
        .filter(({ date = '' }) => date >= today)
        .map(({ kind = '', courseName = '', date = '', time = '', location = '' }) =>
          examDraft('exam.cancelled', { exam_kind: kind, course_name: courseName }, { date, time, location }),
        ),
    ],
  });
};

/** Sorted, because the campus lists the places of a course in any order. */
const placesOf = ({ places }: ScheduledCourse): string =>
  places
    .map(({ weekday, firstSession, sessionCount, weekMask, campus, building, room }) =>
      JSON.stringify([weekday, firstSession, sessionCount, weekMask, campus, building, room]),
    )
    .toSorted()
    .join();

const MOST_NAMES = 10;
const namesOf = (names: readonly string[]): string => {
  const different = [...new Set(names)];
  return different.slice(0, MOST_NAMES).join('、') + (different.length > MOST_NAMES ? '…' : '');
};

/**
 * One event for a whole reading: a new timetable is not thirty messages. What has neither code nor class, such as practice,
 * is not told from its like.
 */
export const scheduleEvents: ReadEvents<Schedule> = ({ courses }, { params: [term = ''] }) => {
  const named = courses.filter(({ code, sequence }) => code !== '' || sequence !== '');
  const items = named.map((course) => {
    const { code, sequence, name } = course;
    const keep = { name: name === '' ? code : name };
    return { key: `${code}\n${sequence}\n${code === '' ? name : ''}`, content: placesOf(course), keep };
  });
  return onePart({
    scope: `schedule ${term}`,
    vanished: 'agreed',
    items,
    tell: ({ added, changed, gone }) => {
      if (added.length + changed.length + gone.length === 0) return [];
      const about = {
        term_code: term,
        ...(added.length > 0 ? { added: namesOf(added.map(({ keep }) => keep.name)) } : {}),
        ...(changed.length > 0 ? { changed: namesOf(changed.map(({ item }) => item.keep.name)) } : {}),
        ...(gone.length > 0 ? { removed: namesOf(gone.map(({ name = '' }) => name)) } : {}),
      };
      return [{ type: 'schedule.changed', about, ask: `/jwc/schedule/${term}/table`, detail: {} }];
    },
  });
};

export const termEvents: ReadEvents<TermFacts> = ({ text, code, start }) => {
  const { academicYear, season } = text;
  return onePart({
    scope: 'term',
    vanished: 'kept',
    items: academicYear === '' ? [] : [{ key: `${academicYear}\n${season}`, content: '' }],
    tell: ({ added }) =>
      added.map(() => ({
        type: 'term.began',
        about: code === null ? {} : { term_code: code },
        ask: '/jwc/term/current',
        detail: { first_day: start.firstDay },
      })),
  });
};

const pendingItem = ({ id, questionnaire }: EvaluationCourse): Item[] =>
  id === null
    ? []
    : [{ key: JSON.stringify([id.staffNumber, id.sequence, id.contentNumber, questionnaire?.number]), content: '' }];

/** One event for all courses that have become pending. */
export const evaluationEvents: ReadEvents<EvaluationList> = ({ courses }) =>
  onePart({
    scope: 'evaluation',
    vanished: 'agreed',
    items: courses.filter(isPending).flatMap(pendingItem),
    tell: ({ added }) =>
      added.length === 0
        ? []
        : [{ type: 'evaluation.due', about: { courses: added.length }, ask: '/jwc/evaluation/courses', detail: {} }],
  });
