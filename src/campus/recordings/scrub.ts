import { classOf } from '../../domain/classes.ts';
import { isRecord } from '../../lib/text.ts';
import { campusDate } from '../../lib/time.ts';
import { type Atoms, atomsOf, DECIDES, isShortCode, type Member, scrubRecord, scrubText } from './atoms.ts';
import { type Cell, leavesOf } from './cells.ts';
import { encodeText } from './charset.ts';
import { differences, readRecording } from './folder.ts';
import { type Learned, learn } from './learn.ts';
import { Ledger, saysNothing } from './ledger.ts';
import { blankOf, isData, type PageOf, pageOf, withCells } from './pages.ts';
import type {
  Exchange,
  Landed,
  Page,
  Reading,
  Recorded,
  RecordingFile,
  Replay,
  Scrub,
  Scrubbed,
  Step,
} from './recording.ts';
import { reducedText, statesCount } from './reduce.ts';
import { findLeak } from './search.ts';
import { isKeptIn, isKeptName, isMarkup, wordsOf } from './words.ts';

/** Bodies that can be written back are kept, and the reads that need no other one. */
const recordable = (recorded: Recorded): Recorded => {
  const lost = new Set<Page>();
  for (const { page, text, charset, body, contentType } of recorded.exchanges) {
    if (contentType.startsWith('image/')) continue;
    const bytes = encodeText(text, charset);
    if (bytes === null || Buffer.compare(bytes, body) !== 0) lost.add(page);
  }
  return {
    ...recorded,
    exchanges: recorded.exchanges.filter(({ page }) => !lost.has(page)),
    readings: recorded.readings.filter(({ page }) => !lost.has(page)),
  };
};

/** Exchanges that say whether their text was asked for. */
const watch = (exchanges: readonly Exchange[], used: Set<number>): readonly Exchange[] =>
  exchanges.map((exchange, at) =>
    Object.defineProperty({ ...exchange }, 'text', {
      enumerable: true,
      get: () => {
        used.add(at);
        return exchange.text;
      },
    }),
  );

/** What a recording is made of, between its steps. */
export interface Work {
  readonly recorded: Recorded;
  readonly pages: readonly PageOf[];
  readonly atoms: Atoms;
  readonly learned: Learned;
}

/** Names of members, and words that are worked out here. */
const wordsIn = (record: unknown, parent = ''): string[] => {
  if (typeof record !== 'object' || record === null) return [];
  if (Array.isArray(record)) return record.flatMap((each) => wordsIn(each, parent));
  return Object.entries(record).flatMap(([name, value]) => [
    name,
    ...(typeof value === 'string' && classOf(parent, name) === 'own' ? [value] : []),
    ...wordsIn(value, name),
  ]);
};

/**
 * Letters that stand inside a kept word or the name of a member (`index` in `group_index`): finding them again says
 * nothing of the person.
 */
const isPartOfWord = ({ products, readings }: Recorded) => {
  const words = [...wordsOf(products.map(({ product }) => product)), ...wordsIn(readings.map(({ record }) => record))];
  const all = words.join(' ').toLowerCase();
  return (text: string): boolean => /^[A-Za-z]+$/.test(text) && all.includes(text.toLowerCase());
};

const isKeptOf = (recorded: Recorded) => isKeptIn(recorded.products.map(({ product }) => product));

/** @param known what was learned from another student's pages of the same campus, which need not be tried again */
export const look = async (given: Recorded, replay: Replay, known?: Learned): Promise<Work> => {
  const recorded = recordable(given);
  const isKept = isKeptOf(recorded);
  const pages = recorded.exchanges.map((exchange) => pageOf(exchange, isKept));
  const atoms = atomsOf(recorded.readings);
  return { recorded, pages, atoms, learned: known ?? (await learn(recorded, pages, atoms, replay)) };
};

interface ReducedWork extends Work {
  readonly shapes: ReadonlySet<string>;
  readonly left: ReadonlySet<number>;
}

