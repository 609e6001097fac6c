import type { CoursePlace } from '../../../domain/academics/ports.ts';
import { isRecord } from '../../../lib/text.ts';
import { int, type JsonObject, label, str } from '../../parsing/cells.ts';
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

type Part = keyof typeof names;

/** Members may be in the row or in its `id`, which elsewhere is a text. */
interface Holder {
  readonly row: JsonObject;
  readonly id: JsonObject;
}

const memberOf = ({ row, id }: Holder, part: Part): unknown => {
  for (const name of names[part]) {
    const value = id[name] ?? row[name];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
};

const hasPart = ({ row, id }: Holder, part: Part): boolean => names[part].some((name) => name in row || name in id);

const weekdays = '一二三四五六日';

/** 1 to 7, 星期三 or 周日; 0 for anything else. */
const weekdayOf = (value: unknown): number => {
  const named =
    typeof value === 'string' ? /^(?:星期|礼拜|周)([一二三四五六日天])$/.exec(value.trim())?.[1] : undefined;
  const day = named === undefined ? int(value) : weekdays.indexOf(named === '天' ? '日' : named) + 1;
  return day >= 1 && day <= 7 ? day : 0;
};

/** `3`, `第3节`, `3-4`, `第3-4节`: where it begins and, where it says so, how long it is; null for anything else. */
const sessionsIn = (value: unknown): { readonly first: number; readonly count: number | null } | null => {
  if (typeof value !== 'string' || /^\s*(?:\d+\s*)?$/.test(value)) return { first: int(value), count: null };
  const [, from = '', to] =
    /^第?\s?(\d{1,2})\s?(?:[-－–—~～至到,，、]\s?(\d{1,2}))?\s?(?:小)?节?$/.exec(value.trim()) ?? [];
  if (from === '' || (to !== undefined && Number(to) < Number(from))) return null;
  return { first: Number(from), count: to === undefined ? null : Number(to) - Number(from) + 1 };
};

/** `none`: it states no time. `unreadable`: it states one in a way that we do not know. */
export type PlaceReading = CoursePlace | 'none' | 'unreadable';

/**
 * When and where: of timetables, of the rows of offerings and of the timetables of classes.
 * @param weeks of the course, for places that state none
 */
export const placeIn = (row: JsonObject, weeks = ''): PlaceReading => {
  const holder: Holder = { row, id: isRecord(row.id) ? row.id : {} };
  if (!hasPart(holder, 'weekday')) return 'unreadable';
  const stated = memberOf(holder, 'weekday');
  const weekday = weekdayOf(stated);
  if (weekday === 0) return ['', '0'].includes(str(stated)) ? 'none' : 'unreadable';
  const sessions = sessionsIn(memberOf(holder, 'firstSession'));
  if (sessions === null) return 'unreadable';
  const weekDescription = label(memberOf(holder, 'weekDescription'));
  const mask = str(memberOf(holder, 'weekMask'));
  return {
    weekday,
    firstSession: sessions.first,
    sessionCount: sessions.count ?? int(memberOf(holder, 'sessionCount')),
    weekMask: weekMask(mask === '' && weekDescription === '' ? weeks : mask, weekDescription),
    weekDescription,
    campus: label(memberOf(holder, 'campus')),
    building: label(memberOf(holder, 'building')),
    room: label(memberOf(holder, 'room')),
  };
};
