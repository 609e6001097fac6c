import type { ExamSeat } from '../../domain/academics/exams.ts';
import { datesIn, startTimesIn } from '../parsing/dates.ts';
import { hasClasses, hasEnd, htmlTokens } from '../parsing/html-tokens.ts';
import { collapse, decodeEntities } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** A student sits a few dozen exams. */
const mostBlocks = 1_000;
const longestBlock = 4_000;

/**
 * The exam page of a live session names the address of its calendar, or shows exams. The login form of the same page
 * layout is a box too, but has no title of that kind.
 */
export const examPageAlive = (page: string): boolean =>
  page.includes('examPlan/detail') || (page.includes('widget-box') && page.includes('widget-title'));

/** The calendar's script stands behind the blocks: a page that has neither it nor its end was cut among them. */
const isWhole = (page: string): boolean => page.includes('examPlan/detail') || hasEnd(page);

interface Block {
  title: string;
  body: string;
  hasBody: boolean;
}

const blocksOf = (page: string): Block[] => {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let inTitle = false;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'open') {
      if (token.name === 'h5' && hasClasses(token.attributes, 'widget-title')) {
        if (blocks.length === mostBlocks) throw unreadable('academics', 'too many exam blocks');
        block = { title: '', body: '', hasBody: false };
        blocks.push(block);
        inTitle = true;
      } else if (token.name === 'div' && block !== null) {
        // A box without a title of its own ends the one before it.
        if (hasClasses(token.attributes, 'widget-box')) block = null;
        else if (hasClasses(token.attributes, 'widget-main')) block.hasBody = true;
      } else if (token.name === 'br' && block !== null && !inTitle) block.body += '\n';
    } else if (token.kind === 'close') {
      if (token.name === 'h5') inTitle = false;
    } else if (token.kind === 'text' && block !== null) {
      if (inTitle) block.title += token.text.slice(0, longestBlock);
      else if (block.hasBody && block.body.length < longestBlock) {
        // Only `<br>` begins a new line.
        block.body += token.text.slice(0, longestBlock).replace(/\s/g, ' ');
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

/**
 * Up to white space, or the label that may be glued to it, and never beyond the line of its own label: behind an empty
 * seat stands something else.
 */
const seatOf = (lines: readonly string[]): string | null => {
  const at = lines.findIndex((line) => line.includes('座位号'));
  const ownLine = /座位号(.*)$/.exec(lines[at] ?? '')?.[1];
  // The colon may have slid to the next line.
  const behind = ownLine === '' ? lines[at + 1] : ownLine;
  const found = /^\s?[:：]\s?([^\s]{1,40})/.exec(behind ?? '')?.[1];
  const seat = found?.split(/准考证号|考试提示/)[0] ?? '';
  return seat === '' ? null : seat;
};

/**
 * The exam blocks of the page that state a seat. The page of a student without exams has none.
 * @throws Failure `upstream-unreadable`
 */
export const parseExamSeats = (page: string): ExamSeat[] => {
  if (!examPageAlive(page)) throw unreadable('academics', 'exam page without its marks');
  if (!isWhole(page)) throw unreadable('academics', 'exam page without its end');
  return blocksOf(page).flatMap(({ title, body, hasBody }) => {
    const lines = decodeEntities(body).split('\n').map(collapse);
    const text = lines.join(' ');
    const seat = hasBody ? seatOf(lines) : null;
    const courseName = courseNameOf(collapse(decodeEntities(title)).slice(0, 200));
    return seat === null || courseName === ''
      ? []
      : [{ courseName, seat, dates: datesIn(text), times: startTimesIn(text) }];
  });
};
