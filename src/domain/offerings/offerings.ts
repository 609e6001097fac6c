import { LRUCache } from 'lru-cache';
import { boundSize } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { CallContext, Student } from '../context.ts';
import { type Failure, failures } from '../errors.ts';
import { type PortOf, plainReads } from '../reads/plain-reads.ts';
import type { Reads } from '../reads/reads.ts';
import type { ReadRequest } from '../reads/shared-reading.ts';
import type { CachedValue, TimedValue } from '../reads/types.ts';
import { TermFill } from './fill.ts';
import {
  OFFERINGS_FRESH_SECONDS,
  type OfferingRows,
  type OfferingsCampus,
  offeringReads,
  offeringsPageSize,
  plainOfferingReads,
} from './records.ts';
import { classesOf, filterClasses, type OfferedClass, type OfferingFilter, type Searchable } from './search.ts';

/** No campus offers more in a term. */
const mostPages = 100;
/** Terms whose grouped classes are cached. */
const mostTerms = 8;

export interface OfferingSearch extends OfferingFilter {
  readonly termCode: string;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface OfferingPage {
  /** Matching classes in the pages that were read. */
  readonly total: number;
  readonly classes: readonly OfferedClass[];
  /** All pages were read, within their freshness. */
  readonly isComplete: boolean;
  readonly pagesRead: number;
  readonly pageCount: number;
  /** Start of the oldest reading in it, epoch ms. */
  readonly readAt: number;
  /** When there may be more; null: nothing is being read. */
  readonly retryAfterSeconds: number | null;
}

interface OfferingsDeps {
  readonly campus: OfferingsCampus;
  readonly reads: Pick<Reads, 'read' | 'find' | 'readCached' | 'prefetch'>;
  readonly clock: Clock;
  /** `OFFERINGS_EVERY_SECONDS`, in milliseconds. */
  readonly everyMs: number;
}

type OfferingsPage = CachedValue<OfferingRows>;

/** The pages of a term after its first; null: not read. */
type LaterPages = ReadonlyArray<OfferingsPage | null>;

const freshMs = OFFERINGS_FRESH_SECONDS * 1000;

const pagesIn = ({ total }: OfferingRows): number => Math.max(1, Math.ceil(total / offeringsPageSize));

const offeringsUnreadable = (reason: string): Failure => failures.upstreamUnreadable('academics', reason);

const isAllRead = (pages: LaterPages): pages is OfferingsPage[] => pages.every((page) => page !== null);

const noteCopy = ({ reads }: CallContext, { readAt, isStale, value }: OfferingsPage): void =>
  reads?.note({ source: 'copy', readAt, old: isStale, value });

/** Whether pages are missing or stale and the call allows reading them. */
const mayFill = (student: Student, later: LaterPages, { reads }: CallContext): boolean => {
  const mayAsk = student.personal?.copiesOnly !== true && reads?.directives.onlyIfCached !== true;
  const isLacking = later.some((page) => page === null || (page.isStale && page.isDue));
  return mayAsk && isLacking && reads?.directives.noStore !== true;
};

const searchAnswerOf = (
  wanted: OfferingSearch,
  classes: readonly Searchable[],
  pages: ReadonlyArray<TimedValue<OfferingRows>>,
  rest: Pick<OfferingPage, 'isComplete' | 'pageCount' | 'retryAfterSeconds'>,
): OfferingPage => {
  const found = filterClasses(classes, wanted);
  const from = (wanted.page - 1) * wanted.pageSize;
  return {
    ...rest,
    total: found.length,
    classes: found.slice(from, from + wanted.pageSize),
    pagesRead: pages.length,
    readAt: Math.min(...pages.map(({ readAt }) => readAt)),
  };
};

interface Grouped {
  readonly pages: readonly OfferingRows[];
  readonly classes: readonly Searchable[];
}

/** Offerings and timetables of classes. Failures: those of `OfferingsCampus`, and of `Reads` for everybody. */
export class OfferingService {
  readonly #deps: OfferingsDeps;
  readonly #grouped = new LRUCache<string, Grouped>(boundSize(mostTerms));
  readonly #fills = new Map<string, TermFill>();
  /** What needs nothing but a reading. */
  readonly plain: PortOf<typeof plainOfferingReads>;

  constructor(deps: OfferingsDeps) {
    this.#deps = deps;
    this.plain = plainReads(deps.reads, plainOfferingReads, deps.campus);
  }

  classSchedule(student: Student, termCode: string, classCode: string, context: CallContext) {
    const { campus, reads } = this.#deps;
    return reads.find(student, context, {
      row: offeringReads.classSchedule,
      params: [termCode, classCode],
      ask: (inner) => campus.classSchedule(student, termCode, classCode, inner),
    });
  }

