import type { CoursePlace } from '../../../domain/academics/ports.ts';
import { isRecord } from '../../../lib/text.ts';
import { countOf, type JsonObject, label, str } from '../../parsing/cells.ts';
import { sessionsIn, weekdayIn } from '../../parsing/sessions.ts';
import { weekMask } from '../../parsing/weeks.ts';

/** What the pages and releases of the system call the same thing; the first that is there counts. */
const names = {
  weekday: ['classDay', 'skxq'],
  firstSession: ['classSessions', 'skjc'],
  sessionCount: ['continuingSession', 'cxjc'],
  weekMask: ['classWeek', 'skzc'],
  weekDescription: ['weekDescription', 'zcsm'],
  campus: ['campusName', 'xqm'],
  building: ['teachingBuildingName', 'jxlm'],
  room: ['classroomName', 'jasm', 'skdd'],
} as const;

type PlaceMember = keyof typeof names;

/** Members may be in the row or in its `id`, which elsewhere is a text. */
interface Holder {
  readonly row: JsonObject;
  readonly id: JsonObject;
}

const placeMemberOf = ({ row, id }: Holder, part: PlaceMember): unknown => {
  for (const name of names[part]) {
    const value = id[name] ?? row[name];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
};

const hasPart = ({ row, id }: Holder, part: PlaceMember): boolean =>
  names[part].some((name) => name in row || name in id);

/** The mask, which may be a list: of its signs, or of the weeks themselves. */
const maskIn = (value: unknown): string => {
  if (!Array.isArray(value)) return str(value);
  const signs = value.map(str);
  return signs.length >= fewestSigns && signs.every((sign) => /^[01]$/.test(sign))
    ? signs.join('')
    : `${signs.join(',')}周`;
};
/** No term is shorter. */
const fewestSigns = 8;

/** `none`: it states no time. `unreadable`: it states one in a way that we do not know. */
export type PlaceReading = CoursePlace | 'none' | 'unreadable';

/**
 * When and where: of timetables, of the rows of offerings and of the timetables of classes.
 * @param weeks of the course, for places that state none
 */
export const placeIn = (row: JsonObject, weeks = ''): PlaceReading => {
  const holder: Holder = { row, id: isRecord(row.id) ? row.id : {} };
  if (!hasPart(holder, 'weekday')) return 'unreadable';
  const stated = placeMemberOf(holder, 'weekday');
  const weekday = weekdayIn(stated);
  if (weekday === 0) return ['', '0'].includes(str(stated)) ? 'none' : 'unreadable';
  const sessions = sessionsIn(placeMemberOf(holder, 'firstSession'));
  if (sessions === null) return 'unreadable';
  const weekDescription = label(placeMemberOf(holder, 'weekDescription'));
  const mask = maskIn(placeMemberOf(holder, 'weekMask'));
  return {
    weekday,
    firstSession: sessions.first,
    sessionCount: sessions.count ?? Math.trunc(countOf(placeMemberOf(holder, 'sessionCount'))),
    weekMask: weekMask(mask === '' && weekDescription === '' ? weeks : mask, weekDescription),
    weekDescription,
    campus: label(placeMemberOf(holder, 'campus')),
    building: label(placeMemberOf(holder, 'building')),
    room: label(placeMemberOf(holder, 'room')),
  };
};
