import type { Exam } from '../../../domain/academics/exams.ts';
import { ExamExtras } from '../../../domain/academics/records.ts';
import { unsaid } from '../../../domain/record.ts';
import { datesIn, isoDateOr, timesIn, withoutDates } from '../../../lib/moments.ts';
import { type JsonObject, label, optLabel, optStr, str } from '../../parsing/cells.ts';
import { readersOf } from '../../parsing/reading.ts';
import { readEmapRows } from './envelope.ts';

const reader = readersOf(import.meta.url);
const unsaidOfExam = unsaid(ExamExtras);

/** `09：00::11.00` → `09:00-11:00`. */
const usualSeparators = (text: string): string =>
  text
    .replace(/：/g, ':')
    .replace(/．/g, '.')
    .replace(/\s?::\s?/g, '-')
    .replace(/(?<![\d.])(\d{1,2})\.(\d{2})(?![\d.])/g, '$1:$2');

/** Hours and minutes. A text that leaves a doubt stays as it is. */
const hoursIn = (text: string): string => {
  const hours = usualSeparators(withoutDates(text));
  const span = timesIn(hours);
  if (span === null) return withoutDates(text);
  return span.to === null ? span.from.slice(0, 5) : `${span.from.slice(0, 5)}-${span.to.slice(0, 5)}`;
};

const whenOf = ({ KSSJMS, KSRQ }: JsonObject): { date: string; time: string } => {
  const text = label(KSSJMS);
  const [date = isoDateOr(str(KSRQ)), ...more] = datesIn(text);
  return { date, time: more.length > 0 ? text : hoursIn(text) };
};

const examOf = (row: JsonObject): Exam | null => {
  const courseName = label(row.KCM);
  if (courseName === '') return null;
  const [room, building, seat] = [label(row.JASMC), label(row.JXLMC), label(row.ZWH)];
  // Some name the building in the room as well.
  const places = [label(row.XXXQMC), room.startsWith(building) ? '' : building, room];
  return {
    courseName,
    ...whenOf(row),
    location: places.filter((part) => part !== '').join(' '),
    kind: 'university',
    note: seat === '' ? '' : `座位号: ${seat}`,
    extras: {
      ...unsaidOfExam,
      course_code: optStr(row.KCH),
      course_sequence: optStr(row.KXH),
      exam_name: optLabel(row.KSMC),
    },
  };
};

/** What is not arranged yet has no day. */
export const parseExams = reader('parseExams', (text: string) =>
  readEmapRows(text, { names: ['wdksap', 'cxxsksap'], members: ['KCM'], isPaged: true, read: examOf }),
);
