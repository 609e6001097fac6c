import type { Clock } from '../../lib/time.ts';
import { findTellingRow, rowsByName, textInShape } from '../all-reads.ts';
import type { Log } from '../context.ts';
import { type KeptReading, newsOf, type ReadNews, readKnown, storedKnown } from '../events/compare.ts';
import type { NewEvent } from '../events/ports.ts';
import { copyLimits, surplusCopies } from '../reads/copy-limits.ts';
import { isNewer } from '../reads/decide.ts';
import type { CopyState, CopyStore, CopyToKeep, StoredCopies } from '../reads/ports.ts';
import type { Journal, StudentRows } from './journal.ts';

/** How often the time of an unchanged value is written. */
const TOUCH_MS = 60_000;
/** What is known of a student's reads, the oldest going first. Enough for two per course over eight years. */
const MOST_KNOWN = 500;

interface KeptCopiesDeps {
  readonly stored: StoredCopies;
  readonly journal: Pick<Journal, 'change'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The campus's time zone, which decides which exams are still to come. */
  readonly timeZone: string;
}

/** What has to be written; `time`: only the time of reading. */
const needOf = (stored: CopyState | null, copy: CopyToKeep, now: number): 'nothing' | 'time' | 'row' => {
  if (stored === null) return 'row';
  if (isNewer(stored.readAt, copy.readAt, now)) return 'nothing';
  const isSame = stored.isSame && stored.shape === copy.shape && stored.writes === copy.writes;
  if (!isSame || stored.readAt > copy.readAt) return 'row';
  return copy.readAt - stored.readAt < TOUCH_MS ? 'nothing' : 'time';
};

/** Null where nothing is written. */
const keepOne = async (rows: StudentRows, copy: CopyToKeep, now: number): Promise<KeptReading | null> => {
  const stored = await rows.copy(copy);
  const need = needOf(stored, copy, now);
  if (need === 'nothing') return null;
  if (need === 'time') {
    await rows.touchCopy(copy, copy.readAt);
    return { copy, before: null, changed: false };
  }
  await rows.putCopy(copy);
  const text = stored?.text() ?? null;
  const before = stored && text && textInShape(copy.read, copy.shape, { shape: stored.shape, text });
  if (!before) return { copy, before: null, changed: true };
  // The value is the same; only something beside it changed, such as the key of its digest.
  if (before === copy.text) return { copy, before: null, changed: false };
  return { copy, before: { text: before, readAt: stored.readAt }, changed: true };
};

const trimCopies = async (rows: StudentRows, now: number): Promise<void> => {
  const copies = (await rows.copySizes()).map((copy) => ({ ...copy, used: false }));
  // Most students are far from every limit: then it does not matter what feeds are made of.
  if (surplusCopies(copies, rowsByName, now).length === 0) return;
  const ofFeeds = new Set((await rows.copiesOfFeeds()).map(({ read, params }) => `${read} ${params}`));
  const judged = copies.map((copy) => ({ ...copy, used: ofFeeds.has(`${copy.read} ${copy.params}`) }));
  for (const copy of surplusCopies(judged, rowsByName, now)) await rows.dropCopy(copy);
};

/** Compares a reading with what is known, which it replaces. */
const compare = async (
  rows: StudentRows,
  news: ReadNews,
  changed: boolean,
  now: number,
): Promise<readonly NewEvent[]> => {
  if (news.scopes.length === 0) return [];
  // An unchanged value matters only where a change waits for a second reading that agrees.
  const stored = await rows.known(news.scopes, !changed);
  const events: NewEvent[] = [];
  for (const scope of news.scopes) {
    if (!changed && !stored.has(scope)) continue;
    const text = stored.get(scope) ?? null;
    const found = news.compare(scope, text === null ? null : readKnown(text), now);
    if (found === null) continue;
    const { known, inDoubt } = found;
    await rows.putKnown(scope, storedKnown(known), inDoubt, Math.max(...Object.values(known.read)));
    events.push(...found.events);
  }
  return events;
};

/**
 * Keeps the copies of a student, those of one call together, in the transaction that appends their events: no copy replaces
 * another without what it tells.
 */
export const createKeptCopies = ({ stored, journal, clock, log, timeZone }: KeptCopiesDeps): CopyStore => {
  const tell = async (rows: StudentRows, readings: readonly KeptReading[]): Promise<readonly NewEvent[]> => {
    const telling = readings.flatMap((reading) => {
      const row = findTellingRow(reading.copy);
      return row === null ? [] : { reading, row };
    });
    const hooks = telling.some(({ row }) => row.usesThresholds) ? await rows.hooks() : [];
    const wanted = hooks.filter(({ state, types }) => state === 'on' && types.includes('electricity.low'));
    const thresholds = [...new Set(wanted.flatMap(({ lowKwh }) => lowKwh ?? []))];
    const events: NewEvent[] = [];
    for (const { reading, row } of telling) {
      let news: ReadNews;
      try {
        news = newsOf(row.events, reading, { timeZone, thresholds });
      } catch (err) {
        // Such a value is answered and stored all the same.
        log.error({ err, read: reading.copy.read }, 'a reading could not be compared');
        continue;
      }
      events.push(...(await compare(rows, news, reading.changed, clock.now())));
    }
    if (telling.some(({ reading }) => reading.changed)) await rows.trimKnown(MOST_KNOWN);
    return events;
  };

  return {
    find: (wanted, after) => stored.find(wanted, after),
    async keepForAll(copy) {
      if (Buffer.byteLength(copy.text) <= copyLimits.bytesOfOne) await stored.keepForAll(copy);
    },
    timesForAll: (of, params) => stored.timesForAll(of, params),
    async keep(userid, generation, copies) {
      const fitting = copies.filter(({ text }) => Buffer.byteLength(text) <= copyLimits.bytesOfOne);
      const states = await stored.states(userid, fitting);
      const due = fitting.filter((copy, at) => needOf(states[at] ?? null, copy, clock.now()) !== 'nothing');
      // Most readings bring nothing new, which is not worth the lock.
      if (due.length === 0) return;
      // A new generation or an erasure comes before its lock or after its commit.
      const change = { operation: 'keep copies', userid, lock: { generation }, isUnsynced: true };
      await journal.change(change, async (rows) => {
        const readings: KeptReading[] = [];
        for (const copy of due) {
          const reading = await keepOne(rows, copy, clock.now());
          if (reading !== null) readings.push(reading);
        }
        await trimCopies(rows, clock.now());
        return tell(rows, readings);
      });
    },
  };
};
