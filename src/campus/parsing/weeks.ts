import { maskOfWord, weeks } from '../../lib/weeks-in-words.ts';
import { noteOddity } from './oddities.ts';
import { collapse } from './text.ts';

/** No description is longer; a cell of any other length is cut before it is searched. */
const longestDescription = 200;

const range = /(?<!\d)(\d{1,2})(?!\d)(?:[-－–—~～至到](\d{1,2})(?!\d))?/g;

/** Adds the weeks of lists like `1-3,5,7-8双`; 单 (odd) and 双 (even) count for their own part. */
const addLists = (mask: string[], lists: string): void => {
  for (const part of lists.split(/[,，、;；]/)) {
    for (const [, first, last] of part.matchAll(range)) {
      const end = Number(last ?? first);
      if (end > weeks) noteOddity('weeks-beyond');
      for (let week = Math.max(Number(first), 1); week <= Math.min(end, weeks); week += 1) {
        if (part.includes('单') && week % 2 === 0) continue;
        if (part.includes('双') && week % 2 === 1) continue;
        mask[week - 1] = '1';
      }
    }
  }
};

/** The text speaks of sessions, weekdays or hours too, whose numbers are no weeks. */
const speaksOfMore = /节|(?:星期|礼拜|周)\s?[一二三四五六日天1-7](?!\d)|\d\s?[:：]\s?\d/;

const number = '(?<![\\d:：周期拜])(?<!\\d\\s?[:：]\\s?)\\d{1,2}(?!\\d|\\s?[:：])';
const oneRange = `${number}(?:[-－–—~～至到]\\d{1,2}(?!\\d|\\s?[:：]))?(?:[（(]?[单双][）)]?)?`;
/** Lists that end with 周 or with 单 or 双. */
const listOfWeeks = new RegExp(
  `${oneRange}(?:\\s?[,，、;；]\\s?${oneRange}){0,24}\\s?(?:周(?![一二三四五六日天])(?:\\s?[|｜（(]?[单双](?!\\d))?|(?<=[单双][）)]?\\s?)(?!\\s?节))`,
  'g',
);

/** One 单 or 双 that stands apart is meant for lists that bear none. */
const parityFor = (lists: readonly string[], rest: string): string => {
  const words = rest.match(/[单双](?=周|\s|[)）}]|$)/g) ?? [];
  return words.length === 1 && !lists.some((list) => /[单双]/.test(list)) ? (words[0] ?? '') : '';
};

const hanDigits = '一二三四五六七八九';
/** 十六 before 周 or a dash; not the day of 周一. */
const hanNumber =
  /(?<![周期拜一二三四五六七八九十])[一二三四五六七八九]?十?[一二三四五六七八九]?(?=\s?(?:周|[-－–—~～至到]\s?第?[一二三四五六七八九十]{1,3}\s?周))/g;

const asDigits = (number: string): string => {
  if (number === '') return '';
  const [tens = '', ones = ''] = number.includes('十') ? number.split('十') : ['0', number];
  const digit = (sign: string, otherwise: number): number => (sign === '' ? otherwise : hanDigits.indexOf(sign) + 1);
  return String(digit(tens, 1) * 10 + digit(ones, 0));
};

const none = '0'.repeat(weeks);

/**
 * Weeks from texts like `1-16周`, `第1周-第16周`, `1-15周单周`, `2-18双` and lists of them; beside sessions, weekdays and
 * hours (`第14周 周一 5-8节 14:30~18:00`) only numbers that belong to a 周, 单 or 双.
 */
const fromDescription = (description: string): string => {
  const mask = new Array<string>(weeks).fill('0');
  const ranges = collapse(description.slice(0, longestDescription))
    .replace(hanNumber, asDigits)
    .replaceAll('第', '')
    .replace(/周? ?([-－–—~～至到]) ?/g, '$1');
  if (speaksOfMore.test(ranges)) {
    const lists = [...ranges.matchAll(listOfWeeks)].map(([list]) => list);
    for (const list of lists) addLists(mask, list + parityFor(lists, ranges.replace(listOfWeeks, ' ')));
  } else addLists(mask, ranges);
  const found = mask.join('');
  return found === none ? (maskOfWord(ranges) ?? none) : found;
};

/** Weeks in words where a mask is due: with their word, or numbers and separators alone. */
const isWeeksInWords = (mask: string): boolean =>
  /周|单|双/.test(mask) || /^[\d\s]+[-－–—~～至到,，、;；][\d\s,，、;；\-－–—~～至到]*$/.test(mask);

/**
 * 24 characters `0`/`1`, the first is week 1: the upstream's mask padded or cut, else what its description says, else what
 * the mask says in words.
 */
export const weekMask = (mask: string, description: string): string => {
  if (/^[01]+$/.test(mask)) {
    if (mask.length > weeks) noteOddity('weeks-beyond', '', mask.slice(weeks).split('1').length - 1);
    return mask.slice(0, weeks).padEnd(weeks, '0');
  }
  const described = fromDescription(description);
  if (described !== none || !isWeeksInWords(mask)) {
    if (described === none && /\S/.test(description)) noteOddity('unknown-text', 'weeks');
    return described;
  }
  return fromDescription(mask);
};
