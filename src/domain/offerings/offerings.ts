import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { plainReads } from '../reads/plain.ts';
import type { Reads } from '../reads/reads.ts';
import type { Read } from '../reads/shared-reading.ts';
import type { Found, Kept } from '../reads/types.ts';
import { TermFill } from './fill.ts';
import { type ClassQuery, type OfferingsCampus, offeringsPageSize } from './ports.ts';
import type { OfferingRows } from './records.ts';
import { OFFERINGS_FRESH_SECONDS, offeringReads } from './rows.ts';
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
  readonly reads: Pick<Reads, 'read' | 'found' | 'kept' | 'ahead'>;
  readonly clock: Clock;
  /** `OFFERINGS_EVERY_SECONDS`, in milliseconds. */
  readonly everyMs: number;
}

type Page = Kept<OfferingRows>;

const freshMs = OFFERINGS_FRESH_SECONDS * 1000;

const pagesIn = ({ total }: OfferingRows): number => Math.max(1, Math.ceil(total / offeringsPageSize));

const unreadable = (reason: string): Failure => new Failure('upstream-unreadable', { system: 'academics', reason });

const isWhole = (pages: ReadonlyArray<Page | null>): pages is Page[] => pages.every((page) => page !== null);

interface Grouped {
  readonly pages: readonly OfferingRows[];
  readonly classes: readonly Searchable[];
}

/** The offerings of terms, page after page as they are kept for everybody. */
class TermPages {
  readonly #deps: OfferingsDeps;
  readonly #grouped = new LRUCache<string, Grouped>(bounded(mostTerms));
  readonly #fills = new Map<string, TermFill>();

  constructor(deps: OfferingsDeps) {
    this.#deps = deps;
  }

  pageRead(student: Student, termCode: string, page: number): Read<OfferingRows> {
    return {
      row: offeringReads.offerings,
      params: [termCode, String(page)],
      ask: (context) => this.#deps.campus.offerings(student, termCode, page, context),
    };
  }

  async kept(student: Student, termCode: string, numbers: readonly number[], context: CallContext) {
    const params = numbers.map((number) => [termCode, String(number)]);
    return this.#deps.reads.kept(student, context, offeringReads.offerings, params);
  }

  async behind(first: OfferingRows, student: Student, termCode: string, context: CallContext) {
    const count = pagesIn(first);
    if (count > mostPages) throw unreadable('more offerings than a term can have');
    const numbers = Array.from({ length: count - 1 }, (_, at) => at + 2);
    return this.kept(student, termCode, numbers, context);
  }

  /** Put together once for the same pages. */
  classesIn(termCode: string, pages: readonly OfferingRows[]): readonly Searchable[] {
    const cached = this.#grouped.get(termCode);
    if (cached?.pages.length === pages.length && cached.pages.every((page, at) => page === pages[at]))
      return cached.classes;
    const classes = classesOf(pages.flatMap(({ rows }) => rows));
    this.#grouped.set(termCode, { pages, classes });
    return classes;
  }

  fillOf(termCode: string): TermFill {
    for (const [name, fill] of this.#fills) if (fill.isIdle) this.#fills.delete(name);
    const running = this.#fills.get(termCode);
    if (running) return running;
    const { clock, everyMs } = this.#deps;
    const fill = new TermFill({
      clock,
      everyMs,
      readPage: (page, student, context) => this.#fillPage(termCode, page, student, context),
    });
    this.#fills.set(termCode, fill);
    return fill;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#fills.values()].map((fill) => fill.close()));
  }

  async #fillPage(termCode: string, page: number, student: Student, context: CallContext): Promise<boolean> {
    const [before, kept] = await this.kept(student, termCode, [page - 1, page], context);
    if (kept && !kept.isOld) return false;
    const wanted = this.pageRead(student, termCode, page);
    await this.#deps.reads.ahead(student, context, {
      ...wanted,
      async ask(inner) {
        const value = await wanted.ask(inner);
        // A campus that ignores the number of the page would be shown as the first one many times over.
        if (value.received > 0 && JSON.stringify(value.rows) === JSON.stringify(before?.value.rows))
          throw unreadable('page of offerings repeats itself');
        return value;
      },
    });
    return true;
  }
}

