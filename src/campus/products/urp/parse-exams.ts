import type { Exam, ExamSeat } from '../../../domain/academics/exams.ts';
import type { ExamExtras } from '../../../domain/academics/records.ts';
import { datesIn, isoDateOr, isZoned, startTimesIn, withoutDates } from '../../../lib/moments.ts';
import { isRecord } from '../../../lib/text.ts';
import type { ListPage } from '../../contract/kit.ts';
import { type JsonObject, label, obj, optCount, optLabel, optStr, str } from '../../parsing/cells.ts';
import { isPlainNumber, type OutOfPlace, refuseCellsOutOfPlace } from '../../parsing/columns.ts';
import { hasClasses, hasEnd, htmlTokens } from '../../parsing/html-tokens.ts';
import {
  hasAnyOf,
  type Rows,
  readersOf,
  readJsonList,
  readJsonObject,
  readRows,
  records,
  unreadable,
} from '../../parsing/reading.ts';
import { collapse, decodeEntities } from '../../parsing/text.ts';
import { tellsError } from './pages.ts';

const reader = readersOf(import.meta.url);

/** A student sits a few dozen exams. */
const mostBlocks = 1_000;
const longestBlock = 4_000;

/**
 * The exam page of a live session names the address of its calendar, or shows exams. The login form of the same page
 * layout is a box too, but has no title of that kind.
 */
export const examPageAlive = reader(
  'examPageAlive',
  (page: string): boolean =>
    page.includes('examPlan/detail') || (page.includes('widget-box') && page.includes('widget-title')),
);

/** The calendar's script follows the blocks: a page that has neither it nor its end was cut among them. */
const isWhole = (page: string): boolean => page.includes('examPlan/detail') || hasEnd(page);

const HINT = '考试提示信息';
const longestHint = 500;

interface Block {
  title: string;
  body: string;
  hasBody: boolean;
  /** Elements that are open inside the one with the hint; null before it begins and after it ends. */
  hintDepth: number | null;
  /** Length of the body up to the end of that element. */
  hintEnd: number | null;
}

/** Each begins a line, and ends one. */
const lineElements = new Set(['br', 'p', 'div', 'li', 'tr']);

const emptyElements = new Set(['br', 'img', 'input', 'hr', 'wbr']);

/** Follows the element that holds the hint, up to its end. */
const followHint = (block: Block, token: { readonly kind: string; readonly name?: string }): void => {
  if (block.hintDepth === null || emptyElements.has(token.name ?? '')) return;
  if (token.kind === 'open') block.hintDepth += 1;
  else if (token.kind === 'close' && block.hintDepth > 0) block.hintDepth -= 1;
  else if (token.kind === 'close') {
    block.hintDepth = null;
    block.hintEnd = block.body.length;
  }
};

const blocksOf = (page: string): Block[] => {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let inTitle = false;
  for (const token of htmlTokens(page)) {
    if (block !== null) followHint(block, token);
    if (token.kind === 'open') {
      if (token.name === 'h5' && hasClasses(token.attributes, 'widget-title')) {
        if (blocks.length === mostBlocks) throw unreadable('academics', 'too many exam blocks');
        block = { title: '', body: '', hasBody: false, hintDepth: null, hintEnd: null };
        blocks.push(block);
        inTitle = true;
      } else if (token.name === 'div' && block !== null) {
        // A box without a title ends the one before it.
        if (hasClasses(token.attributes, 'widget-box')) block = null;
        else if (hasClasses(token.attributes, 'widget-main')) block.hasBody = true;
      }
      if (lineElements.has(token.name) && block?.hasBody && !inTitle) block.body += '\n';
    } else if (token.kind === 'close') {
      if (token.name === 'h5') inTitle = false;
      else if (lineElements.has(token.name) && block?.hasBody) block.body += '\n';
    } else if (token.kind === 'text' && block !== null) {
      if (inTitle) block.title += token.text.slice(0, longestBlock);
      else if (block.hasBody && block.body.length < longestBlock) {
        // Line ends of the source are none of the page.
        const text = token.text.slice(0, longestBlock).replace(/\s/g, ' ');
        block.body += text;
        if (block.hintEnd === null && text.includes(HINT)) block.hintDepth ??= 0;
      }
    }
  }
  return blocks;
};

