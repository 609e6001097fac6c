import { collapse } from './text.ts';

const weeks = 24;

/** No description is longer; a cell of any other length is cut before it is searched. */
const longestDescription = 200;

const range = /(?<!\d)(\d{1,2})(?!\d)(?:[-－–—~～至到](\d{1,2})(?!\d))?/g;

/**
 * Weeks from texts like `1-16周`, `第1周-第16周`, `1-15周单周`, `2-18双` and lists of them separated by commas. 单 (odd)
 * and 双 (even) count for their own part of the list.
 */
const fromDescription = (description: string): string => {
  const mask = new Array<string>(weeks).fill('0');
  const ranges = collapse(description.slice(0, longestDescription))
    .replaceAll('第', '')
    .replace(/周? ?([-－–—~～至到]) ?/g, '$1');
  for (const part of ranges.split(/[,，、;；]/)) {
    for (const [, first, last] of part.matchAll(range)) {
      const to = Math.min(Number(last ?? first), weeks);
      for (let week = Math.max(Number(first), 1); week <= to; week += 1) {
        if (part.includes('单') && week % 2 === 0) continue;
        if (part.includes('双') && week % 2 === 1) continue;
        mask[week - 1] = '1';
      }
    }
  }
  return mask.join('');
};

/** 24 characters `0`/`1`, the first is week 1: the upstream's mask padded or cut, else what its description says. */
export const weekMask = (mask: string, description: string): string =>
  /^[01]+$/.test(mask) ? mask.slice(0, weeks).padEnd(weeks, '0') : fromDescription(description);
