import { load } from 'cheerio/slim';
import type { Term } from '../../domain/academics/types.ts';
import { selectSources } from '../parsing/html.ts';
import { collapse } from '../parsing/text.ts';
import { readable, unreadable } from '../parsing/unreadable.ts';

/** Some nine hundred terms; a longer selector is not the one we know. */
const longestSelector = 65_536;

interface Option {
  readonly value: string;
  readonly text: string;
  readonly selected: boolean;
}

const termSelector = (page: string) => {
  for (const source of selectSources(page)) {
    if (source.length > longestSelector || !source.includes('planCode')) continue;
    const $ = load(source);
    const selector = $('select#planCode');
    if (selector.length > 0) return { $, options: selector.find('option') };
  }
  return null;
};

/** The calendar page of a live session carries the term selector. */
export const calendarPageAlive = (page: string): boolean => termSelector(page) !== null;

const readOptions = (page: string): Option[] => {
  const selector = termSelector(page);
  if (selector === null) throw unreadable('academics', 'term selector missing');
  const { $, options } = selector;
  return options.toArray().map((option) => ({
    // Not `attr('value')`: for an option without one that gives its text.
    value: option.attribs.value?.trim() ?? '',
    text: collapse($(option).text()),
    selected: option.attribs.selected !== undefined,
  }));
};

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
  // A repeated code keeps its first place and takes the last text.
  const terms = new Map<string, Option>();
  for (const option of readable('academics', () => readOptions(page))) {
    if (option.value === '' || option.text === '全部') continue;
    const selected = option.selected || terms.get(option.value)?.selected === true;
    terms.set(option.value, { ...option, selected });
  }
  const kept = [...terms.values()];
  const current = kept.find((o) => o.text.includes('当前')) ?? kept.find((o) => o.selected) ?? kept[0];
  if (current === undefined) throw unreadable('academics', 'term selector without terms');
  return kept.map((o) => ({ code: o.value, name: termName(o.text), isCurrent: o === current }));
};