/** `（ECO1201003-02）微观经济学（已结束）` → 微观经济学; a name that is nothing but its brackets is kept. */
const courseNameOf = (title: string): string => {
  const text = title.replace(/\s?[（(]\s?已结束\s?[）)]$/, '');
  const bare = text.replace(/^[（(][^（()）]*[）)]\s?/, '');
  return bare === '' ? text : bare;
};

/** The text after a label and its colon, up to what ends it or the end of the line. */
const behind = (lines: readonly string[], name: string, end?: RegExp): string | null => {
  for (const line of lines) {
    const at = line.indexOf(name);
    const rest = at < 0 ? null : /^\s?[:：]\s?(.*)$/.exec(line.slice(at + name.length))?.[1];
    if (rest === null || rest === undefined) continue;
    const text = end === undefined ? rest : (rest.split(end, 1)[0] ?? '');
    return text.trim() || null;
  }
  return null;
};

const hintIn = ({ body, hintEnd }: Block): string | null => {
  const text = collapse(decodeEntities(body.slice(0, hintEnd ?? undefined)));
  const hint = Array.from(behind([text], HINT) ?? '');
  if (hint.length === 0) return null;
  return hint.length > longestHint ? `${hint.slice(0, longestHint - 1).join('')}…` : hint.join('');
};

/** `（ECO1201003-02）微观经济学`: number and class; a group without a dash is a number alone. */
const courseIn = (title: string): Pick<ExamExtras, 'course_code' | 'course_sequence'> => {
  const group = /^[（(]([^（()）]{1,100})[）)]/.exec(title)?.[1]?.trim() ?? '';
  const dash = group.lastIndexOf('-');
  const split = dash > 0 && dash < group.length - 1;
  return {
    course_code: (split ? group.slice(0, dash) : group) || null,
    course_sequence: split ? group.slice(dash + 1) : null,
  };
};

/** The next label: a run of Han with a colon, or one of these, which may follow without a blank. */
const nextLabel = /\s?\p{Script=Han}{1,20}\s?[:：]|准考证号|考试提示|\s?\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]/u;
const hint = /考试提示/;
const seatLabel = '座位号';

/** `3排备注：` may be the third row, or seat 3 and a remark about rows. */
const isCutInDoubt = (line: string): boolean =>
  /座位号\s?[:：][^:：]*\d[排列行座号组]\p{Script=Han}{1,20}\s?[:：]/u.test(line);

const seatIn = (lines: readonly string[]): string | null => {
  const seated = lines.filter((line) => line.includes(seatLabel));
  const seat = behind(seated, seatLabel, nextLabel);
  return seat !== null && seated.some(isCutInDoubt) ? null : seat;
};

/**
 * The parts of a block that holds several exams: each begins with the line of its date. Null for one exam, whose seat may
 * stand anywhere.
 */
const daysIn = (text: string): number => new Set(datesIn(text)).size;

const sittingsOf = (lines: readonly string[]): string[][] | null => {
  const dated = lines.flatMap((line, at) => (datesIn(line).length > 0 ? [at] : []));
  const seats = lines.filter((line) => behind([line], seatLabel) !== null).length;
  if (dated.length < 2 && seats < 2) return null;
  return dated.map((from, nth) => lines.slice(from, dated[nth + 1]));
};

