import type { TermStart } from '../../../domain/academics/current-term.ts';
import type { Term } from '../../../domain/academics/records.ts';
import { isoDateOr } from '../../../lib/moments.ts';
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
  const [code = ''] = found.rows;
  if (code === '') throw unreadable(system, 'no current term');
  return { ...found, code };
});

/** How many weeks the term has is not stated. */
export const parseTermStart = reader('parseTermStart', (text: string): EmapRows<string> & { start: TermStart } => {
  const read = ({ XQKSRQ }: JsonObject): string => isoDateOr(str(XQKSRQ));
  const found = readEmapRows(text, { names: ['cxjcs'], members: ['XQKSRQ'], read });
  const [firstDay = ''] = found.rows;
  if (dayNumber(firstDay) === null) throw unreadable(system, 'term without first day');
  return { ...found, start: { firstDay, weeks: 0 } };
});
