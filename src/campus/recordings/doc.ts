import type { Doc, DocDraft, IsKept } from './cells.ts';
import { htmlCells } from './html-cells.ts';
import { scriptCells } from './script-cells.ts';

/** Deeper than any page: a text in a text in a script. */
const deepest = 4;

const markup =
  /<\/?(?:a|b|i|p|br|div|span|font|t[dhr]|table|ul|li|label|strong|em|h\d|img|input|button|option)(?:[\s/][^<>]*)?>/i;
const looksNested = (value: string): boolean => /^\s*[[{][\s\S]*[\]}]\s*$/.test(value) || markup.test(value);

/** Cells in their order, none inside another one. */
export const docOf = (text: string, isKept: IsKept, base = '', depth = 0): Doc => {
  const innerOf: DocDraft['innerOf'] = (value, group) =>
    depth < deepest && looksNested(value) ? docOf(value, isKept, group, depth + 1) : null;
  const draft: DocDraft = { text, cells: [], lists: [], isKept, innerOf };
  if (/^\s*(?:\uFEFF\s*)?</.test(text) || (depth > 0 && !/^\s*[[{]/.test(text))) htmlCells(draft, base);
  else scriptCells(draft, { from: 0, to: text.length }, base);
  const { cells, lists } = draft;
  return { text, lists, cells: cells.filter(({ from, to }) => to > from).toSorted((a, b) => a.from - b.from) };
};