/** The exam blocks of the page, those without a seat as well. The page of a student without exams has none. */
export const parseExamSeats = reader('parseExamSeats', (page: string): ExamSeat[] => {
  if (!examPageAlive(page)) throw unreadable('academics', 'exam page without its marks');
  if (!isWhole(page)) throw unreadable('academics', 'exam page without its end');
  return blocksOf(page).flatMap((block) => {
    const lines = decodeEntities(block.body).split('\n').map(collapse);
    const title = collapse(decodeEntities(block.title)).slice(0, 200);
    const courseName = courseNameOf(title);
    if (!block.hasBody || courseName === '') return [];
    const course = courseIn(title);
    const sittings = sittingsOf(lines);
    // With a seat ahead of the first day, or several days in a line, nobody can tell whose seat it is.
    const firstDay = lines.findIndex((line) => daysIn(line) > 0);
    const isLed = lines.slice(0, firstDay).some((line) => line.includes(seatLabel));
    const isInDoubt = (sittings !== null && isLed) || lines.some((line) => daysIn(line) > 1);
    return (sittings?.length ? sittings : [lines]).map((own) => {
      const text = own.join(' ');
      // A second seat of one date belongs to another one, which is not said.
      const isOne = own.filter((line) => line.includes(seatLabel)).length < 2;
      const extras = {
        ...course,
        exam_name: behind(own, '考试名称') ?? behind(lines, '考试名称'),
        week: optCount(/第(\d{1,2})周/.exec(text)?.[1]),
        admission_ticket: behind(own, '准考证号', hint),
        hint: hintIn(block),
      };
      return {
        courseName,
        seat: !isInDoubt && (isOne || sittings === null) ? seatIn(own) : null,
        dates: datesIn(text),
        times: startTimesIn(text),
        extras,
      };
    });
  });
});

const longestTitle = 2_000;

/** A title of null is how the campus writes an entry without a course. */
const toUniversityExam = (item: JsonObject): Exam | null => {
  if (typeof item.title !== 'string') return null;
  const lines = item.title
    .slice(0, longestTitle)
    .replace(/<\s{0,8}\/?\s{0,8}br\s{0,8}\/?>/gi, '\n')
    .trim()
    .split('\n')
    .map((line) => collapse(label(line)));
  const [courseName = '', time = '', ...places] = lines;
  if (courseName === '') return null;
  const start = str(item.start);
  const location = places.filter((place) => place !== '').join(' ');
  const date = isoDateOr(isZoned(start) ? start : start.slice(0, 10));
  return { courseName, date, time, location, kind: 'university', note: '' };
};

/**
 * Calendar events `[{title: "<course>\n<time>\n<place>…", start: "2026-01-09"}]`; the lone `]` is how the campus writes
 * an empty list. Events without a course are dropped.
 * @throws Failure `upstream-unreadable`, also for events of which none has a title: they would look like "no exams"
 */
export const parseUniversityExams = reader(
  'parseUniversityExams',
  (text: string): { exams: Exam[]; dropped: number } => {
    if (text.replace('\uFEFF', '').trim() === ']') return { exams: [], dropped: 0 };
    const body = readJsonList(text, 'academics', 'exam calendar');
    const kind = records({ system: 'academics', what: 'exams' }, ['title'], toUniversityExam);
    const { rows: exams, dropped } = readRows(body, kind);
    return { exams, dropped };
  },
);

/** Columns of a row that is an array; the others are not read. */
const columns = { name: 2, date: 4, time: 5, place: 6, remark: 7 } as const;
const fewestColumns = 8;

const rowMembers = ['KCM', 'KSRQ', 'KSSJ'];

/** Without rows, an exam list is recognized by one of these. */
const pageMembers = ['records', 'pageContext', 'pageNum', 'pageSize'];

/** Name, date, time, place and remark of a row of either form; null for anything else. */
const cellsOf = (row: unknown): readonly unknown[] | null => {
  if (Array.isArray(row)) {
    return row.length < fewestColumns ? null : Object.values(columns).map((column): unknown => row[column]);
  }
  return hasAnyOf(row, rowMembers) && isRecord(row) ? [row.KCM, row.KSRQ, row.KSSJ, row.KSDD, row.BZ] : null;
};

