import { isFixedCode, type Member, mapTexts, scrubRecord, scrubText } from './atoms.ts';
import { type DocCell, leavesOf } from './cells.ts';
import { encodeText } from './charset.ts';
import { Ledger } from './ledger.ts';
import { blankOf, type ParsedExchange, withCells } from './pages.ts';
import type { Exchange, Landed, RecordedPage, RecordedReading, Replay } from './recording.ts';
import type { ReducedWork } from './reduce.ts';
import { saysNothing } from './texts.ts';
import { isKeptName, isMarkup } from './words.ts';
import type { ScrubWork } from './work.ts';

export interface ScrubbedWork {
  readonly exchanges: readonly Exchange[];
  /** As the scrubbed pages are read. */
  readonly readings: readonly RecordedReading[];
  /** As the records of the pages before are scrubbed: the same. */
  readonly expected: readonly unknown[];
  readonly landed: Landed;
  readonly ledger: Ledger;
}

/** Codes that decide stay in other places as well, and in records. */
const findFixed = ({ pages, learned, atoms }: ScrubWork): ReadonlySet<string> =>
  new Set(
    pages.flatMap(({ doc, place }) =>
      (doc === null ? [] : leavesOf(doc)).flatMap(({ value, group }) =>
        isFixedCode(value.trim(), learned(place, group) ?? new Set(), atoms) ? [value.trim()] : [],
      ),
    ),
  );

const ledgerOf = (work: ReducedWork): Ledger => {
  const { recorded, pages, atoms, left, isKept } = work;
  const year = new Date(recorded.now).getUTCFullYear();
  const { userid } = recorded;
  const ledger = new Ledger({ userid, year, dates: atoms.dates, left, fixed: findFixed(work), isKept });
  // Scripts go through members that are numbers by their size, so the first codes are theirs.
  const numbered = pages
    .flatMap(({ doc }) => (doc === null ? [] : leavesOf(doc)))
    .filter(({ kind, value }) => kind === 'name' && /^\d+$/.test(value));
  for (const { value } of numbered.toSorted((a, b) => Number(a.value) - Number(b.value))) ledger.code(value);
  return ledger;
};

/** Names that pages and requests have in common. */
const nameScrubber = (isKept: ScrubWork['isKept'], ledger: Ledger) => ({
  nameOf: (name: string): string => (isKept(name) || isMarkup(name) || saysNothing(name) ? name : ledger.name(name)),
  // Names of fields stand on a page, and in the request that sends its form back.
  fieldOf: (name: string): string =>
    name
      .split('$')
      .map((part) => (isKeptName(part, isKept) ? part : ledger.code(part)))
      .join('$'),
});

/**
 * @param marked pages whose kept words all stay: a mark of theirs stands in a cell that is replaced, so that no trial has
 *   found where it stands as well
 */
const pageScrubber = ({ atoms, learned, isKept }: ScrubWork, ledger: Ledger, marked: ReadonlySet<RecordedPage>) => {
  const { nameOf, fieldOf } = nameScrubber(isKept, ledger);
  const scrubName = ({ value, group }: DocCell): string => {
    if (group.endsWith('@class')) return value.split(/(\s+)/).map(nameOf).join('');
    if (isKept(value) || isMarkup(value)) return value;
    // A member that is data, such as the id of a course.
    return group.endsWith('{}') && /\d/.test(value) && !/^x\d+$/.test(value) ? ledger.code(value) : nameOf(value);
  };
  return ({ place, exchange: { page, charset } }: ParsedExchange) =>
    (cell: DocCell): string => {
      const { kind, value, group } = cell;
      if (kind === 'name') return scrubName(cell);
      if (kind === 'hidden') {
        ledger.noteGone(value);
        return '';
      }
      const members = page === 'sign-in' ? undefined : learned(place, group);
      if (members === undefined) {
        if (marked.has(page) && isKept(value.trim())) return value;
        ledger.noteGone(value);
        return blankOf(cell, charset);
      }
      if (value === 'true' || value === 'false') return value;
      return group.endsWith('@name') ? fieldOf(value) : scrubText(value, members, { atoms, ledger, isKept });
    };
};

