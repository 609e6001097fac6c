import type { Term } from '../../domain/academics/records.ts';
import { type Option, optionsOf } from '../parsing/select-options.ts';
import { collapse } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** The calendar page of a live session carries the term selector. */
export const calendarPageAlive = (page: string): boolean => optionsOf(page, 'id', 'planCode') !== null;

const currentMark = /[（(]\s*当前\s*[）)]/g;

/** The campus writes 春 and 秋, the apps show the half of the academic year. */
export const termName = (text: string): string =>
  collapse(text.replace(currentMark, ' ').replaceAll('春', '下').replaceAll('秋', '上'));

/**
 * The options of `select#planCode`, newest first as the page has them. Current is the option marked `当前`, else the
 * selected one, else the first: in vacations the list may already begin with the next term.
 * @throws Failure `upstream-unreadable` when the selector is missing or names no term
 */
export const parseTermList = (page: string): Term[] => {
  const options = optionsOf(page, 'id', 'planCode');
  if (options === null) throw unreadable('academics', 'term selector missing');
  // A repeated code keeps its first place and takes the last text.
  const terms = new Map<string, Option>();
  for (const option of options) {
    if (option.value === '' || option.text === '全部') continue;
    const selected = option.selected || terms.get(option.value)?.selected === true;
    terms.set(option.value, { ...option, selected });
  }
  const kept = [...terms.values()];
  const current = kept.find((o) => o.text.includes('当前')) ?? kept.find((o) => o.selected) ?? kept[0];
  if (current === undefined) throw unreadable('academics', 'term selector without terms');
  return kept.map((o) => ({ term_code: o.value, term_name: termName(o.text), is_current: o === current }));
};