/**
 * Day and hours, which may stand in one cell. A cell that says more than one day stays visible in the text of the hours,
 * because the day alone would hide it.
 */
const whenOf = (stated: string, hours: string): Pick<Exam, 'date' | 'time'> => {
  const [first, ...more] = datesIn(stated);
  if (first === undefined || isZoned(stated)) return { date: stated, time: hours };
  const saysMore = more.some((date) => date !== first) || (hours === '' && startTimesIn(stated).length > 0);
  if (!saysMore) return { date: first, time: hours };
  const rest = more.length > 0 ? stated : withoutDates(stated);
  return { date: first, time: [rest, hours].filter((text) => text !== '').join(' ') };
};

const toOtherExam = (row: unknown): Exam | null => {
  const [courseName = '', date = '', time = '', location = '', note = ''] = (cellsOf(row) ?? []).map(label);
  if (courseName === '' && date === '' && time === '') return null;
  const exam: Exam = { courseName, ...whenOf(date, time), location, kind: 'other', note };
  if (!isRecord(row)) return exam;
  const extras = {
    course_code: optStr(row.KCH),
    course_sequence: optStr(row.KXH),
    exam_name: optLabel(row.KSMC),
    week: null,
    admission_ticket: null,
    hint: null,
  };
  return Object.values(extras).some((each) => each !== null) ? { ...exam, extras } : exam;
};

const statesDay = (text: string): boolean => datesIn(text).length > 0 || isZoned(text);

/** A row that is an array may have its cells in other columns. */
const outOfPlace: ReadonlyArray<OutOfPlace<Exam>> = [
  {
    weight: 'proof',
    shows: ({ courseName, date, time, location, note }) =>
      isPlainNumber(courseName) ||
      [courseName, location].some((text) => statesDay(text) || startTimesIn(text).length > 0) ||
      (!statesDay(date) && [time, note].some(statesDay)) ||
      (time !== '' && !/\d/.test(time) && [date, note].some((text) => startTimesIn(text).length > 0)),
  },
];

/** Finds the object that holds `records`: the root, or `list` where the root has none. */
const pageOf = (body: JsonObject): JsonObject => {
  if (body.records !== undefined && body.records !== null) return body;
  if (body.list !== undefined && body.list !== null && !isRecord(body.list)) {
    throw unreadable('academics', 'exam list of the wrong type');
  }
  return isRecord(body.list) ? body.list : body;
};

/**
 * `{pageContext: {totalCount}, records: […]}`, or the same below `list`; a row is an object `{KCM, KSRQ, KSSJ, KSDD, BZ,
 * …}` or an array of eight columns at least. Null for `records` or `list` is an empty list. Odd cells become empty and
 * the row stays; rows that say nothing are dropped.
 * @throws Failure `upstream-unreadable`, also for an error without rows and for rows of which none has a known form:
 *   both would look like "no exams"
 */
export const parseOtherExams = reader('parseOtherExams', (text: string): ListPage<Exam> & Rows<Exam> => {
  const body = readJsonObject(text, 'academics');
  const page = pageOf(body);
  const found = readRows(page.records, {
    system: 'academics',
    what: 'exam rows',
    isOurs: (row) => cellsOf(row) !== null,
    read: toOtherExam,
  });
  refuseCellsOutOfPlace('academics', 'exam rows', found.rows, outOfPlace);
  const isPage = [body, page].some((part) => hasAnyOf(part, pageMembers)) || body.list === null;
  if (found.received === 0 && (tellsError(body) || !isPage)) throw unreadable('academics', 'exam answer without rows');
  const stated = (part: JsonObject): number | null => optCount(obj(part.pageContext).totalCount);
  // A count beside rows is the count of those rows; without rows, any count says that there should be some.
  const other = found.received > 0 ? null : stated(body);
  const total = other === null ? stated(page) : Math.max(stated(page) ?? 0, other);
  return { ...found, total };
});
