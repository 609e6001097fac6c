import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../lib/text.ts';
import { dayNumber, dayText } from '../../lib/time.ts';
import type { Atoms, Member } from './atoms.ts';
import { DECIDES_PAGE, numberKey } from './atoms.ts';
import { leavesOf } from './cells.ts';
import { campusMomentIn, moments, writeLike } from './moments.ts';
import { blankOf, isData, type ParsedExchange, withCells } from './pages.ts';
import type { Recorded, RecordedPage, RecordedReading, Replay } from './recording.ts';
import { saysNothing } from './texts.ts';

// Which cells a parser reads, and what it makes of them, is found by trying: cells are blanked, the driver reads the page
// again, and the record shows what has changed. So no page is known here, and a new product needs nothing.

/** The members that a group of cells reaches; undefined: nobody reads it; empty: it is read, and no record shows it. */
export type Learned = (place: string, group: string) => ReadonlySet<Member> | undefined;

interface RecordChange {
  readonly members: Set<Member>;
  /** Something is gone, and with it what says little of the cell. */
  isLoss: boolean;
}

const compare = (one: unknown, other: unknown, parent: string, member: string, change: RecordChange): void => {
  if (isDeepStrictEqual(one, other)) return;
  if (Array.isArray(one)) {
    const others = Array.isArray(other) ? other : [];
    if (!Array.isArray(other) || others.length !== one.length) change.isLoss = true;
    for (const [at, each] of one.entries()) compare(each, others[at], parent, member, change);
  } else if (isRecord(one)) {
    if (!isRecord(other)) change.isLoss = true;
    const others: Readonly<Record<string, unknown>> = isRecord(other) ? other : {};
    for (const name of new Set([...Object.keys(one), ...Object.keys(others)]))
      compare(one[name], others[name], member, name, change);
  } else if (one === undefined || isRecord(other) || Array.isArray(other)) change.isLoss = true;
  else change.members.add(`${parent}.${member}`);
};

const changeIn = (
  before: readonly RecordedReading[],
  after: readonly (RecordedReading | undefined)[],
): RecordChange => {
  const change: RecordChange = { members: new Set(), isLoss: false };
  for (const [at, { page, record, failure }] of before.entries()) {
    const [area = '', method = ''] = page.split('.');
    if (failure !== after[at]?.failure) change.isLoss = true;
    compare(record, after[at]?.record, area, method, change);
  }
  return change;
};

/** Of the members that are gone with a group, those that say most of what stands in it, and least besides. */
const alikeTo = (values: ReadonlySet<string>, members: ReadonlySet<Member>, { classes }: Atoms): Set<Member> => {
  const said = new Map<Member, Set<string>>();
  for (const [key, kinds] of classes)
    for (const each of kinds.values())
      for (const member of each) if (members.has(member)) said.set(member, (said.get(member) ?? new Set()).add(key));
  const shared = [...said].map(([member, own]) => ({ member, own, most: values.intersection(own).size }));
  const most = Math.max(...shared.map((each) => each.most));
  const best = most > 0 && most * 2 > values.size ? shared.filter((each) => each.most === most) : [];
  const least = Math.min(...best.map(({ own }) => own.size));
  return new Set(best.flatMap(({ member, own }) => (own.size === least ? [member] : [])));
};

const keyOf = (place: string, group: string): string => `${place}\n${group}`;

interface BlankTrial {
  readonly keys: readonly string[];
  /** Something was lost with its one group, whose digits are changed instead: that may tell more. */
  readonly mild: boolean;
}

/** Other days and digits, in the same form, and of the same range where it is a small one. */
const bump = (value: string): string => {
  const [moment] = value.match(moments) ?? [];
  const day = moment === undefined ? null : campusMomentIn(moment);
  if (moment !== undefined && day !== null) {
    const other = dayText((dayNumber(day.day) ?? 0) + 7);
    return value.replace(moment, writeLike(moment, { ...day, day: other }));
  }
  return value.replace(/[1-9]/g, (digit) => (digit === '1' ? '2' : String(Number(digit) - 1)));
};