/** Leaves out rows that show nothing new, and lets the pages state what is left. */
export const reduce = async (work: Work, replay: Replay, leftOut: ReadonlySet<string>): Promise<ReducedWork> => {
  const { recorded, pages, atoms, learned } = work;
  const isKept = isKeptOf(recorded);
  const shapes = new Set<string>();
  const left = new Set<number>();
  const cut = pages.map((page) => reducedText(page, { atoms, learned, isKept, leftOut, shapes }));
  const exchanges = pages.map((page, at) => {
    const { exchange, place } = page;
    const reduced = cut[at] ?? null;
    if (reduced === null || exchange.page === 'sign-in') return exchange;
    const rows = [...cut.entries()]
      .filter(([other]) => pages[other]?.place === place && pages[other]?.exchange.page === exchange.page)
      .map(([, each]) => (each?.left ?? []).toSorted((a, b) => b.had - a.had)[0] ?? { had: 0, has: 0 });
    const has = rows.reduce((sum, each) => sum + each.has, 0);
    const had = rows.reduce((sum, each) => sum + each.had, 0);
    const next = pageOf({ ...exchange, text: reduced.text }, isKept);
    return withCells(next, (cell) => {
      if (!isData(cell) || !statesCount(learned(place, cell.group))) return null;
      left.add(Number(cell.value) >= had ? has : Math.min(has, Number(cell.value)));
      return String(Number(cell.value) >= had ? has : Math.min(has, Number(cell.value)));
    });
  });
  const used = new Set<number>();
  const now = await replay(watch(exchanges, used), recorded.readings, recorded);
  // A page that cannot be read any more without some of its rows stays whole.
  const broken = new Set(
    recorded.readings.flatMap(({ page, failure }, at) => (now[at]?.failure === failure ? [] : [page])),
  );
  const kept = exchanges.flatMap((exchange, at) => {
    if (exchange.page === 'sign-in') return [exchange];
    if (broken.has(exchange.page)) return recorded.exchanges[at] ?? [];
    return used.has(at) ? [exchange] : [];
  });
  const readings = await replay(kept, recorded.readings, recorded);
  for (const { record } of readings)
    if (isRecord(record) && typeof record.total_count === 'number') left.add(record.total_count);
  const next = { ...recorded, exchanges: kept, readings };
  return {
    recorded: next,
    pages: kept.map((exchange) => pageOf(exchange, isKept)),
    atoms: atomsOf(readings),
    learned,
    shapes,
    left,
  };
};

export interface ScrubbedWork {
  readonly exchanges: readonly Exchange[];
  /** As the scrubbed pages are read. */
  readonly readings: readonly Reading[];
  /** As the records of the pages before are scrubbed: the same. */
  readonly expected: readonly unknown[];
  readonly landed: Landed;
  readonly ledger: Ledger;
}

const mapTexts = (value: unknown, next: (text: string) => string): unknown => {
  if (typeof value === 'string') return next(value);
  if (typeof value === 'number') return Number(next(String(value)));
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, next));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, next)]));
};

/** They stay in other places as well, and in records. */
const findFixed = (pages: readonly PageOf[], learned: Learned): ReadonlySet<string> =>
  new Set(
    pages.flatMap(({ doc, place }) =>
      (doc === null ? [] : leavesOf(doc)).flatMap(({ value, group }) =>
        isShortCode(value.trim()) && learned(place, group)?.has(DECIDES) ? [value.trim()] : [],
      ),
    ),
  );

const asked: ReadonlySet<Member> = new Set(['asked.term_id']);

/**
 * @param marked pages whose kept words all stay: a mark of theirs stands in a cell that is replaced, so that no trial has
 *   found where it stands as well
 */
