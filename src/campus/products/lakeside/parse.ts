import type { Exam, ExamSeat } from '../../../domain/academics/exams.ts';
import type { AcademicSummary, CoursePlace, CourseTable, ScheduledCourse } from '../../../domain/academics/ports.ts';
import { ScoreRecord, type StudentFile, type Term } from '../../../domain/academics/records.ts';
import { unsaid } from '../../../domain/record.ts';
import { int, type JsonObject, label, list, num, obj, optNum, optStr, str } from '../../parsing/cells.ts';
import { readJsonObject, readRows, records, statedNumber, unreadable } from '../../parsing/reading.ts';
import { weekMask } from '../../parsing/weeks.ts';

const system = 'academics';

/** `2025-2` is the second term of 2025-2026, which all others call `2025-2026-2-1`. */
export const termCodeOf = (own: string): string => {
  const [, year = '', number = ''] = /^(\d{4})-(\d)$/.exec(own) ?? [];
  return year === '' ? '' : `${year}-${Number(year) + 1}-${number}-1`;
};

/** The way back; a code of another form names no term here. */
export const ownTermCode = (code: string): string => {
  const [, year = '', number = ''] = /^(\d{4})-\d{4}-(\d)-\d$/.exec(code) ?? [];
  return year === '' ? 'none' : `${year}-${number}`;
};

const rowsOf = <T>(text: string, name: string, members: readonly string[], read: (row: JsonObject) => T | null) => {
  const body = readJsonObject(text, system);
  if (!(name in body)) throw unreadable(system, `answer without ${name}`);
  return readRows(body[name], records({ system, what: name }, members, read));
};

/** The term comes with another answer. */
type Summary = Omit<AcademicSummary, 'currentTerm'>;

export const parseStudent = (text: string): { number: string; file: StudentFile; summary: Summary } => {
  const body = readJsonObject(text, system);
  const { id, name, college, major, group, campus, entryYear } = body;
  if (str(id) === '') throw unreadable(system, 'student without id');
  const { taken, failed, pending, gpa, average, rank, of } = obj(body.standing);
  return {
    number: str(id),
    file: {
      name: optStr(name),
      college: optStr(college),
      major: optStr(major),
      class_name: optStr(group),
      campus: optStr(campus),
      entry_year: optNum(entryYear),
    },
    summary: {
      coursesTaken: Math.trunc(statedNumber(taken, system, 'number of courses')),
      coursesFailed: optNum(failed),
      coursesPending: Math.trunc(statedNumber(pending, system, 'number of pending courses')),
      gpa: statedNumber(gpa, system, 'grade point average'),
      averageScore: optNum(average),
      rank: optNum(rank),
      rankTotal: optNum(of),
    },
  };
};

export interface LakesideTerm extends Term {
  readonly firstDay: string;
  readonly weeks: number;
}

/** @throws Failure `upstream-unreadable`, also where no term is the current one */
export const parseTerms = (text: string): readonly LakesideTerm[] => {
  const { rows } = rowsOf(text, 'terms', ['code'], (row): LakesideTerm | null => {
    const term_code = termCodeOf(str(row.code));
    const [firstDay, weeks] = [str(row.firstDay), int(row.weeks)];
    return term_code === ''
      ? null
      : { term_code, term_name: label(row.name), is_current: row.current === true, firstDay, weeks };
  });
  if (!rows.some(({ is_current }) => is_current)) throw unreadable(system, 'no current term');
  return rows;
};

const unsaidOfScores = unsaid(ScoreRecord);

export const parseScores = (text: string) =>
  rowsOf(text, 'scores', ['course'], (row): ScoreRecord | null => {
    const course = obj(row.course);
    if (str(course.code) === '' && label(course.name) === '') return null;
    const at = int(row.no);
    return {
      sequence: at,
      term_id: termCodeOf(str(row.term)),
      course_code: str(course.code),
      course_class: str(course.class),
      course_name_cn: label(course.name),
      course_name_en: label(course.english),
      credits: str(row.credits),
      hours: int(row.hours),
      course_type: label(row.kind),
      exam_type: label(row.examination),
      score: str(row.mark),
      ...unsaidOfScores,
      retake_score: optStr(row.retake),
    };
  });

const placeOf = (value: unknown): CoursePlace[] => {
  const { day, from, to, weeks, campus, building, room } = obj(value);
  const [weekday, first, last] = [int(day), int(from), int(to)];
  if (weekday < 1 || weekday > 7 || first < 1 || last < first) return [];
  return [
    {
      weekday,
      firstSession: first,
      sessionCount: last - first + 1,
      weekMask: weekMask('', str(weeks)),
      weekDescription: `${str(weeks)}周`,
      campus: label(campus),
      building: label(building),
      room: label(room),
    },
  ];
};

const clock = (value: unknown): string => str(value).replace(':', '').padStart(4, '0');
const minutes = (value: unknown): number => {
  const [hour = '', minute = ''] = str(value).split(':');
  return int(hour) * 60 + int(minute);
};

export const parseTimetable = (text: string, term: LakesideTerm | null) => {
  const courses = rowsOf(
    text,
    'courses',
    ['code'],
    (row): ScheduledCourse => ({
      name: label(row.name),
      code: str(row.code),
      sequence: str(row.class),
      teachers: list(row.teachers).map(label).join(' '),
      nature: label(row.kind),
      examType: label(row.examination),
      credits: num(row.credits),
      places: list(row.places).flatMap(placeOf),
    }),
  );
  const periods = rowsOf(text, 'periods', ['no'], (row) => ({
    session: int(row.no),
    name: label(row.name),
    startTime: clock(row.from),
    endTime: clock(row.to),
    length: String(minutes(row.to) - minutes(row.from)),
    block: int(row.block),
  }));
  const table: CourseTable = {
    totalCredits: courses.rows.reduce((sum, { credits }) => sum + credits, 0),
    courses: courses.rows,
  };
  const semester = term && {
    totalWeeks: String(term.weeks),
    weekDescription: `1-${term.weeks}周`,
    totalSessions: String(periods.rows.length),
    firstDay: term.firstDay.replaceAll('-', ''),
  };
  return { table, sections: { slots: periods.rows, semester }, dropped: courses.dropped + periods.dropped };
};

/** Exams with the seats of the same rows. */
export const parseExams = (
  text: string,
): { readonly exams: Exam[]; readonly seats: ExamSeat[]; readonly dropped: number } => {
  const { rows, dropped } = rowsOf(text, 'exams', ['name'], (row) => {
    const [courseName, date, from, to] = [label(row.name), str(row.date), str(row.from), str(row.to)];
    const exam: Exam = {
      courseName,
      date,
      time: from === '' ? '' : `${from}-${to}`,
      location: [label(row.building), label(row.room)].filter((part) => part !== '').join(' '),
      kind: 'university',
      note: '',
    };
    const seat: ExamSeat = { courseName, seat: optStr(row.seat), dates: [date], times: from === '' ? [] : [from] };
    return { exam, seat };
  });
  return { exams: rows.map(({ exam }) => exam), seats: rows.map(({ seat }) => seat), dropped };
};
