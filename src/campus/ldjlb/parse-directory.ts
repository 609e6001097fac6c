import type { DirectoryClub } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { either, flag, knownElementsOf, text, textOrNull } from '../parsing/cells.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';
import type { TicketEnvelope } from '../ticket-envelope.ts';
import { pageInfoOf, type StatedPage } from './page-info.ts';

/** One page of the directory. */
interface DirectoryPage extends StatedPage {
  readonly clubs: readonly DirectoryClub[];
  /** Rows on the page, unusable ones included: what paging has to count. */
  readonly received: number;
}

const clubOf = (row: JsonObject): DirectoryClub => ({
  id: text(row.ID),
  name: text(row.Name),
  typeId: text(row.TypeID),
  typeName: text(row.TypeName),
  projectId: text(row.ProjectID),
  // Misspelled upstream; should that ever be mended, the right name is read as well.
  projectName: text(either(row, 'PorjectName', 'ProjectName')),
  places: int(row.PeopleNum),
  members: int(row.MemberNum),
  icon: textOrNull(row.Ico),
  description: textOrNull(row.Desc),
  // Unlike in the list of joined clubs: what does not say that it is open cannot be applied for.
  enabled: flag(row.IsEnable),
  joined: flag(row.IsJoin),
});

/** Of rows with one id, in whatever case, the first counts. */
export const eachOnce = (clubs: readonly DirectoryClub[]): DirectoryClub[] => {
  const seen = new Set<string>();
  return clubs.filter(({ id }) => {
    const key = id.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/**
 * `{data: [club…], pageInfo}`; odd cells become their default and the row stays, but for rows without id or name.
 * @throws Failure `upstream-unreadable` when `data` is neither a list of clubs nor null
 */
export const parseDirectory = ({ data, body }: TicketEnvelope): DirectoryPage => {
  const rows = knownElementsOf(data, 'labor-club', 'club directory', ['ID', 'Name']);
  const clubs = rows
    .filter(isRecord)
    .map(clubOf)
    .filter(({ id, name }) => id !== '' && name !== '');
  return { clubs: eachOnce(clubs), received: rows.length, ...pageInfoOf(body) };
};
