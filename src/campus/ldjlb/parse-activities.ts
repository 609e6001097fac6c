import type { LaborActivity, PageInfo } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { elementsOf, flagOrNull, intOrNull, text, textOrNull } from '../parsing/cells.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';
import type { TicketEnvelope } from '../ticket-envelope.ts';

/** One page of activities. */
export interface ActivitiesPage {
  readonly activities: readonly LaborActivity[];
  /** Rows on the page, unusable ones included: what paging has to count. */
  readonly received: number;
  /** Null when the answer has none. */
  readonly page: PageInfo | null;
  /** Rows over all pages; null when the answer does not state them. */
  readonly total: number | null;
}

const activityOf = (row: JsonObject): LaborActivity => ({
  id: text(row.ID),
  icon: textOrNull(row.Ico),
  state: int(row.State),
  stateName: text(row.StateName),
  typeId: text(row.TypeID),
  typeName: text(row.TypeName),
  title: text(row.Title),
  startsAt: text(row.StartTime),
  endsAt: text(row.EndTime),
  leaderId: text(row.ChargeUserNo),
  leaderName: text(row.ChargeUserName),
  clubId: text(row.ClubID),
  clubName: text(row.ClubName),
  members: int(row.MemberNum),
  addedAt: text(row.AddTime),
  places: int(row.PeopleNum),
  fewestMembers: intOrNull(row.PeopleNumMin),
  // Spelled so upstream; it means "is join".
  joined: flagOrNull(row.IsJson),
  closed: flagOrNull(row.IsClose),
  signUpFrom: text(row.SignUpStartTime),
  signUpUntil: text(row.SignUpEndTime),
});

const pageOf = (value: unknown): PageInfo | null =>
  isRecord(value)
    ? { total: int(value.TotalItemCount), size: int(value.PageSize, 20), index: int(value.CurrentPageIndex, 1) }
    : null;

/**
 * `{data: [activity…], pageInfo: {TotalItemCount, PageSize, CurrentPageIndex}}`; odd cells become their default and the
 * row stays.
 * @throws Failure `upstream-unreadable` when `data` is neither a list nor null
 */
export const parseActivities = ({ data, body }: TicketEnvelope): ActivitiesPage => {
  const rows = elementsOf(data, 'labor-club', 'activity list');
  const stated = isRecord(body.pageInfo) ? int(body.pageInfo.TotalItemCount, -1) : -1;
  return {
    activities: rows.filter(isRecord).map(activityOf),
    received: rows.length,
    page: pageOf(body.pageInfo),
    total: stated >= 0 ? stated : null,
  };
};
