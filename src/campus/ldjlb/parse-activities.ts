import type { LaborActivity } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { flagOrNull, intOrNull, knownElementsOf, text, textOrNull } from '../parsing/cells.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';
import type { TicketEnvelope } from '../ticket-envelope.ts';
import { pageInfoOf, type StatedPage } from './page-info.ts';

/** One page of activities. */
interface ActivitiesPage extends StatedPage {
  readonly activities: readonly LaborActivity[];
  /** Rows on the page, unusable ones included: what paging has to count. */
  readonly received: number;
}

/** What a list and the details of an activity both tell. */
export const activityMembers = (row: JsonObject): Omit<LaborActivity, 'stateName' | 'joined'> => ({
  id: text(row.ID),
  icon: textOrNull(row.Ico),
  state: int(row.State),
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
  closed: flagOrNull(row.IsClose),
  signUpFrom: text(row.SignUpStartTime),
  signUpUntil: text(row.SignUpEndTime),
});

const activityOf = (row: JsonObject): LaborActivity => ({
  ...activityMembers(row),
  stateName: text(row.StateName),
  // Spelled so upstream; it means "is join".
  joined: flagOrNull(row.IsJson),
});

/**
 * `{data: [activity…], pageInfo: {TotalItemCount, PageSize, CurrentPageIndex}}`; odd cells become their default and the
 * row stays.
 * @throws Failure `upstream-unreadable` when `data` is neither a list of activities nor null
 */
export const parseActivities = ({ data, body }: TicketEnvelope): ActivitiesPage => {
  const rows = knownElementsOf(data, 'labor-club', 'activity list', ['ID', 'Title']);
  return {
    activities: rows.filter(isRecord).map(activityOf),
    received: rows.length,
    ...pageInfoOf(body),
  };
};
