import type { Exam } from '../../../domain/academics/exams.ts';
import { ExamExtras } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { type JsonObject, label, optLabel, optStr, str } from '../../parsing/cells.ts';
import { inHours, seatNote, statesDay, whenIn } from '../../parsing/exam-times.ts';
import { readersOf } from '../../parsing/reading.ts';
import { readEmapRows } from './envelope.ts';

const reader = readersOf(import.meta.url);
const unsaidOfExam = unsaidOf(ExamExtras);

/** `09：00::11.00` → `09:00-11:00`. */
const usualSeparators = (text: string): string =>
  text
    .replace(/：/g, ':')
    .replace(/．/g, '.')
    .replace(/\s?::\s?/g, '-')
    .replace(/(?<![\d.])(\d{1,2})\.(\d{2})(?![\d.])/g, '$1:$2');

const whenOf = ({ KSSJMS, KSRQ }: JsonObject): Pick<Exam, 'date' | 'time'> => {
  const [stated, text] = [label(KSSJMS), usualSeparators(label(KSSJMS))];
  // Its dates may have points, which are none of hours.
  return inHours(statesDay(stated) ? whenIn(text) : whenIn(str(KSRQ), text));
};

const examOf = (row: JsonObject): Exam | null => {
  const courseName = label(row.KCM);
  if (courseName === '') return null;
  const [room, building] = [label(row.JASMC), label(row.JXLMC)];
  // Some name the building in the room as well.
  const places = [label(row.XXXQMC), room.startsWith(building) ? '' : building, room];
  return {
    courseName,
    ...whenOf(row),
    location: places.filter((part) => part !== '').join(' '),
    kind: 'university',
    note: seatNote(label(row.ZWH)),
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