const scrubOnce = async (
  { recorded, pages, atoms, learned, left: counts }: ReducedWork,
  replay: Replay,
  marked: ReadonlySet<Page>,
): Promise<ScrubbedWork> => {
  const isKept = isKeptOf(recorded);
  const ledger = new Ledger({
    userid: recorded.userid,
    dates: atoms.dates,
    left: counts,
    fixed: findFixed(pages, learned),
    isKept,
  });
  const reach = { atoms, ledger, isKept };
  // Scripts go through members that are numbers by their size, so the first codes are theirs.
  const numbered = pages
    .flatMap(({ doc }) => (doc === null ? [] : leavesOf(doc)))
    .filter(({ kind, value }) => kind === 'name' && /^\d+$/.test(value));
  for (const { value } of numbered.toSorted((a, b) => Number(a.value) - Number(b.value))) ledger.code(value);
  const nameOf = (name: string): string =>
    isKept(name) || isMarkup(name) || saysNothing(name) ? name : ledger.name(name);
  // Names of fields stand on a page, and in the request that sends its form back.
  const fieldOf = (name: string): string =>
    name
      .split('$')
      .map((part) => (isKeptName(part, isKept) ? part : ledger.code(part)))
      .join('$');
  const scrubCell = (cell: Cell, { place, exchange }: PageOf): string => {
    if (cell.kind === 'hidden') {
      ledger.noteGone(cell.value);
      return '';
    }
    const members = exchange.page === 'sign-in' ? undefined : learned(place, cell.group);
    if (cell.kind === 'name') {
      if (cell.group.endsWith('@class')) return cell.value.split(/(\s+)/).map(nameOf).join('');
      if (isKept(cell.value) || isMarkup(cell.value)) return cell.value;
      // A member that is data, such as the id of a course.
      return cell.group.endsWith('{}') && /\d/.test(cell.value) && !/^x\d+$/.test(cell.value)
        ? ledger.code(cell.value)
        : nameOf(cell.value);
    }
    if (exchange.page === 'sign-in' && cell.group.endsWith('@name')) return nameOf(cell.value);
    if (members === undefined) {
      if (marked.has(exchange.page) && isKept(cell.value.trim())) return cell.value;
      ledger.noteGone(cell.value);
      return blankOf(cell, exchange.charset);
    }
    if (cell.value === 'true' || cell.value === 'false') return cell.value;
    if (cell.group.endsWith('@name')) return fieldOf(cell.value);
    return scrubText(cell.value, members, reach);
  };
  // The moment and the place of the recording are in `recording.json` as well.
  const facts = new Set([String(recorded.now), recorded.timeZone]);
  const scrubAsked = (value: string): string => (facts.has(value) ? value : scrubText(value, asked, reach));
  const exchanges = pages.map((page): Exchange => {
    const { exchange } = page;
    // Names of a sign-in are those of programmers; elsewhere what is asked for may stand in them.
    const isSignIn = exchange.page === 'sign-in';
    const stepOf = (step: string): string =>
      isSignIn ? nameOf(step) : isKeptName(step, isKept) ? step : scrubAsked(step);
    const values = (pairs: Exchange['query']) =>
      pairs.map(([name, value]) => {
        // How a list is divided into pages is nobody's.
        const stays = /page|size|index|num/i.test(name) && /^\d{1,3}$/.test(value);
        const next = isSignIn ? '' : stays ? value : scrubAsked(value);
        return [isSignIn ? nameOf(name) : fieldOf(name), next] as const;
      });
    const next = withCells(page, (cell) => scrubCell(cell, page));
    const body = page.doc === null ? picture : encodeText(next.text, exchange.charset);
    return {
      ...next,
      path: exchange.path.split('/').map(stepOf).join('/'),
      query: values(exchange.query),
      form: values(exchange.form),
      location: exchange.location === null ? null : isSignIn ? '某' : scrubAsked(exchange.location),
      cookies: exchange.cookies.map(nameOf),
      body: body ?? Buffer.from(next.text),
      charset: body === null ? 'utf-8' : exchange.charset,
    };
  });
  const calls = recorded.readings.map(({ page, parameters }) => ({
    page,
    parameters: parameters.map((each) => mapTexts(each, scrubAsked)),
  }));
  const expected = recorded.readings.map((reading) => scrubRecord(reading, reach));
  const landed = mapTexts(recorded.landed, scrubAsked) as Landed;
  const used = new Set<number>();
  const readings = await replay(watch(exchanges, used), calls, { userid: ledger.userid, landed });
  // A list that says how many pages it has may say less now.
  const left = exchanges.filter(({ page }, at) => page === 'sign-in' || used.has(at));
  return { exchanges: left, readings, expected, landed, ledger };
};

