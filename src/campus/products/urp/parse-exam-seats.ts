import type { ExamSeat } from '../../../domain/academics/exams.ts';
import type { ExamExtras } from '../../../domain/academics/records.ts';
import { datesIn, startTimesIn } from '../../../lib/moments.ts';
import { optCount } from '../../parsing/cells.ts';
import { seatOf } from '../../parsing/exam-times.ts';
import { hasCssClasses, hasEnd, htmlTokens } from '../../parsing/html-tokens.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { collapse, decodeEntities } from '../../parsing/text.ts';

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

const seatLabel = '座位号';
/** Its spellings on other pages. */
const seatLabels = /座\s{0,2}位\s{0,2}号|座位(?=\s?[:：])/g;
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

const seatsIn = (text: string): number => text.split(seatLabel).length - 1;

/** @throws Failure `upstream-unreadable` where most seats stand outside of the blocks: they would look like "no seats" */
const blocksOf = (page: string): Block[] => {
  const blocks: Block[] = [];
  let [inside, outside] = [0, 0];
  let block: Block | null = null;
  let inTitle = false;
  for (const token of htmlTokens(page)) {
    if (block !== null) followHint(block, token);
    if (token.kind === 'open') {
      if (token.name === 'h5' && hasCssClasses(token.attributes, 'widget-title')) {
        if (blocks.length === mostBlocks) throw unreadable('academics', 'too many exam blocks');
        block = { title: '', body: '', hasBody: false, hintDepth: null, hintEnd: null };
        blocks.push(block);
        inTitle = true;
      } else if (token.name === 'div' && block !== null) {
        // A box without a title ends the one before it.
        if (hasCssClasses(token.attributes, 'widget-box')) block = null;
        else if (hasCssClasses(token.attributes, 'widget-main')) block.hasBody = true;
      }
      if (lineElements.has(token.name) && block?.hasBody && !inTitle) block.body += '\n';
    } else if (token.kind === 'close') {
      if (token.name === 'h5') inTitle = false;
      else if (lineElements.has(token.name) && block?.hasBody) block.body += '\n';
    } else if (token.kind === 'text') {
      if (block?.hasBody && !inTitle) inside += seatsIn(token.text);
      else outside += seatsIn(token.text);
      if (block === null) continue;
      if (inTitle) block.title += token.text.slice(0, longestBlock);
      else if (block.hasBody && block.body.length < longestBlock) {
        // Line ends of the source are none of the page.
        const text = token.text.slice(0, longestBlock).replace(/\s/g, ' ').replace(seatLabels, seatLabel);
        block.body += text;
        if (block.hintEnd === null && text.includes(HINT)) block.hintDepth ??= 0;
      }
    }
  }
  if (outside > inside) throw unreadable('academics', 'seats outside of exam blocks');
  return blocks;
};

/** `（ECO1201003-02）微观经济学（已结束）` → 微观经济学; a name that is nothing but its brackets is kept. */
const courseNameOf = (title: string): string => {
  const text = title.replace(/\s?[（(]\s?已结束\s?[）)]$/, '');
  const bare = text.replace(/^[（([【][^（()）[\]【】]*[）)\]】]\s?/, '');
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
  const group = /^[（([【]([^（()）[\]【】]{1,100})[）)\]】]/.exec(title)?.[1]?.trim() ?? '';
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
/** `3排备注：` may be the third row, or seat 3 and a remark about rows. */
const isCutInDoubt = (line: string): boolean =>
  /座位号\s?[:：][^:：]*\d[排列行座号组]\p{Script=Han}{1,20}\s?[:：]/u.test(line);

const seatIn = (lines: readonly string[]): string | null => {
  const seated = lines.filter((line) => line.includes(seatLabel));
  const seat = seatOf(behind(seated, seatLabel, nextLabel) ?? '');
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
    // With a seat ahead of the first day, or several days in a line, there is no telling whose seat it is.
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
