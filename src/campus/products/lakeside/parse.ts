import type { Exam, ExamSeat } from '../../../domain/academics/exams.ts';
import type { AcademicSummary, CoursePlace, CourseTable, ScheduledCourse } from '../../../domain/academics/ports.ts';
import { ScoreRecord, type StudentFile, type Term } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { startTimesIn, timeOfDay } from '../../../lib/moments.ts';
import { dayNumber } from '../../../lib/time.ts';
import { int, type JsonObject, label, list, mark, obj, optMark, optNum, optStr, str } from '../../parsing/cells.ts';
import {
  readJsonObject,
  readRows,
  records,
  refuseIfMostDropped,
  statedNumber,
  unreadable,
} from '../../parsing/reading.ts';
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
    if (term_code === '') return null;
    const weeks = statedNumber(row.weeks, system, 'weeks of a term');
    const firstDay = str(row.firstDay);
    if (firstDay !== '' && dayNumber(firstDay) === null) throw unreadable(system, 'first day is no day');
    return { term_code, term_name: label(row.name), is_current: row.current === true, firstDay, weeks };
  });
  if (!rows.some(({ is_current }) => is_current)) throw unreadable(system, 'no current term');
  return rows;
};

const unsaidOfScores = unsaidOf(ScoreRecord);

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
      score: mark(row.mark),
      ...unsaidOfScores,
      retake_score: optMark(row.retake),
    };
  });

const placeOf = ({ day, from, to, weeks, campus, building, room }: JsonObject): CoursePlace | null => {
  const [weekday, first, last] = [int(day), int(from), int(to)];
  if (weekday < 1 || weekday > 7 || first < 1 || last < first) return null;
  return {
    weekday,
    firstSession: first,
    sessionCount: last - first + 1,
    weekMask: weekMask('', str(weeks)),
    weekDescription: `${str(weeks)}周`,
    campus: label(campus),
    building: label(building),
    room: label(room),
  };
};

/** `HHMM`; `""` for none. */
const clock = (value: unknown): string => timeOfDay(str(value))?.slice(0, 5).replace(':', '') ?? '';
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(2));
const lengthOf = (from: string, to: string): string =>
  from === '' || to === '' ? '' : String(minutes(to) - minutes(from));

export const parseTimetable = (text: string, term: LakesideTerm | null) => {
  const places: { rows: CoursePlace[]; dropped: number } = { rows: [], dropped: 0 };
  const courses = rowsOf(text, 'courses', ['code'], (row): ScheduledCourse | null => {
    const [name, code] = [label(row.name), str(row.code)];
    if (name === '' && code === '') return null;
    const own = readRows(row.places, records({ system, what: 'places' }, [], placeOf, true));
    places.rows.push(...own.rows);
    places.dropped += own.dropped;
    return {
      name,
      code,
      sequence: str(row.class),
      teachers: list(row.teachers).map(label).join(' '),
      nature: label(row.kind),
      examType: label(row.examination),
      credits: statedNumber(row.credits, system, 'credits'),
      places: own.rows,
    };
  });
  refuseIfMostDropped(system, 'places', places);
  const periods = rowsOf(text, 'periods', ['no'], (row) => {
    const [session, startTime, endTime] = [int(row.no), clock(row.from), clock(row.to)];
    if (session < 1) return null;
    const length = lengthOf(startTime, endTime);
    return { session, name: label(row.name), startTime, endTime, length, block: int(row.block) };
  });
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
  return {
    table,
    sections: { slots: periods.rows, semester },
    dropped: courses.dropped + places.dropped + periods.dropped,
  };
};

/** Exams with the seats of the same rows. */
export const parseExams = (
  text: string,
): { readonly exams: Exam[]; readonly seats: ExamSeat[]; readonly dropped: number } => {
  const { rows, dropped } = rowsOf(text, 'exams', ['name'], (row) => {
    const [courseName, date, from, to] = [label(row.name), str(row.date), str(row.from), str(row.to)];
    if (courseName === '') return null;
    const exam: Exam = {
      courseName,
      date,
      time: [from, to].filter((hour) => hour !== '').join('-'),
      location: [label(row.building), label(row.room)].filter((part) => part !== '').join(' '),
      kind: 'university',
      note: '',
    };
    const seat: ExamSeat = { courseName, seat: optStr(row.seat), dates: [date], times: startTimesIn(from) };
    return { exam, seat };
  });
  return { exams: rows.map(({ exam }) => exam), seats: rows.map(({ seat }) => seat), dropped };
};
