import type { Term } from '../../../domain/academics/records.ts';
import { isoDateOr, isZoned } from '../../../lib/moments.ts';
import { dayNumber } from '../../../lib/time.ts';
import { type JsonObject, label, str } from '../../parsing/cells.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { type EmapRows, readEmapRows } from './envelope.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

/** `2025-2026-1` → `2025-2026-1-1`; `""` for other codes, such as those of graduates (`20261`). */
export const termCodeOf = (own: string): string => (/^\d{4}-\d{4}-[1-9]$/.test(own) ? `${own}-1` : '');

/** The way back. A code that is none of this school stays what it is, and the school says so. */
export const ownTermOf = (code: string): string => code.replace(/^(\d{4}-\d{4}-[1-9])-1$/, '$1');

export const parseTermList = reader('parseTermList', (text: string) =>
  readEmapRows<Omit<Term, 'is_current'>>(text, {
    names: ['xnxqcx'],
    members: ['DM'],
    read({ DM, MC }) {
      const term_code = termCodeOf(str(DM));
      return term_code === '' ? null : { term_code, term_name: label(MC) || str(DM) };
    },
  }),
);

export const parseCurrentTerm = reader('parseCurrentTerm', (text: string): EmapRows<string> & { code: string } => {
  const read = ({ DM }: JsonObject): string => termCodeOf(str(DM));
  const found = readEmapRows(text, { names: ['dqxnxq'], members: ['DM'], read });
  const [code = '', ...others] = new Set(found.rows);
  if (code === '' || others.length > 0) throw unreadable(system, 'no current term');
  return { ...found, code };
});

interface TermDay {
  /** The term as the school names it; empty: the row does not say. */
  readonly own: string;
  /** Empty: not stated. */
  readonly firstDay: string;
}

/** Not every school heeds the term that it is asked for. How many weeks the term has is not stated. */
export const parseTermStarts = reader('parseTermStarts', (text: string) =>
  readEmapRows<TermDay>(text, {
    names: ['cxjcs'],
    members: ['XQKSRQ'],
    read({ XN, XQ, XNXQDM, XQKSRQ }) {
      const firstDay = isoDateOr(str(XQKSRQ));
      if (firstDay !== '' && dayNumber(firstDay) === null && !isZoned(firstDay)) return null;
      return { own: str(XNXQDM) || (str(XN) && str(XQ) ? `${str(XN)}-${str(XQ)}` : ''), firstDay };
    },
  }),
);

/** @throws Failure `upstream-unreadable` where no row, or more than one day, is meant for this term */
export const firstDayOf = (rows: readonly TermDay[], own: string): string => {
  const named = rows.filter((row) => row.own === own);
  const isOther = (row: TermDay): boolean => termCodeOf(row.own) !== '' && row.own !== own;
  const meant = named.length > 0 ? named : rows.filter((row) => !isOther(row));
  const [firstDay = '', ...others] = new Set(meant.map((row) => row.firstDay).filter(Boolean));
  if (firstDay === '' || others.length > 0) throw unreadable(system, 'term without first day');
  return firstDay;
};
