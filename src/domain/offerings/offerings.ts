import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CampusWideRow, Found, Kept } from '../campus-wide/ports.ts';
import type { CampusWideReads } from '../campus-wide/reads.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { TermFill } from './fill.ts';
import { campusWideRows, type OfferingsCampus, offeringsPageSize } from './ports.ts';
import type { OfferingRows } from './records.ts';
import { classesOf, matching, type OfferedClass, type OfferingFilter, type Searchable } from './search.ts';

/** Beyond this no campus offers in a term. */
const mostPages = 100;
/** Terms that are searched at a time; more are put together again. */
const mostTerms = 8;

export interface OfferingSearch extends OfferingFilter {
  readonly termCode: string;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface OfferingPage {
  /** Classes that match, in what has been read. */
  readonly total: number;
  readonly classes: readonly OfferedClass[];
  /** Everything was read, within its freshness. */
  readonly isComplete: boolean;
  /** Pages of the campus. */
  readonly pagesRead: number;
  readonly pageCount: number;
  /** Start of the oldest reading in it, epoch ms. */
  readonly readAt: number;
  /** When more may be there; null: nothing more is on its way. */
  readonly retryAfterSeconds: number | null;
}

interface OfferingsDeps {
  readonly campus: OfferingsCampus;
  readonly reads: CampusWideReads;
  readonly clock: Clock;
  /** `OFFERINGS_EVERY_SECONDS`, in milliseconds. */
  readonly everyMs: number;
}

type Page = Kept<OfferingRows>;

const pagesIn = ({ total }: OfferingRows): number => Math.max(1, Math.ceil(total / offeringsPageSize));

interface Grouped {
  readonly pages: readonly OfferingRows[];
  readonly classes: readonly Searchable[];
}

/**
 * Course offerings and timetables of classes: the same for all. Failures: those of `OfferingsCampus` and of
 * `CampusWideReads`.
 */
export const createOfferings = ({ campus, reads, clock, everyMs }: OfferingsDeps) => {
  const grouped = new LRUCache<string, Grouped>(bounded(mostTerms));
  const fills = new Map<string, TermFill>();

  /** Put together once for the same pages. */
  const classesIn = (name: string, pages: readonly OfferingRows[]): readonly Searchable[] => {
    const cached = grouped.get(name);
    if (cached?.pages.length === pages.length && cached.pages.every((page, at) => page === pages[at]))
      return cached.classes;
    const classes = classesOf(pages.flatMap(({ rows }) => rows));
    grouped.set(name, { pages, classes });
    return classes;
  };

  const pageRead = (termCode: string, page: number) => ({
    row: campusWideRows.offerings,
    params: [termCode, String(page)],
    ask: (student: Student, context: CallContext) => campus.offerings(student, termCode, page, context),
  });

  const keptPages = (student: Student, termCode: string, numbers: readonly number[], context: CallContext) =>
    reads.kept(
      student,
      context,
      campusWideRows.offerings,
      numbers.map((number) => [termCode, String(number)]),
    );

  const laterPages = async (student: Student, termCode: string, first: OfferingRows, context: CallContext) => {
    const count = pagesIn(first);
    if (count > mostPages)
      throw new Failure('upstream-unreadable', { system: 'academics', reason: 'more offerings than a term can have' });
    const numbers = Array.from({ length: count - 1 }, (_, at) => at + 2);
    return keptPages(student, termCode, numbers, context);
  };

  const fillOf = (termCode: string): TermFill => {
    for (const [name, fill] of fills) if (fill.isIdle) fills.delete(name);
    const running = fills.get(termCode);
    if (running) return running;
    const fill = new TermFill({
      clock,
      everyMs,
      async readPage(page, student, context) {
        const [before, kept] = await keptPages(student, termCode, [page - 1, page], context);
        if (kept && !kept.isOld) return false;
        const wanted = pageRead(termCode, page);
        await reads.readAhead(student, context, {
          ...wanted,
          async ask(...asked) {
            const value = await wanted.ask(...asked);
            // A campus that ignores the number of the page would be shown as the first one many times over.
            if (value.received > 0 && JSON.stringify(value.rows) === JSON.stringify(before?.value.rows))
              throw new Failure('upstream-unreadable', {
                system: 'academics',
                reason: 'page of offerings repeats itself',
              });
            return value;
          },
        });
        return true;
      },
    });
    fills.set(termCode, fill);
    return fill;
  };

  const answerOf = (
    wanted: OfferingSearch,
    classes: readonly Searchable[],
    pages: ReadonlyArray<Page | Found<OfferingRows>>,
    rest: Pick<OfferingPage, 'isComplete' | 'pageCount' | 'retryAfterSeconds'>,
  ): OfferingPage => {
    const found = matching(classes, wanted);
    const from = (wanted.page - 1) * wanted.pageSize;
    return {
      ...rest,
      total: found.length,
      classes: found.slice(from, from + wanted.pageSize),
      pagesRead: pages.length,
      readAt: Math.min(...pages.map(({ readAt }) => readAt)),
    };
  };

  /** Over the pages that are there; `first` among them. */
  const searchTerm = (
    student: Student,
    wanted: OfferingSearch,
    first: Found<OfferingRows>,
    later: ReadonlyArray<Page | null>,
    context: CallContext,
  ): OfferingPage => {
    const { termCode } = wanted;
    const there = later.filter((page) => page !== null);
    for (const { readAt, isOld, value } of there) context.reads?.note({ source: 'copy', readAt, old: isOld, value });
    const pages = [first, ...there];
    const values = pages.map(({ value }) => value);
    const { total } = first.value;
    // A page that came short, or rows that moved between two pages, may have lost a class.
    const isFresh =
      clock.now() - first.readAt < campusWideRows.offerings.freshSeconds * 1000 &&
      later.every((page) => page !== null && !page.isOld && page.value.total === total);
    const received = values.reduce((sum, page) => sum + page.received, 0);
    const mayAsk = student.personal?.copiesOnly !== true && context.reads?.wish.onlyIfCached !== true;
    const isLacking = later.some((page) => page === null || (page.isOld && page.isWanted));
    const isWanted = mayAsk && isLacking && context.reads?.wish.noStore !== true;
    const count = later.length + 1;
    return answerOf(wanted, classesIn(termCode, values), pages, {
      isComplete: isFresh && received >= total,
      pageCount: count,
      retryAfterSeconds: isWanted ? fillOf(termCode).want(count, student, context) : null,
    });
  };

  /**
   * By its whole code: from the pages of the term where all of them are fresh, else asked for by itself. One request is
   * what a course may cost: rows beyond its page make it incomplete.
   */
  const searchCourse = async (
    student: Student,
    wanted: OfferingSearch,
    courseCode: string,
    context: CallContext,
  ): Promise<OfferingPage> => {
    const { termCode } = wanted;
    const [first = null] = await keptPages(student, termCode, [1], context);
    if (first !== null && !first.isWanted) {
      const later = await laterPages(student, termCode, first.value, context);
      if (later.every((page) => page !== null && !page.isWanted)) {
        const { readAt, isOld, value } = first;
        context.reads?.note({ source: 'copy', readAt, old: isOld, value });
        return searchTerm(student, wanted, first, later, context);
      }
    }
    const found = await reads.read(student, context, {
      row: campusWideRows.course,
      params: [termCode, courseCode],
      ask: (asking, inner) => campus.offeringsOf(asking, termCode, courseCode, inner),
    });
    const { rows, received, total } = found.value;
    const pageCount = pagesIn(found.value);
    const isComplete = received >= total;
    return answerOf(wanted, classesOf(rows), [found], { isComplete, pageCount, retryAfterSeconds: null });
  };

  /** A read that is what the campus says, with its age. */
  const plain =
    <V, A extends unknown[]>(
      row: CampusWideRow<V>,
      ask: (student: Student, ...asked: [...A, CallContext]) => Promise<V>,
      paramsOf: (...asked: A) => readonly string[] = (...asked) => asked.map(String),
    ) =>
    (student: Student, ...rest: [...A, CallContext]): Promise<Found<V>> => {
      const asked = rest.slice(0, -1) as A;
      return reads.read(student, rest[rest.length - 1] as CallContext, {
        row,
        params: paramsOf(...asked),
        ask: (asking, inner) => ask(asking, ...asked, inner),
      });
    };
  const withoutAge =
    <R extends unknown[], V>(read: (...rest: R) => Promise<Found<V>>) =>
    async (...rest: R): Promise<V> =>
      (await read(...rest)).value;

  return {
    terms: withoutAge(plain(campusWideRows.terms, campus.offeringTerms)),
    /** Over the pages that are there; the first call waits for the first one, and the others are read behind it. */
    async search(student: Student, wanted: OfferingSearch, context: CallContext): Promise<OfferingPage> {
      const { termCode, courseCode } = wanted;
      if (courseCode !== undefined) return searchCourse(student, wanted, courseCode, context);
      const first = await reads.read(student, context, pageRead(termCode, 1));
      const later = await laterPages(student, termCode, first.value, context);
      return searchTerm(student, wanted, first, later, context);
    },
    classFilters: withoutAge(plain(campusWideRows.filters, campus.classFilters)),
    classMajors: withoutAge(plain(campusWideRows.majors, campus.classMajors)),
    classes: withoutAge(
      plain(campusWideRows.classes, campus.classes, ({ termCode, departmentCode, majorCode, grade, page }) => [
        termCode,
        departmentCode,
        majorCode,
        grade,
        String(page),
      ]),
    ),
    classSchedule: plain(campusWideRows.classSchedule, campus.classSchedule),
    async close() {
      await Promise.all([...fills.values()].map((fill) => fill.close()));
    },
  };
};

export type Offerings = Omit<ReturnType<typeof createOfferings>, 'close'>;
