import type { Term } from '../../domain/academics/records.ts';
import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { collapse, decodeEntities } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** Terms of a campus in a thousand years; a longer selector is not the one we know. */
const mostOptions = 2_000;
const longestText = 500;

interface Option {
  readonly value: string;
  readonly text: string;
  readonly selected: boolean;
}

/** The options of `select#planCode`; null where the page has no such selector, or only its beginning. */
const optionsIn = (page: string): Option[] | null => {
  if (!page.includes('planCode')) return null;
  let found: Option[] | null = null;
  let option: { value: string; text: string; selected: boolean } | null = null;
  let inGroup = false;
  for (const token of htmlTokens(page)) {
    if (found === null) {
      const isOurs = token.kind === 'open' && token.name === 'select';
      if (isOurs && attributeOf(token.attributes, 'id') === 'planCode') found = [];
    } else if (token.kind === 'text') {
      if (option !== null) option.text += token.text.slice(0, Math.max(longestText - option.text.length, 0));
    } else if (token.name === 'select' && token.kind === 'close') {
      return found.map(({ text, ...rest }) => ({ ...rest, text: collapse(decodeEntities(text)) }));
    } else if (token.name === 'optgroup') {
      // The end of a group that never began ends no option.
      if (token.kind === 'open' || inGroup) option = null;
      inGroup = token.kind === 'open';
    } else if (token.name === 'option') {
      option = null;
      if (token.kind !== 'open') continue;
      if (found.length === mostOptions) return null;
      const value = attributeOf(token.attributes, 'value')?.trim() ?? '';
      option = { value, text: '', selected: attributeOf(token.attributes, 'selected') !== null };
      found.push(option);
    }
  }
  return null;
};

/** The calendar page of a live session carries the term selector. */
export const calendarPageAlive = (page: string): boolean => optionsIn(page) !== null;

const currentMark = /[（(]\s*当前\s*[）)]/g;

/** The campus writes 春 and 秋, the apps show the half of the academic year. */
const termName = (text: string): string =>
  collapse(text.replace(currentMark, ' ').replaceAll('春', '下').replaceAll('秋', '上'));

/**
 * The options of `select#planCode`, newest first as the page has them. Current is the option marked `当前`, else the
 * selected one, else the first: in vacations the list may already begin with the next term.
 * @throws Failure `upstream-unreadable` when the selector is missing or names no term
 */
export const parseTermList = (page: string): Term[] => {
  const options = optionsIn(page);
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
