import type { Exam } from '../../../domain/academics/exams.ts';
import { ExamExtras } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { scriptsIn } from '../../parsing/elements.ts';
import { seatNote, whenInOne } from '../../parsing/exam-times.ts';
import { attributeOf, hasCssClasses, htmlTokens } from '../../parsing/html-tokens.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { isList, isMembers, readLiteralAt } from '../../parsing/script-values.ts';
import { clean, extend } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';
/** A student sits a few dozen exams. */
const mostRows = 1_000;
const longestText = 2_000;

/** A text of a cell: of a `span`, or of what stands outside of one. */
interface CellText {
  readonly isSpan: boolean;
  readonly seatId: string | null;
  readonly isTag: boolean;
  text: string;
}

interface ExamRow {
  readonly isEmpty: boolean;
  readonly cells: CellText[][];
}

/** The rows of the body of the table of exams; null where the page has no such table, or only its beginning. */
const rowsOf = (page: string): ExamRow[] | null => {
  const rows: ExamRow[] = [];
  let state: 'before' | 'inside' | 'after' = 'before';
  let cell: CellText[] | null = null;
  let open: CellText | null = null;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'open' && token.name === 'table' && state === 'before') {
      if (attributeOf(token.attributes, 'id') === 'exams' || hasCssClasses(token.attributes, 'exam-table'))
        state = 'inside';
      continue;
    }
    if (state !== 'inside') continue;
    if (token.kind === 'close' && token.name === 'table') state = 'after';
    else if (token.kind === 'open' && token.name === 'tr') {
      if (rows.length === mostRows) throw unreadable(system, 'too many exams');
      rows.push({ isEmpty: hasCssClasses(token.attributes, 'tr-empty'), cells: [] });
      cell = null;
    } else if (token.kind === 'open' && token.name === 'td') {
      cell = [];
      open = null;
      rows.at(-1)?.cells.push(cell);
    } else if (cell === null) {
    } else if (token.kind === 'open' && token.name === 'span') {
      const id = attributeOf(token.attributes, 'id') ?? '';
      open = {
        isSpan: true,
        seatId: /^seat-(\d+)$/.exec(id)?.[1] ?? null,
        isTag: hasCssClasses(token.attributes, 'tag-span'),
        text: '',
      };
      cell.push(open);
    } else if (token.kind === 'close' && (token.name === 'span' || token.name === 'td')) {
      open = null;
      if (token.name === 'td') cell = null;
    } else if (token.kind === 'text') {
      if (open === null && token.text.trim() !== '') {
        open = { isSpan: false, seatId: null, isTag: false, text: '' };
        cell.push(open);
        open.text = extend('', token.text, longestText);
        open = null;
      } else if (open !== null) open.text = extend(open.text, token.text, longestText);
    }
  }
  return state === 'after' ? rows : null;
};

/** Numbers of seats by the ids that the cells bear. */
const seatsIn = (page: string): ReadonlyMap<string, string> => {
  const seats = new Map<string, string>();
  for (const script of scriptsIn(page)) {
    const found = /(?<![\w$])studentExamList\s{0,8}=\s{0,8}/.exec(script);
    const value = found ? readLiteralAt(script, found.index + found[0].length) : undefined;
    for (const each of isList(value) ? value : []) {
      const [id, seat] = isMembers(each) ? [each.get('id'), each.get('seatNo')] : [];
      if (typeof id === 'string' && typeof seat === 'string' && seat !== '') seats.set(id, seat);
    }
  }
  return seats;
};

const unsaidOfExam = unsaidOf(ExamExtras);

const examOf = (
  when: string,
  places: readonly string[],
  seat: string | null,
  named: { name: string; lesson: string; kind: string; hint: string },
): Exam => ({
  courseName: named.name,
  ...whenInOne(when),
  location: places.filter((part) => part !== '').join(' '),
  kind: 'university',
  note: seatNote(seat ?? ''),
  extras: {
    ...unsaidOfExam,
    course_sequence: named.lesson || null,
    exam_name: named.kind || null,
    hint: named.hint || null,
  },
});

/** The cells hold time, places and seat, then the course with lesson and kind, then a hint, then the state. */
const fourCells = (cells: readonly CellText[][], seats: ReadonlyMap<string, string>): Exam | null => {
  const [when = [], course = [], hint = []] = cells;
  const texts = when.filter(({ seatId }) => seatId === null);
  const time = clean(texts.find(({ isSpan }) => !isSpan)?.text ?? '');
  const places = texts.filter(({ isSpan }) => isSpan).map(({ text }) => clean(text));
  const seatId = when.find((each) => each.seatId !== null)?.seatId ?? null;
  const [name = '', lesson = ''] = course.filter(({ isTag }) => !isTag).map(({ text }) => clean(text));
  const kind = clean(course.find(({ isTag }) => isTag)?.text ?? '');
  if (name === '') return null;
  const seat = seatId === null ? null : (seats.get(seatId) ?? null);
  return examOf(time, places, seat, { name, lesson, kind, hint: clean(hint.map(({ text }) => text).join(' ')) });
};

/** Name, time, room, seat, building and campus. */
const sixCells = (cells: readonly CellText[][]): Exam | null => {
  const [name = '', time = '', room = '', seat = '', building = '', campus = ''] = cells.map((cell) =>
    clean(cell.map(({ text }) => text).join(' ')),
  );
  const named = { name, lesson: '', kind: '', hint: '' };
  return name === '' ? null : examOf(time, [campus, building, room], seat || null, named);
};

export const examPageAlive = reader(
  'examPageAlive',
  (page: string): boolean => /\sid\s{0,4}=\s{0,4}["']?exams(?![\w-])/i.test(page) || page.includes('exam-table'),
);

/** Exams of all terms. An empty table has no row, or one that says so. */
export const parseExams = reader('parseExams', (page: string): { exams: Exam[]; dropped: number } => {
  const rows = rowsOf(page);
  if (rows === null) throw unreadable(system, 'page without exams');
  const seats = seatsIn(page);
  // A row of the head has no cells; one cell says that there is nothing.
  const isNotice = ([only = [], ...more]: readonly CellText[][]): boolean =>
    more.length === 0 && /[无没]/.test(only.map(({ text }) => text).join(''));
  const listed = rows.filter(({ isEmpty, cells }) => !isEmpty && cells.length > 0 && !isNotice(cells));
  const exams = listed.flatMap(({ cells }) => {
    const found = cells.length === 4 ? fourCells(cells, seats) : cells.length === 6 ? sixCells(cells) : null;
    return found ?? [];
  });
  if (listed.length > 0 && exams.length === 0) throw unreadable(system, 'exams of another shape');
  return { exams, dropped: listed.length - exams.length };
});
