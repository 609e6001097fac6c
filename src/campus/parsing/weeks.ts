import { hanNumber, hanNumberPattern } from '../../lib/han-numbers.ts';
import { withoutDates } from '../../lib/moments.ts';
import { plainSigns } from '../../lib/plain-signs.ts';
import { maskOfWord, mostWeeks } from '../../lib/weeks-in-words.ts';
import { noteOddity } from './oddities.ts';
import { collapse } from './text.ts';

/** No description is longer; a cell of any other length is cut before it is searched. */
const longestDescription = 200;

const range = /(?<!\d)(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/g;

const isOfParity = (week: number, parity: string): boolean => parity === '' || (week % 2 === 1) === (parity === '单');

/** 单 (odd) and 双 (even) stand behind the weeks that they are meant for; one alone is meant for all of a part. */
const parityOf = (part: string, behind: string): string => {
  const said = new Set(part.match(/[单双]/g));
  return said.size < 2 ? ([...said][0] ?? '') : (/[单双]/.exec(behind)?.[0] ?? '');
};

/** The weeks of lists like `1-3,5,7-8双`. */
const weeksIn = (lists: string): number[] =>
  lists.split(/[,，、;；]/).flatMap((text) => {
    const part = text.replace(/单双周?/g, ' ');
    const found = [...part.matchAll(range)];
    return found.flatMap(({ index, 0: whole, 1: first, 2: last }, nth) => {
      const parity = parityOf(part, part.slice(index + whole.length, found[nth + 1]?.index));
      const [begin, end] = [Math.max(Number(first), 1), Number(last ?? first)];
      if (end > mostWeeks) noteOddity('weeks-beyond');
      const held: number[] = [];
      for (let week = begin; week <= Math.min(end, mostWeeks); week += 1) if (isOfParity(week, parity)) held.push(week);
      return held;
    });
  });

/** 机房3: a remark that does not speak of weeks. */
const remark = /[([{【](?![^()[\]{}【】]*[周单双])[^()[\]{}【】]*[^\d\s,，、;；\-()[\]{}【】][^()[\]{}【】]*[)\]}】]/g;

/** The text speaks of sessions, weekdays or hours too, whose numbers are no weeks. */
const speaksOfMore =
  /节|(?:星期|礼拜|(?<![单双])周)\s?[1-7](?!\d)|(?:星期|礼拜|周)\s?[一二三四五六日天]|\d\s?[:：]\s?\d/;

const number = '(?<![\\d:：周期拜])(?<!\\d\\s?[:：]\\s?)\\d{1,2}(?!\\d|\\s?[:：])';
const oneRange = `${number}(?:-\\d{1,2}(?!\\d|\\s?[:：]))?(?:\\(?[单双]\\)?)?`;
/** Lists that end with 周 or with 单 or 双. */
const listOfWeeks = new RegExp(
  `${oneRange}(?:\\s?[,，、;；]\\s?${oneRange}){0,24}\\s?(?:周(?![一二三四五六日天])(?:\\s?[|(]?[单双](?!\\d))?|(?<=[单双]\\)?\\s?)(?!\\s?节))`,
  'g',
);

/** One 单 or 双 that stands apart is meant for lists that bear none. */
const parityFor = (lists: readonly string[], rest: string): string => {
  const words = rest.match(/[单双](?=周|\s|[)}]|$)/g) ?? [];
  return words.length === 1 && !lists.some((list) => /[单双]/.test(list)) ? (words[0] ?? '') : '';
};

/** 十六 before 周, also at the beginning of a list or a range; not the day of 周一. */
const hanNumbers = new RegExp(
  `(?<![周期拜一二三四五六七八九十])${hanNumberPattern}(?=(?:\\s?[-~至到、,，]\\s?第?[一二三四五六七八九十]{1,3}){0,12}\\s?周)`,
  'g',
);