export const scrubPages = async (work: ReducedWork, replay: Replay): Promise<ScrubbedWork> => {
  const first = await scrubOnce(work, replay, new Set());
  const { readings } = work.recorded;
  const lost = readings.flatMap(({ page, failure }, at) => (first.readings[at]?.failure === failure ? [] : [page]));
  return lost.length === 0 ? first : scrubOnce(work, replay, new Set(lost));
};

/** A picture of one dot. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

const suffixOf = (contentType: string): string =>
  contentType.startsWith('image/')
    ? 'gif'
    : contentType.includes('json')
      ? 'json'
      : contentType.includes('xml')
        ? 'xml'
        : 'html';

/** One line for each step and reading, so that a `diff` tells which has changed. */
const write = ({ steps, readings, ...facts }: RecordingFile): string => {
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
  return `${JSON.stringify(facts).slice(0, -1)},\n"steps":[${lines(steps)}\n],\n"readings":[${lines(readings)}\n]}\n`;
};

/** Nothing may be written of what was refused. */
export const finish = async (
  work: Work,
  replay: Replay,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<Scrubbed> => {
  const reduced = await reduce(work, replay, leftOut);
  const scrubbed = await scrubPages(reduced, replay);
  const { origin, version, products, now, timeZone, secrets, userid } = reduced.recorded;
  const { exchanges, readings, landed, ledger } = scrubbed;
  const own = [...secrets, userid].filter((secret) => secret !== ledger.userid);
  const isNoOnes = isPartOfWord(reduced.recorded);
  const replaced = ledger.listReplaced().filter((text) => !isNoOnes(text) && text !== String(now));
  const leak = findLeak({ exchanges, readings, landed, secrets: own, replaced });
  if (leak !== null) return { refused: leak };
  const files = new Map<string, Uint8Array>();
  const steps = exchanges.map((exchange, at): Step => {
    const { page, system, method, path, query, form, status, location, cookies, charset, contentType, body } = exchange;
    const file = `${String(at + 1).padStart(3, '0')}-${page}.${suffixOf(contentType)}`;
    if (body.length > 0) files.set(file, body);
    const step = { page, system, method, path, query, form, status, location, cookies, charset, contentType };
    return { ...step, file: body.length > 0 ? file : null };
  });
  const facts = { format: 1, origin, version, products, timeZone, userid: ledger.userid, landed } as const;
  const recording: RecordingFile = { ...facts, now: campusDate(now, timeZone), steps, readings };
  files.set('recording.json', Buffer.from(write(recording)));
  return { files, keptWords: [...ledger.kept].toSorted(), shapes: [...reduced.shapes].toSorted() };
};

/** Rows that are alike only once nobody's text is left in them go as well, so that a recording is what is made of it. */
const mostRounds = 6;

/** Makes a recording of which nobody can tell whose it is. */
export const scrub: Scrub = async (recorded, replay, leftOut) => {
  const first = await finish(await look(recorded, replay), replay, leftOut);
  let made = first;
  for (let round = 1; round < mostRounds; round += 1) {
    if ('refused' in made || 'refused' in first) return made;
    const again = readRecording(made.files);
    if (typeof again === 'string') throw new Error(again);
    const next = await finish(await look(again, replay), replay);
    if ('refused' in next || differences(made.files, next.files).length === 0) return made;
    made = { ...first, files: next.files };
  }
  return made;
};
