import type { CoursePlace, ScheduledCourse } from '../../../domain/academics/ports.ts';
import { CourseExtras } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { countOf, type JsonObject, label, namesIn, str } from '../../parsing/cells.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { sessionOf, weekdayIn } from '../../parsing/sessions.ts';
import { weekMask } from '../../parsing/weeks.ts';
import { type EmapRows, readEmapRows } from './envelope.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';
const unsaidOfCourse = unsaidOf(CourseExtras);
/** A mask has so many weeks. */
const weeks = 24;

/** What names a course in the table and in the list of changes. */
export const classKeyOf = (row: JsonObject): string => {
  const [code, sequence] = [str(row.KCH), str(row.KXH)];
  return code === '' && sequence === '' ? label(row.KCM) : `${code} ${sequence}`;
};

const isSome = (mask: string): boolean => mask.includes('1');

/** Words settle where a mask begins; `mask` may be words itself. */
export const weeksOf = (mask: unknown, words: unknown): string => {
  const said = weekMask('', str(words));
  return isSome(said) ? said : weekMask(str(mask), '');
};

interface PlaceCells {
  readonly weekday: unknown;
  readonly first: unknown;
  readonly last: unknown;
  readonly weekMask: string;
}

/** When a place is; null where it is on no day, at no session or in no week. */
export const placeTimeOf = ({ weekday: day, first: from, last: to, weekMask }: PlaceCells) => {
  const [weekday, firstSession, last] = [weekdayIn(day), sessionOf(from), sessionOf(to)];
  if (weekday === 0 || firstSession < 1 || last < firstSession || !isSome(weekMask)) return null;
  return { weekday, firstSession, sessionCount: last - firstSession + 1, weekMask };
};

/** A table has few texts of weeks, and reading one takes longer than the rest of its row. */
const weeksReader = () => {
  const known = new Map<string, string>();
  return ({ SKZC, ZCMC }: JsonObject): string => {
    const key = `${str(SKZC)} ${str(ZCMC)}`;
    const weeks = known.get(key) ?? weeksOf(SKZC, ZCMC);
    known.set(key, weeks);
    return weeks;
  };
};
type ReadWeeks = ReturnType<typeof weeksReader>;

const placeOf = (row: JsonObject, weeksIn: ReadWeeks): CoursePlace | null => {
  const { SKXQ: weekday, KSJC: first, JSJC: last } = row;
  const time = placeTimeOf({ weekday, first, last, weekMask: weeksIn(row) });
  if (time === null) return null;
  const [building, room, campus] = [label(row.JXLMC), label(row.JASMC), label(row.XXXQMC)];
  return { ...time, weekDescription: label(row.ZCMC), campus, building, room };
};

const statesPlace = ({ SKXQ, KSJC, JSJC }: JsonObject): boolean =>
  [SKXQ, KSJC, JSJC].some((cell) => cell !== null && cell !== undefined && cell !== '');

/** Weeks that the mask of 24 cannot hold. */
const isCut = ({ SKZC }: JsonObject): boolean =>
  typeof SKZC === 'string' && SKZC.length > weeks && /^[01]+$/.test(SKZC) && isSome(SKZC.slice(weeks));

interface PlacedRow {
  readonly row: JsonObject;
  /** Null: it states none. */
  readonly place: CoursePlace | 'unread' | null;
}

export interface EmapCourse {
  readonly key: string;
  readonly course: ScheduledCourse;
}

const courseOf = (rows: readonly PlacedRow[]): ScheduledCourse => {
  const row = rows[0]?.row ?? {};
  return {
    name: label(row.KCM),
    code: str(row.KCH),
    sequence: str(row.KXH),
    teachers: namesIn(rows.map(({ row: { SKJS } }) => SKJS)).join(' '),
    nature: label(row.KCXZDM_DISPLAY),
    examType: '',
    credits: countOf(row.XF),
    places: rows.flatMap(({ place }) => (place === null || place === 'unread' ? [] : place)),
    extras: unsaidOfCourse,
  };
};

const placedRowReader =
  (weeksIn: ReadWeeks) =>
  (row: JsonObject): PlacedRow | null => {
    if (label(row.KCM) === '') return null;
    return { row, place: statesPlace(row) ? (placeOf(row, weeksIn) ?? 'unread') : null };
  };

/** The table of a term, or its courses without a time. Places that were left out or cut count as dropped. */
export const parseTimetable = reader(
  'parseTimetable',
  (text: string): Omit<EmapRows<never>, 'rows'> & { courses: EmapCourse[] } => {
    const names = ['cxxszhxqkb', 'xskcb', 'cxxsllsywpk', 'xswpkc'];
    const { rows, dropped, ...found } = readEmapRows(text, {
      names,
      members: ['KCM'],
      most: 500,
      read: placedRowReader(weeksReader()),
    });
    const lost = rows.filter(({ place }) => place === 'unread').length;
    // Places that cannot be read are no free week.
    if (lost > 0 && rows.every(({ place }) => place === null || place === 'unread')) {
      throw unreadable(system, 'places of another shape');
    }
    const courses = [...Map.groupBy(rows, ({ row }) => classKeyOf(row))];
    const cut = rows.filter(({ row, place }) => place !== null && place !== 'unread' && isCut(row)).length;
    return {
      ...found,
      courses: courses.map(([key, group]) => ({ key, course: courseOf(group) })),
      dropped: dropped + lost + cut,
    };
  },
);