const rangePattern = '\\d{1,2}(?:-\\d{1,2})?';
const listPattern = `${rangePattern}(?:\\s?[,，、]\\s?${rangePattern}){0,24}`;
/** 单周1-15: the word may stand first. */
const parityFirst = new RegExp(`([单双])周\\s?(${listPattern})(?![\\d周-]|\\s?节|\\s周(?![一二三四五六日天]))`, 'g');
/** 除第8周: weeks without a class. */
const exception = new RegExp(`(?:除了?|不含|不包括|停课?)\\s?(${listPattern})\\s?周?外?`, 'g');

/** Of numbers that count something else: how many weeks there are, or hours. */
const otherNumbers = /[后共每隔]\s?\d{1,2}\s?周|\d{1,3}(?:\.\d)?\s?(?:学时|学分|课时|小时|次|人)/g;

/** The text with one spelling for each thing that it says of weeks. */
const usualSpelling = (description: string): string =>
  withoutDates(plainSigns(collapse(description.slice(0, longestDescription))))
    .replace(/\d{1,2}\s?月\s?\d{1,2}\s?[日号]?/g, ' ')
    .replace(hanNumbers, (han) => String(hanNumber(han) ?? han))
    .replace(/奇数?/g, '单')
    .replace(/偶数?/g, '双')
    .replaceAll('第', '')
    .replace(/周? ?[-~至到_]{1,2} ?/g, '-')
    .replace(/(?<!\d)0+(?=\d)/g, '')
    .replace(/前\s?(\d{1,2})\s?周/g, '1-$1周')
    .replace(otherNumbers, ' ')
    .replace(parityFirst, '$2周$1');

/** The lists of a text that may speak of other things: beside those, only numbers that belong to a 周, 单 or 双. */
const listsIn = (text: string): readonly string[] => {
  if (!speaksOfMore.test(text)) return [text.replace(remark, ' ')];
  const lists = [...text.matchAll(listOfWeeks)].map(([list]) => list);
  const parity = parityFor(lists, text.replace(listOfWeeks, ' '));
  return lists.map((list) => list + parity);
};

const none = '0'.repeat(mostWeeks);

/**
 * Weeks from texts like `1-16周`, `第1周-第16周`, `1-15周单周`, `2-18双` and lists of them; beside sessions, weekdays and
 * hours (`第14周 周一 5-8节 14:30~18:00`) only numbers that belong to a 周, 单 or 双.
 */
const fromDescription = (description: string): string => {
  const usual = usualSpelling(description);
  const without = new Set([...usual.matchAll(exception)].flatMap(([, list = '']) => weeksIn(list)));
  const text = usual.replace(exception, ' ');
  const held = new Set(listsIn(text).flatMap(weeksIn));
  const found = Array.from({ length: mostWeeks }, (_, at) =>
    held.has(at + 1) && !without.has(at + 1) ? '1' : '0',
  ).join('');
  return found === none ? (maskOfWord(text) ?? none) : found;
};

/** Weeks in words where a mask is due: with their word, or numbers and separators alone. */
const isWeeksInWords = (mask: string): boolean =>
  /周|单|双/.test(mask) || /^[\d\s]+[-~至到,，、;；][\d\s,，、;；\-~至到]*$/.test(mask);

/**
 * 24 characters `0`/`1`, the first is week 1: the upstream's mask padded or cut, else what its description says, else what
 * the mask says in words.
 */
export const weekMask = (given: string, description: string): string => {
  const mask = plainSigns(given);
  if (/^[01]+$/.test(mask)) {
    if (mask.length > mostWeeks) noteOddity('weeks-beyond', '', mask.slice(mostWeeks).split('1').length - 1);
    return mask.slice(0, mostWeeks).padEnd(mostWeeks, '0');
  }
  const described = fromDescription(description);
  if (described !== none) return described;
  const said = isWeeksInWords(mask) ? fromDescription(mask) : none;
  if (said === none && /\S/.test(description + mask)) noteOddity('unknown-text', 'weeks');
  return said;
};
