import type { Transaction } from 'kysely';
import { tellingRow } from '../domain/all-reads.ts';
import { type KeptReading, knownIn, newsOf, type ReadNews, storedKnown } from '../domain/events/compare.ts';
import type { JournalEntry, NewEvent, ReadEvents } from '../domain/events/ports.ts';
import { has, put } from './database/rows.ts';
import type { SqlJournal } from './journal.ts';
import { places, type Tables } from './schema.ts';
import { Store, type StoreDeps } from './store.ts';

/** Per student, the oldest going first. Enough for two per course over eight years. */
const MOST_STATES = 500;

/** `changed`: the value is another than before. */
export interface StoredReading extends KeptReading {
  readonly changed: boolean;
}

const trim = async (transaction: Transaction<Tables>, userid: string): Promise<void> => {
  const own = transaction.selectFrom('event_states').select('scope').where(has({ userid }));
  const newest = own
    .orderBy('read_at', 'desc')
    .orderBy('scope')
    .limit(10 * MOST_STATES);
  const surplus = transaction.deleteFrom('event_states').where('scope', 'in', newest.offset(MOST_STATES));
  await surplus.where(has({ userid })).execute();
};

/** Compares readings with what is known, in the transaction that keeps their copies. */
export class EventStates extends Store {
  readonly journal: SqlJournal;

  constructor(deps: StoreDeps, journal: SqlJournal) {
    super(deps);
    this.journal = journal;
  }

  /** Appends the events that readings make. The caller has locked the users row, and tells listeners after the commit. */
  async appendIn(
    transaction: Transaction<Tables>,
    userid: string,
    readings: readonly StoredReading[],
  ): Promise<readonly JournalEntry[]> {
    const events: NewEvent[] = [];
    const telling = readings.flatMap((reading) => {
      const row = tellingRow(reading.copy);
      return row === null ? [] : { reading, row };
    });
    const thresholds = telling.some(({ row }) => row.usesThresholds)
      ? await this.journal.deliveries.thresholds(transaction, userid)
      : [];
    for (const { reading, row } of telling) {
      const news = this.#newsOf(row.events, reading, thresholds);
      if (news !== null) events.push(...(await this.#compare(transaction, userid, news, reading.changed)));
    }
    if (telling.some(({ reading }) => reading.changed)) await trim(transaction, userid);
    return this.journal.appendIn(transaction, userid, events);
  }

  /** Null for a value that cannot be compared, which is answered and stored all the same. */
  #newsOf(events: ReadEvents<never>, reading: KeptReading, thresholds: readonly number[]): ReadNews | null {
    const { timeZone, log } = this.deps;
    try {
      return newsOf(events, reading, { timeZone, thresholds });
    } catch (err) {
      log.error({ err, read: reading.copy.read }, 'a reading could not be compared');
      return null;
    }
  }

  async #compare(
    transaction: Transaction<Tables>,
    userid: string,
    news: ReadNews,
    changed: boolean,
  ): Promise<readonly NewEvent[]> {
    if (news.scopes.length === 0) return [];
    const { sealer, clock } = this.deps;
    const rows = await transaction
      .selectFrom('event_states')
      .select(['scope', 'sealed_known'])
      .where('userid', '=', userid)
      .where('scope', 'in', news.scopes)
      // An unchanged value matters only where a change waits for a second reading that agrees.
      .$if(!changed, (query) => query.where('in_doubt', '=', 1))
      .execute();
    const stored = new Map(rows.map(({ scope, sealed_known }) => [scope, sealed_known]));
    const events: NewEvent[] = [];
    for (const scope of news.scopes) {
      const sealed = stored.get(scope) ?? null;
      if (sealed === null && !changed) continue;
      const place = places.known({ userid, scope });
      const text = this.unseal(sealed, place, 'sealed earlier readings left out');
      const found = news.compare(scope, text === null ? null : knownIn(text), clock.now());
      if (found === null) continue;
      await put(transaction, 'event_states', {
        userid,
        scope,
        sealed_known: sealer.seal(storedKnown(found.known), place),
        in_doubt: found.inDoubt ? 1 : 0,
        read_at: Math.max(...Object.values(found.known.read)),
      });
      events.push(...found.events);
    }
    return events;
  }
}
