import type { CoursePlace, ScheduledCourse } from '../../../domain/academics/ports.ts';
import { type JsonObject, label, str } from '../../parsing/cells.ts';
import { readersOf } from '../../parsing/reading.ts';
import { readEmapRows } from './envelope.ts';
import { classKeyOf, type EmapCourse, placeTimeOf, weeksOf } from './parse-timetable.ts';

const reader = readersOf(import.meta.url);

type PlaceTime = Pick<CoursePlace, 'weekday' | 'firstSession' | 'sessionCount' | 'weekMask'>;

/** A class that was moved, cancelled or made up. The table itself does not know of it. */
export interface ClassChange {
  readonly key: string;
  /** False for a kind that we do not know, or without the times that its kind needs. */
  readonly isClear: boolean;
  readonly from: PlaceTime | null;
  readonly to: CoursePlace | null;
}

/** Which times each kind states: moved, cancelled, made up. */
const kinds: Readonly<Record<string, { readonly from: boolean; readonly to: boolean }>> = {
  '01': { from: true, to: true },
  '02': { from: true, to: false },
  '03': { from: false, to: true },
};

/** `1,3,5-9周`. */
const weekWordsOf = (mask: string): string => {
  const runs = [...mask.matchAll(/1+/g)].map(({ index, 0: { length } }) =>
    length === 1 ? `${index + 1}` : `${index + 1}-${index + length}`,
  );
  return runs.length === 0 ? '' : `${runs.join(',')}周`;
};

const newPlace = (row: JsonObject): CoursePlace | null => {
  const { XSKXQ: weekday, XKSJC: first, XJSJC: last } = row;
  const time = placeTimeOf({ weekday, first, last, weekMask: weeksOf(row.XSKZC, '') });
  if (time === null) return null;
  return { ...time, weekDescription: weekWordsOf(time.weekMask), campus: '', building: '', room: label(row.XJASMC) };
};

const changeOf = (row: JsonObject): ClassChange | null => {
  const key = classKeyOf(row);
  if (key === '') return null;
  const kind = kinds[str(row.TKLXDM)];
  const { SKXQ: weekday, KSJC: first, JSJC: last } = row;
  const from = kind?.from ? placeTimeOf({ weekday, first, last, weekMask: weeksOf(row.SKZC, '') }) : null;
  const to = kind?.to ? newPlace(row) : null;
  const isClear = kind !== undefined && kind.from === (from !== null) && kind.to === (to !== null);
  return { key, isClear, from, to };
};

/** In the order of the campus: newest first. */
export const parseChanges = reader('parseChanges', (text: string) =>
  readEmapRows(text, { names: ['xsdkkc'], members: ['TKLXDM', 'KCH', 'KCM'], most: 500, read: changeOf }),
);

const isAt = (place: PlaceTime, time: PlaceTime): boolean =>
  place.weekday === time.weekday &&
  place.firstSession === time.firstSession &&
  place.sessionCount === time.sessionCount;

const hasWeek = ({ weekMask }: PlaceTime, week: number): boolean => weekMask[week] === '1';

/** The places without the weeks of that time; null where they do not have all of them. */
const removeTime = (places: readonly CoursePlace[], time: PlaceTime): CoursePlace[] | null => {
  const there = places.filter((place) => isAt(place, time));
  const taken = [...time.weekMask].flatMap((sign, week) => (sign === '1' ? week : []));
  if (!taken.every((week) => there.some((place) => hasWeek(place, week)))) return null;
  return places.flatMap((place) => {
    if (!there.includes(place) || !taken.some((week) => hasWeek(place, week))) return place;
    const weekMask = [...place.weekMask].map((sign, week) => (hasWeek(time, week) ? '0' : sign)).join('');
    return weekMask.includes('1') ? { ...place, weekMask, weekDescription: weekWordsOf(weekMask) } : [];
  });
};

const REMARK = '学校公布了调课，具体以教务系统为准';

const changeCourse = (course: ScheduledCourse, { isClear, from, to }: ClassChange): ScheduledCourse | null => {
  if (!isClear) return null;
  const left = from === null ? course.places : removeTime(course.places, from);
  return left && { ...course, places: to === null ? left : [...left, to] };
};

const remark = (course: ScheduledCourse): ScheduledCourse => ({
  ...course,
  ...(course.extras && { extras: { ...course.extras, remark: REMARK } }),
});

/** The table after all changes, and how many of them could only be told in a remark, or not at all. */
export const withChanges = (
  courses: readonly EmapCourse[],
  changes: readonly ClassChange[],
): { courses: ScheduledCourse[]; unclear: number } => {
  const byKey = new Map(courses.map(({ key, course }) => [key, course]));
  let unclear = 0;
  // What was moved twice was first moved to where the second change finds it.
  for (const change of changes.toReversed()) {
    const course = byKey.get(change.key);
    const after = course === undefined ? null : changeCourse(course, change);
    if (after === null) unclear += 1;
    if (course !== undefined) byKey.set(change.key, after ?? remark(course));
  }
  return { courses: [...byKey.values()], unclear };
};