const answerOf = (
  wanted: OfferingSearch,
  classes: readonly Searchable[],
  pages: ReadonlyArray<Found<OfferingRows>>,
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

/** Searches what has been read of a term. */
class OfferingSearches {
  readonly #deps: OfferingsDeps;
  readonly #pages: TermPages;

  constructor(deps: OfferingsDeps, pages: TermPages) {
    this.#deps = deps;
    this.#pages = pages;
  }

  search(student: Student, wanted: OfferingSearch, context: CallContext): Promise<OfferingPage> {
    const { courseCode } = wanted;
    return courseCode === undefined
      ? this.#searchTerm(student, wanted, context)
      : this.#searchCourse(student, wanted, courseCode, context);
  }

  async #searchTerm(student: Student, wanted: OfferingSearch, context: CallContext): Promise<OfferingPage> {
    const { termCode } = wanted;
    const first = await this.#deps.reads.found(student, context, this.#pages.pageRead(student, termCode, 1));
    const later = await this.#pages.behind(first.value, student, termCode, context);
    return this.#searchPages(student, wanted, first, later, context);
  }

  /** Over the pages that are there; `first` among them. */
  #searchPages(
    student: Student,
    wanted: OfferingSearch,
    first: Found<OfferingRows>,
    later: ReadonlyArray<Page | null>,
    context: CallContext,
  ): OfferingPage {
    const { termCode } = wanted;
    const there = later.filter((page) => page !== null);
    for (const { readAt, isOld, value } of there) context.reads?.note({ source: 'copy', readAt, old: isOld, value });
    const pages = [first, ...there];
    const values = pages.map(({ value }) => value);
    const { total } = first.value;
    // A page that came short, or rows that moved between two pages, may have lost a class.
    const isFresh =
      this.#deps.clock.now() - first.readAt < freshMs &&
      later.every((page) => page !== null && !page.isOld && page.value.total === total);
    const received = values.reduce((sum, page) => sum + page.received, 0);
    const count = later.length + 1;
    return answerOf(wanted, this.#pages.classesIn(termCode, values), pages, {
      isComplete: isFresh && received >= total,
      pageCount: count,
      retryAfterSeconds: mayFill(student, later, context)
        ? this.#pages.fillOf(termCode).want(count, student, context)
        : null,
    });
  }

  /**
   * By its whole code: from the pages of the term where all of them are fresh, or do not have it; else asked for by
   * itself. One request is what a course may cost: rows beyond its page make it incomplete.
   */
  async #searchCourse(
    student: Student,
    wanted: OfferingSearch,
    courseCode: string,
    context: CallContext,
  ): Promise<OfferingPage> {
    const { termCode } = wanted;
    const [first = null] = await this.#pages.kept(student, termCode, [1], context);
    const later = first && (await this.#pages.behind(first.value, student, termCode, context));
    if (first !== null && later !== null && isWhole(later)) {
      const all = [first, ...later];
      if (all.every(({ isWanted }) => !isWanted)) {
        const { readAt, isOld, value } = first;
        context.reads?.note({ source: 'copy', readAt, old: isOld, value });
        return this.#searchPages(student, wanted, first, later, context);
      }
      const values = all.map(({ value }) => value);
      const isListed = this.#pages.classesIn(termCode, values).some(({ course }) => course.course_code === courseCode);
      // A made-up code costs no request of its own, only what any search of the term may cost.
      if (!isListed) return this.#searchTerm(student, wanted, context);
    }
    const found = await this.#deps.reads.found(student, context, {
      row: offeringReads.course,
      params: [termCode, courseCode],
      ask: (inner) => this.#deps.campus.offeringsOf(student, termCode, courseCode, inner),
    });
    const { rows, received, total } = found.value;
    const pageCount = pagesIn(found.value);
    const isComplete = received >= total;
    return answerOf(wanted, classesOf(rows), [found], { isComplete, pageCount, retryAfterSeconds: null });
  }
}

/** Pages are missing or old, and the call lets them be read. */
const mayFill = (student: Student, later: ReadonlyArray<Page | null>, { reads }: CallContext): boolean => {
  const mayAsk = student.personal?.copiesOnly !== true && reads?.directives.onlyIfCached !== true;
  const isLacking = later.some((page) => page === null || (page.isOld && page.isWanted));
  return mayAsk && isLacking && reads?.directives.noStore !== true;
};

const paramsOf = ({ termCode, departmentCode, majorCode, grade, page }: ClassQuery): readonly string[] => [
  termCode,
  departmentCode,
  majorCode,
  grade,
  String(page),
];

/**
 * Course offerings and timetables of classes: the same for all. Failures: those of `OfferingsCampus` and of `Reads` for
 * everybody.
 */
export const createOfferings = (deps: OfferingsDeps) => {
  const { campus, reads } = deps;
  const pages = new TermPages(deps);
  const searches = new OfferingSearches(deps, pages);
  const plain = plainReads(reads);
  return {
    terms: plain(offeringReads.terms, campus.offeringTerms),
    /** Over the pages that are there; the first call waits for the first one, and the others are read behind it. */
    search: (student: Student, wanted: OfferingSearch, context: CallContext): Promise<OfferingPage> =>
      searches.search(student, wanted, context),
    classFilters: plain(offeringReads.filters, campus.classFilters),
    classMajors: plain(offeringReads.majors, campus.classMajors),
    classes: plain(offeringReads.classes, campus.classes, paramsOf),
    /** With the start of its reading. */
    classSchedule: (student: Student, termCode: string, classCode: string, context: CallContext) =>
      reads.found(student, context, {
        row: offeringReads.classSchedule,
        params: [termCode, classCode],
        ask: (inner) => campus.classSchedule(student, termCode, classCode, inner),
      }),
    close: (): Promise<void> => pages.close(),
  };
};

export type Offerings = Omit<ReturnType<typeof createOfferings>, 'close'>;