const asked: ReadonlySet<Member> = new Set(['asked.term_id']);

const requestScrubber = ({ recorded, atoms, isKept }: ScrubWork, ledger: Ledger) => {
  const { nameOf, fieldOf } = nameScrubber(isKept, ledger);
  // The moment and the place of the recording are in `recording.json` as well.
  const facts = new Set([String(recorded.now), recorded.timeZone]);
  const scrubAsked = (value: string): string =>
    facts.has(value) ? value : scrubText(value, asked, { atoms, ledger, isKept });
  // How a list is divided into pages is nobody's.
  const divides = (name: string, value: string): boolean =>
    /page|size|index|num/i.test(name) && /^\d{1,3}$/.test(value);
  const scrubRequest = ({ page, path, query, form, location, cookies }: Exchange) => {
    // Names of a sign-in are those of programmers; elsewhere what is asked for may stand in them.
    const isSignIn = page === 'sign-in';
    const stepOf = (step: string): string =>
      isKeptName(step, isKept) ? step : isSignIn ? nameOf(step) : scrubAsked(step);
    const pairOf = ([name, value]: readonly [string, string]): readonly [string, string] =>
      isSignIn ? [nameOf(name), ''] : [fieldOf(name), divides(name, value) ? value : scrubAsked(value)];
    return {
      path: path.split('/').map(stepOf).join('/'),
      query: query.map(pairOf),
      form: form.map(pairOf),
      location: location === null ? null : isSignIn ? '某' : scrubAsked(location),
      cookies: cookies.map(nameOf),
    };
  };
  return { scrubAsked, scrubRequest };
};

/** A picture of one dot. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

/** Exchanges that say whether their text was asked for. */
const watch = (exchanges: readonly Exchange[], used: Set<Exchange>): readonly Exchange[] =>
  exchanges.map((exchange) => ({
    ...exchange,
    get text() {
      used.add(exchange);
      return exchange.text;
    },
  }));

const scrubOnce = async (
  work: ReducedWork,
  replay: Replay,
  marked: ReadonlySet<RecordedPage>,
): Promise<ScrubbedWork> => {
  const { recorded, pages, atoms, isKept } = work;
  const ledger = ledgerOf(work);
  const scrubPage = pageScrubber(work, ledger, marked);
  const { scrubAsked, scrubRequest } = requestScrubber(work, ledger);
  const exchanges = pages.map((page): Exchange => {
    const next = withCells(page, scrubPage(page));
    const body = page.doc === null ? picture : encodeText(next.text, next.charset);
    const encoded = body === null ? { body: Buffer.from(next.text), charset: 'utf-8' } : { body };
    return { ...next, ...scrubRequest(page.exchange), ...encoded };
  });
  const calls = recorded.readings.map(({ page, parameters }) => ({
    page,
    parameters: parameters.map((each) => mapTexts(each, scrubAsked)),
  }));
  const expected = recorded.readings.map((reading) => scrubRecord(reading, { atoms, ledger, isKept }));
  const landed = mapTexts(recorded.landed, scrubAsked) as Landed;
  const used = new Set<Exchange>();
  const readings = await replay(watch(exchanges, used), calls, { userid: ledger.userid, landed });
  // A list that says how many pages it has may say less now.
  const left = exchanges.filter((exchange) => exchange.page === 'sign-in' || used.has(exchange));
  return { exchanges: left, readings, expected, landed, ledger };
};

export const scrubPages = async (work: ReducedWork, replay: Replay): Promise<ScrubbedWork> => {
  const first = await scrubOnce(work, replay, new Set());
  const { readings } = work.recorded;
  const lost = readings.flatMap(({ page, failure }, at) => (first.readings[at]?.failure === failure ? [] : [page]));
  return lost.length === 0 ? first : scrubOnce(work, replay, new Set(lost));
};