  /**
   * Searches the pages of a term that were read. A call waits for the first one; the others are read after the answer.
   * A course code is asked for by itself where a page is missing, or where it is in pages that are not all fresh. It
   * costs one request: rows beyond its page make the answer incomplete.
   */
  async search(student: Student, wanted: OfferingSearch, context: CallContext): Promise<OfferingPage> {
    const { campus, reads } = this.#deps;
    const { termCode, courseCode } = wanted;
    if (courseCode === undefined) return this.#searchTerm(student, wanted, context);
    const [first = null] = await this.#readCached(student, termCode, [1], context);
    const later = first && (await this.#laterPages(first.value, student, termCode, context));
    if (first !== null && later !== null && isAllRead(later)) {
      const all = [first, ...later];
      if (all.every(({ isDue }) => !isDue)) {
        noteCopy(context, first);
        return this.#searchPages(student, wanted, first, later, context);
      }
      const values = all.map(({ value }) => value);
      const isListed = this.#classesIn(termCode, values).some(({ course }) => course.course_code === courseCode);
      // A made-up code costs no more than any search of the term.
      if (!isListed) return this.#searchTerm(student, wanted, context);
    }
    const found = await reads.find(student, context, {
      row: offeringReads.course,
      params: [termCode, courseCode],
      ask: (inner) => campus.offeringsOf(student, termCode, courseCode, inner),
    });
    const { rows, received, total } = found.value;
    const rest = { isComplete: received >= total, pageCount: pagesIn(found.value), retryAfterSeconds: null };
    return searchAnswerOf(wanted, classesOf(rows), [found], rest);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#fills.values()].map((fill) => fill.close()));
  }

  async #searchTerm(student: Student, wanted: OfferingSearch, context: CallContext): Promise<OfferingPage> {
    const { termCode } = wanted;
    const first = await this.#deps.reads.find(student, context, this.#pageRead(student, termCode, 1));
    const later = await this.#laterPages(first.value, student, termCode, context);
    return this.#searchPages(student, wanted, first, later, context);
  }

  #searchPages(
    student: Student,
    wanted: OfferingSearch,
    first: TimedValue<OfferingRows>,
    later: LaterPages,
    context: CallContext,
  ): OfferingPage {
    const { termCode } = wanted;
    const read = later.filter((page) => page !== null);
    for (const page of read) noteCopy(context, page);
    const pages = [first, ...read];
    const values = pages.map(({ value }) => value);
    const { total } = first.value;
    // Rows that moved between two readings may have lost a class.
    const isFresh =
      this.#deps.clock.now() - first.readAt < freshMs &&
      later.every((page) => page !== null && !page.isStale && page.value.total === total);
    const received = values.reduce((sum, page) => sum + page.received, 0);
    const pageCount = later.length + 1;
    return searchAnswerOf(wanted, this.#classesIn(termCode, values), pages, {
      isComplete: isFresh && received >= total,
      pageCount,
      retryAfterSeconds: mayFill(student, later, context)
        ? this.#fillOf(termCode).want(pageCount, student, context)
        : null,
    });
  }

  #pageRead(student: Student, termCode: string, page: number): ReadRequest<OfferingRows> {
    return {
      row: offeringReads.offerings,
      params: [termCode, String(page)],
      ask: (context) => this.#deps.campus.offerings(student, termCode, page, context),
    };
  }

  #readCached(student: Student, termCode: string, numbers: readonly number[], context: CallContext) {
    const params = numbers.map((number) => [termCode, String(number)]);
    return this.#deps.reads.readCached(student, context, offeringReads.offerings, params);
  }

  async #laterPages(first: OfferingRows, student: Student, termCode: string, context: CallContext) {
    const count = pagesIn(first);
    if (count > mostPages) throw offeringsUnreadable('more offerings than a term can have');
    const numbers = Array.from({ length: count - 1 }, (_, at) => at + 2);
    return this.#readCached(student, termCode, numbers, context);
  }

  #classesIn(termCode: string, pages: readonly OfferingRows[]): readonly Searchable[] {
    const grouped = this.#grouped.get(termCode);
    if (grouped?.pages.length === pages.length && grouped.pages.every((page, at) => page === pages[at]))
      return grouped.classes;
    const classes = classesOf(pages.flatMap(({ rows }) => rows));
    this.#grouped.set(termCode, { pages, classes });
    return classes;
  }

  #fillOf(termCode: string): TermFill {
    for (const [name, fill] of this.#fills) if (fill.isIdle) this.#fills.delete(name);
    const running = this.#fills.get(termCode);
    if (running) return running;
    const fill = new TermFill(this.#deps, (page, student, context) => this.#fillPage(termCode, page, student, context));
    this.#fills.set(termCode, fill);
    return fill;
  }

  /** Returns false if there is a fresh copy of the page. */
  async #fillPage(termCode: string, page: number, student: Student, context: CallContext): Promise<boolean> {
    const [before, cached] = await this.#readCached(student, termCode, [page - 1, page], context);
    if (cached && !cached.isStale) return false;
    const wanted = this.#pageRead(student, termCode, page);
    await this.#deps.reads.prefetch(student, context, {
      ...wanted,
      async ask(inner) {
        const value = await wanted.ask(inner);
        // A campus that ignores the number of the page would have its first page shown many times.
        if (value.received > 0 && JSON.stringify(value.rows) === JSON.stringify(before?.value.rows))
          throw offeringsUnreadable('page of offerings repeats itself');
        return value;
      },
    });
    return true;
  }
}

type OpenOfferings = Omit<OfferingService, 'plain'> & OfferingService['plain'];
export type Offerings = Omit<OpenOfferings, 'close'>;

export const createOfferings = (deps: OfferingsDeps): OpenOfferings => {
  const service = new OfferingService(deps);
  return Object.assign(service, service.plain);
};
