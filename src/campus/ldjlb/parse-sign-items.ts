import type { SignItem } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { flag, knownElementsOf, text } from '../parsing/cells.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';
import type { Page } from './all-pages.ts';

const itemOf = (row: JsonObject): SignItem => ({
  id: text(row.ID),
  type: int(row.Type, 1),
  typeName: text(row.TypeName),
  startsAt: text(row.StartTime),
  endsAt: text(row.EndTime),
  signed: flag(row.IsSign),
  signedAt: text(row.SignTime),
});

/** @throws Failure `upstream-unreadable` when the data is neither such a list nor null */
export const parseSignItems = (data: unknown): Page<SignItem> => {
  const rows = knownElementsOf(data, 'labor-club', 'sign-in list', ['ID', 'StartTime']);
  return { rows: rows.filter(isRecord).map(itemOf), received: rows.length, total: null };
};
