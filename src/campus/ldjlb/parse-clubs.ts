import type { LaborClubEntry } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { either, flag, knownElementsOf, text, textOrNull } from '../parsing/cells.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';

const clubOf = (row: JsonObject): LaborClubEntry => ({
  id: text(row.ID),
  name: text(row.Name),
  typeId: text(row.TypeID),
  typeName: text(row.TypeName),
  places: int(row.PeopleNum),
  projectId: text(row.ProjectID),
  // Three members are misspelled upstream; should that ever be mended, the right names are read as well.
  projectName: text(either(row, 'PorjectName', 'ProjectName')),
  icon: text(row.Ico),
  description: textOrNull(row.Desc),
  chairId: text(row.ChairmanNo),
  chairName: text(either(row, 'CairmanName', 'ChairmanName')),
  departmentCode: text(row.DepartCode),
  departmentName: text(either(row, 'DpeartName', 'DepartName')),
  contact: textOrNull(row.Contact),
  enabled: flag(row.IsEnable, true),
  members: int(row.MemberNum),
});

/** @throws Failure `upstream-unreadable` when the data is neither a list of clubs nor null */
export const parseClubs = (data: unknown): LaborClubEntry[] =>
  knownElementsOf(data, 'labor-club', 'club list', ['ID', 'Name']).filter(isRecord).map(clubOf);
