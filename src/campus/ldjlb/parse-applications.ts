import type { ClubApplication } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { either, flagOrNull, knownElementsOf, text } from '../parsing/cells.ts';
import type { JsonObject } from '../parsing/scalars.ts';
import type { TicketEnvelope } from '../ticket-envelope.ts';
import { pageInfoOf } from './page-info.ts';

/** Every application names one of these, under whichever names the others go. */
const members = ['ID', 'ClubID', 'ClubId', 'IsAgree'];

const agreements: ReadonlyMap<unknown, boolean> = new Map([
  ['通过', true],
  ['同意', true],
  ['拒绝', false],
  ['驳回', false],
  ['未通过', false],
  ['失效', false],
]);

/** A boolean in its encodings, or in words; null for everything else. */
const agreedOf = (value: unknown): boolean | null =>
  flagOrNull(value) ?? agreements.get(typeof value === 'string' ? value.trim() : value) ?? null;

/** Some members go by further names in answers that one client has met. */
const applicationOf = (row: JsonObject): ClubApplication => ({
  id: text(row.ID),
  clubId: text(either(row, 'ClubID', 'ClubId')),
  clubName: text(either(row, 'ClubName', 'Name')),
  reason: text(row.Reason),
  addedAt: text(row.AddTime),
  comment: text(either(row, 'ReplyComment', 'ExamComment', 'Reply')),
  agreed: agreedOf(row.IsAgree),
  stateName: text(either(row, 'StateName', 'StatusName', 'ApplyStateName')),
});

/** One page: rows, the number of those received, and their number over all pages where it is stated. */
export const parseApplications = ({ data, body }: TicketEnvelope) => {
  const rows = knownElementsOf(data, 'labor-club', 'club applications', members);
  return { rows: rows.filter(isRecord).map(applicationOf), received: rows.length, total: pageInfoOf(body).total };
};
