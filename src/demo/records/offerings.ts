import { codeOf, type DemoTerm, nameOf, type Present, termIn } from './calendar.ts';
import type { DemoCourse } from './courses.ts';
import { chineseLiterature, classNameOf, computerScience, type Programme } from './programmes.ts';
import { place } from './timetable.ts';

/** A row of the offerings as sent: one for each time and place of a class. */
export type OfferingRecord = Readonly<Record<string, unknown>>;

/** Classes that attend the courses of a programme; all others of the department have none. */
const CLASSES_WITH_COURSES = 3;
const YEARS = 4;
/** Three pages of two hundred. */
const ROWS = 450;
/** The last row of the first page: the class there continues on the second one. */
const LAST_OF_PAGE = 199;
const PAST_TERMS = 4;

/** In the order in which the campus names them. */
export const departments: readonly Programme[] = [computerScience, chineseLiterature];
const CLASSES_OF: ReadonlyMap<Programme, number> = new Map([
  [computerScience, 503],
  [chineseLiterature, 12],
]);

/** The term next to another one, before or after it, summers included. */
const beside = ({ year, season }: DemoTerm, step: 1 | -1): DemoTerm => {
  const next = season + step;
  if (next < 1) return termIn(year - 1, 3);
  return next > 3 ? termIn(year + 1, 1) : termIn(year, next);
};

/** The next term before it has a timetable, this one, and some before it. */
export const offeredTerms = ({ term }: Present): readonly DemoTerm[] => {
  const terms = [beside(term, 1), term];
  for (let last = term; terms.length < PAST_TERMS + 2; ) {
    last = beside(last, -1);
    terms.push(last);
  }
  return terms;
};

export const termOf = (code: string, present: Present): DemoTerm | undefined =>
  offeredTerms(present).find((term) => codeOf(term) === code);

export const termLabel = (term: DemoTerm, { term: current }: Present): string =>
  term.firstDay === current.firstDay ? `${nameOf(term)}（当前）` : nameOf(term);

const coursesOf = ({ courses }: Programme, entry: number, { year, season }: DemoTerm): readonly DemoCourse[] =>
  courses.filter(({ when }) => when?.season === season && when.year === year - entry + 1);

const placesOf = ({ weeks, slots, room }: DemoCourse) =>
  weeks === null ? [] : slots.map(({ day, first, count }) => place(day, first, count, weeks, room));

const teacherText = ({ teachers: [main = '', ...others] }: DemoCourse): string => `${main}* ${others.join('* ')}`;

const sharedMembers = (course: DemoCourse, at: ReturnType<typeof place> | null) => ({
  kcm: course.name,
  xf: course.credits,
  kslxmc: course.exam,
  cxjc: at?.count ?? null,
  zcsm: at?.weeks ?? null,
  xqm: at && '东校区',
  jxlm: at?.building ?? null,
  jasm: at?.room ?? null,
});

/** Numbers of places that differ from class to class, and are negative in some. */
const seatsOf = ({ code, sequence }: DemoCourse): { readonly all: number; readonly taken: number } => {
  const seed = [...code, ...sequence].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 997, 7);
  const all = 40 + (seed % 5) * 10;
  return { all, taken: all + 2 - (seed % 23) };
};

const rowsOf = (course: DemoCourse, programme: Programme, className: string, term: DemoTerm): OfferingRecord[] => {
  const { all, taken } = seatsOf(course);
  const places = placesOf(course);
  return (places.length === 0 ? [null] : places).map((at) => ({
    zxjxjhh: codeOf(term),
    kch: course.code,
    kxh: course.sequence,
    ...sharedMembers(course, at),
    xs: course.hours,
    kkxsjc: programme.home.college,
    skjs: teacherText(course),
    bkskrl: all,
    bkskyl: all - taken,
    xkmssm: '直选',
    xkxzsm: ';',
    kkxqm: '东校区',
    // Some rows name their weeks where others have a mask.
    skzc: at && (course.sequence.endsWith('2') ? (at.weeks ?? '').replace(/周.*/, '') : at.mask),
    skxq: at?.day ?? null,
    skjc: at?.first ?? null,
    kclbmc: course.nature,
    xkbz: null,
    mxbj: className,
    xss: taken,
  }));
};

/** A class of the same course beside the one of the table: another hour in another room. */
const parallel = (course: DemoCourse, number: number): DemoCourse => ({
  ...course,
  sequence: String(10 * number + Number(course.sequence)),
  room: `知行楼-${100 + number}`,
  slots: course.slots.map(({ day, ...slot }) => ({ ...slot, day: ((day + number - 1) % 7) + 1 })),
});

/** Everything that a term offers, the same for every student: what the classes attend, and parallel classes. */
export const offeringsIn = (term: DemoTerm): readonly OfferingRecord[] => {
  const attended = departments.flatMap((programme) =>
    Array.from({ length: YEARS }, (_, year) => term.year - year).flatMap((entry) =>
      coursesOf(programme, entry, term).map((course) => ({ programme, entry, course })),
    ),
  );
  const rows = attended.flatMap(({ programme, entry, course }) =>
    rowsOf(course, programme, classNameOf(programme, entry), term),
  );
  const twice = attended.find(({ course }) => course.slots.length === 2);
  for (let number = 1; rows.length < ROWS && attended.length > 0; number += 1) {
    for (const { programme, entry, course } of attended) {
      // The class that is split stands where one page ends.
      if (rows.length === LAST_OF_PAGE && twice) {
        rows.push(...rowsOf(parallel(twice.course, 90), twice.programme, '', term));
        continue;
      }
      const own = rowsOf(parallel(course, number), programme, classNameOf(programme, entry, number + 1), term);
      const most = rows.length < LAST_OF_PAGE ? LAST_OF_PAGE : ROWS;
      rows.push(...own.slice(0, most - rows.length));
    }
  }
  return rows;
};

export const gradesOf = ({ year }: DemoTerm): readonly number[] => Array.from({ length: YEARS }, (_, at) => year - at);

export const classesOf = (programme: Programme, term: DemoTerm) => {
  const { majorCode } = programme.home;
  return Array.from({ length: CLASSES_OF.get(programme) ?? 0 }, (_, index) => {
    const entry = term.year - (index % YEARS);
    const number = Math.floor(index / YEARS) + 1;
    return {
      code: `${majorCode}${entry % 100}${String(number).padStart(3, '0')}`,
      name: classNameOf(programme, entry, number),
      programme,
      entry,
      number,
    };
  });
};

/** Rows of the timetable of a class; null: it has no courses, or there is no such class. */
export const classRows = (code: string, term: DemoTerm): readonly OfferingRecord[] | null => {
  const found = departments.flatMap((programme) => classesOf(programme, term)).find((each) => each.code === code);
  if (!found || found.number > CLASSES_WITH_COURSES) return null;
  const { programme, entry, number } = found;
  const courses = coursesOf(programme, entry, term).map((course) =>
    number === 1 ? course : parallel(course, number - 1),
  );
  return courses.flatMap((course) => {
    const places = placesOf(course);
    return (places.length === 0 ? [null] : places).map((at) => ({
      id: {
        kch: course.code,
        kxh: course.sequence,
        skzc: at?.mask ?? null,
        skxq: at?.day ?? null,
        skjc: at?.first ?? null,
      },
      ...sharedMembers(course, at),
      jsm: teacherText(course),
    }));
  });
};