interface Search {
  /** What stands in each group. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** Blanked without a difference. */
  readonly unread: Set<string>;
  /** What is tried, the next one last. */
  readonly waiting: BlankTrial[];
  readonly read: Map<string, Set<Member>>;
}

/** What a trial makes of the cells of a group. */
type Fate = 'stays' | 'blank' | 'bumped';

const tryOut = (...keys: readonly string[]): BlankTrial => ({ keys, mild: false });

const searchOf = (pages: readonly ParsedExchange[]): Search => {
  const values = new Map<string, Set<string>>();
  for (const { doc, place } of pages)
    for (const cell of doc === null ? [] : leavesOf(doc)) {
      if (!isData(cell) || saysNothing(cell.value)) continue;
      const key = keyOf(place, cell.group);
      values.set(key, (values.get(key) ?? new Set()).add(numberKey(cell.value.trim())));
    }
  return { values, unread: new Set(), read: new Map(), waiting: [tryOut(...values.keys())] };
};

export const learn = async (
  recorded: Recorded,
  pages: readonly ParsedExchange[],
  atoms: Atoms,
  replay: Replay,
): Promise<Learned> => {
  const { readings } = recorded;
  const searches = new Map<RecordedPage, Search>();
  for (const [page, own] of Map.groupBy(pages, ({ exchange }) => exchange.page))
    if (readings.some((reading) => reading.page === page)) searches.set(page, searchOf(own));
  for (;;) {
    const trying = new Map(
      [...searches].flatMap(([page, { waiting }]) => {
        const next = waiting.pop();
        return next === undefined ? [] : [[page, next] as const];
      }),
    );
    if (trying.size === 0) break;
    const asked = readings.filter(({ page }) => trying.has(page));
    const altered = pages
      .filter(({ exchange }) => trying.has(exchange.page))
      .map((page) => {
        const { unread } = searches.get(page.exchange.page) ?? { unread: new Set() };
        const { keys = [], mild = false } = trying.get(page.exchange.page) ?? {};
        const tried = new Set(keys);
        // Thousands of cells are of a few dozen groups, whose keys are long.
        const fates = new Map<string, Fate>();
        const fateOf = (group: string): Fate => {
          const key = keyOf(page.place, group);
          if (tried.has(key)) return mild ? 'bumped' : 'blank';
          return unread.has(key) ? 'blank' : 'stays';
        };
        return withCells(page, (cell) => {
          if (!isData(cell)) return null;
          const fate = fates.get(cell.group) ?? fateOf(cell.group);
          fates.set(cell.group, fate);
          if (fate === 'stays') return null;
          return fate === 'bumped' ? bump(cell.value) : blankOf(cell, page.exchange.charset);
        });
      });
    const now = await replay(altered, asked, recorded);
    for (const [page, { keys, mild }] of trying) {
      const search = searches.get(page);
      if (search === undefined) continue;
      const [key = ''] = keys;
      const own = [...asked.keys()].filter((at) => asked[at]?.page === page);
      const before = own.flatMap((at) => asked[at] ?? []);
      const { members, isLoss } = changeIn(
        before,
        own.map((at) => now[at]),
      );
      if (members.size === 0 && !isLoss && !mild) for (const each of keys) search.unread.add(each);
      else if (keys.length > 1) {
        const half = Math.ceil(keys.length / 2);
        search.waiting.push(tryOut(...keys.slice(half)), tryOut(...keys.slice(0, half)));
      } else if (isLoss && !mild) {
        search.read.set(key, alikeTo(search.values.get(key) ?? new Set(), members, atoms));
        search.waiting.push({ keys, mild: true });
      } else if (isLoss) search.read.get(key)?.add(DECIDES_PAGE);
      else if (members.size > 0) search.read.set(key, members);
    }
  }
  const reached = new Map<string, Set<Member>>();
  // Where several reads ask for the same page, it is scrubbed alike for all of them.
  for (const { read } of searches.values())
    for (const [key, members] of read) reached.set(key, new Set([...(reached.get(key) ?? []), ...members]));
  return (place, group) => reached.get(keyOf(place, group));
};
