import type { Exam } from '../../../domain/academics/exams.ts';
import type { AcademicSummary } from '../../../domain/academics/ports.ts';
import { ExamExtras, type StudentFile } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { type JsonObject, label, optLabel } from '../../parsing/cells.ts';
import { elementsIn } from '../../parsing/elements.ts';
import { inHours, seatNote, whenInOne } from '../../parsing/exam-times.ts';
import { attributeOf, hasEnd } from '../../parsing/html-tokens.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { pageReaders } from './pages.ts';
import { type GridPage, readGrid } from './parse-scores.ts';
import { courseCode, courseName } from './parse-timetable.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

const unsaidOfExam = unsaidOf(ExamExtras);

/** `2026-01-10(09:00-11:00)`; an exam that is not arranged yet has neither. */
const examOf = (row: JsonObject): Exam | null => {
  const name = courseName(row);
  if (name === '') return null;
  return {
    courseName: name,
    ...inHours(whenInOne(label(row.kssj))),
    location: [label(row.cdxqmc), label(row.cdmc)].filter((part) => part !== '').join(' '),
    kind: 'university',
    note: seatNote(label(row.zwh)),
    extras: {
      ...unsaidOfExam,
      course_code: courseCode(row) || null,
      course_sequence: optLabel(row.jxbmc),
      exam_name: optLabel(row.ksmc),
      hint: optLabel(row.bz1),
    },
  };
};

export const parseExams = reader('parseExams', (text: string): GridPage<Exam> => readGrid(text, 'exams', examOf));

/** Labels of each member, of which the first one present counts. The page has far more, which is neither kept nor logged. */
const labels = {
  number: ['学号'],
  name: ['姓名'],
  college: ['学院名称', '学院'],
  major: ['专业名称', '专业'],
  class_name: ['班级名称', '班级'],
  campus: ['校区'],
  entry_year: ['年级', '入学日期'],
} as const;
const wanted: ReadonlySet<string> = new Set(Object.values(labels).flat());
const longestValue = 100;

const pairsIn = (page: string): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>();
  let name = '';
  for (const { kind, text } of elementsIn(page, (tag) => (tag === 'label' || tag === 'p' ? tag : null))) {
    if (kind === 'p' && wanted.has(name) && !pairs.has(name)) pairs.set(name, text);
    name = kind === 'label' ? text.replace(/[\s:：]/g, '') : '';
  }
  return pairs;
};

/** A value that the campus masks is null. */
export const [fileAlive, parseFile] = pageReaders(
  ['fileAlive', 'parseFile'],
  'control-label',
  reader,
  (page): { readonly number: string; readonly file: StudentFile } => {
    // Half a page would be a file that says less.
    if (!hasEnd(page)) throw unreadable(system, 'file without its end');
    const pairs = pairsIn(page);
    const of = (names: readonly string[]): string | null => {
      const text = names.map((name) => pairs.get(name)).find((each) => each !== undefined && each !== '') ?? '';
      return text === '' || text.includes('**') ? null : Array.from(text).slice(0, longestValue).join('');
    };
    const number = of(labels.number);
    if (number === null) throw unreadable(system, 'file without a number');
    const year = /(?<!\d)(?:19|20)\d{2}/.exec(of(labels.entry_year) ?? '')?.[0];
    return {
      number,
      file: {
        name: of(labels.name),
        college: of(labels.college),
        major: of(labels.major),
        class_name: of(labels.class_name),
        campus: of(labels.campus),
        entry_year: year === undefined ? null : Number(year),
      },
    };
  },
);

const figures =
  /平均学分绩点[（(]GPA[）)][:：](\d+(?:\.\d+)?).{0,40}?通过(\d+)门[,，;；]?未通过(\d+)门.{0,40}?在读(\d+)门.{0,40}?计划外[:：]通过(\d+)门[,，;；]?未通过(\d+)门/;

/** The sentence above the plan. The term comes from elsewhere. */
export const [summaryAlive, parseSummary] = pageReaders(
  ['summaryAlive', 'parseSummary'],
  'alertBox',
  reader,
  (page): AcademicSummary => {
    const boxes = elementsIn(page, (_, attributes) =>
      attributes.includes('alertBox') && attributeOf(attributes, 'id') === 'alertBox' ? 'box' : null,
    );
    const found = figures.exec(boxes[0]?.text.replace(/\s/g, '') ?? '');
    if (found === null) throw unreadable(system, 'summary without its figures');
    const [gpa = 0, passed = 0, failed = 0, pending = 0, passedBeside = 0, failedBeside = 0] = found
      .slice(1)
      .map(Number);
    return {
      coursesTaken: passed + failed + passedBeside + failedBeside,
      coursesFailed: failed + failedBeside,
      coursesPending: pending,
      gpa,
      currentTerm: '',
      averageScore: null,
      rank: null,
      rankTotal: null,
    };
  },
);
