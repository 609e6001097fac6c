import type { Transaction } from 'kysely';
import {
  type AppendListener,
  type EventJournal,
  type JournalEntry,
  journalLimits,
  type NewEvent,
} from '../../domain/events/ports.ts';
import { isEventType } from '../../domain/events/records.ts';
import { randomToken } from '../../lib/hash.ts';
import { countUser, has } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull } from '../seal.ts';

/** Runs in the transaction that stores events. */
export interface EventOutbox {
  /** Writes what is to be delivered. The row of the student in `users` is locked by this transaction. */
  put(transaction: Transaction<Tables>, userid: string, entries: readonly JournalEntry[]): Promise<void>;
  /** Of `electricity.low`: below how many kWh the hooks of the student want to be told. */
  thresholds(transaction: Transaction<Tables>, userid: string): Promise<readonly number[]>;
}

/** One statement takes this many parameters on either database. */
const NAMES_AT_ONCE = 20_000;

type Body = Pick<NewEvent, 'about' | 'ask' | 'detail'>;

/** Only this service can seal a body. */
const bodyOf = (text: string): Body => JSON.parse(text);

/** A journal whose events can also be appended in a transaction that does more. */
export interface TransactedJournal extends EventJournal {
  readonly outbox: EventOutbox;
  /**
   * In a transaction of the caller, who tells the listeners of what is returned once it is committed. Takes the lock of
   * the users row. Empty when there is no such student.
   */
  appendIn(
    transaction: Transaction<Tables>,
    userid: string,
    events: readonly NewEvent[],
  ): Promise<readonly JournalEntry[]>;
  tell(entries: readonly JournalEntry[]): void;
  /** Removes what is too old, and what was known of reads not made for long; `all`: everything. */
  sweep(now: number, all: boolean): Promise<number>;
}

export const createJournal = (
  runner: Runner,
  { sealer, clock, log, tagOf }: StoreDeps,
  outbox: EventOutbox,
): TransactedJournal => {
  const listeners = new Set<AppendListener>();

  const appendIn: TransactedJournal['appendIn'] = async (transaction, userid, events) => {
    if (events.length === 0) return [];
    const counted = await countUser(transaction, userid, { event_seq: events.length });
    if (counted === undefined) return [];
    const occurredAt = clock.now();
    const last = counted.event_seq;
    const entries = events.map((event, at): JournalEntry => {
      const { type, readAt, about, ask, detail } = event;
      const seq = last - events.length + 1 + at;
      const id = `evt_${randomToken().slice(0, 22)}`;
      return { userid, seq, id, type, readAt, occurredAt, about, ask, detail, account: counted.created_at };
    });
    const kept = entries.slice(-journalLimits.entries);
    const rows = kept.map(({ seq, id, type, readAt, about, ask, detail }) => ({
      ...{ userid, seq, id, type, read_at: readAt, occurred_at: occurredAt },
      sealed_body: sealer.seal(JSON.stringify({ about, ask, detail }), places.event({ userid, id })),
    }));
    await transaction.insertInto('events').values(rows).execute();
    const surplus = transaction.deleteFrom('events').where('seq', '<=', last - journalLimits.entries);
    await surplus.where(has({ userid })).execute();
    await outbox.put(transaction, userid, entries);
    return entries;
  };

  const tell = (entries: readonly JournalEntry[]): void => {
    if (entries.length > 0) for (const listener of listeners) listener(entries);
  };

  const entryOf = (row: Tables['events']): JournalEntry[] => {
    const { userid, seq, id, type } = row;
    const body = openOrNull(sealer, row.sealed_body, places.event(row), (fault) =>
      log.warn({ student: tagOf(userid), fault }, 'sealed event left out'),
    );
    // A later version may know more types.
    if (body === null || !isEventType(type)) return [];
    return [{ userid, seq, id, type, readAt: row.read_at, occurredAt: row.occurred_at, ...bodyOf(body) }];
  };

  return {
    outbox,
    appendIn,
    tell,
    async append(userid, events) {
      const entries = await runner.transact('append events', (transaction) => appendIn(transaction, userid, events));
      tell(entries);
      return entries;
    },
    page: (userid, after, limit) =>
      runner.run('read events', async (db) => {
        const ends = await db
          .selectFrom('users')
          .select(['event_seq', 'created_at'])
          .where('userid', '=', userid)
          .executeTakeFirst();
        const last = ends?.event_seq ?? 0;
        // Of an account that was erased, or of a database that an older backup has replaced.
        const isUnknown = after !== null && after > last;
        const rows = await db
          .selectFrom('events')
          .selectAll()
          .where('userid', '=', userid)
          .where('seq', '>', isUnknown ? 0 : (after ?? 0))
          .orderBy('seq')
          .limit(limit)
          .execute();
        const account = ends?.created_at ?? 0;
        const entries = rows.flatMap(entryOf).map((entry) => ({ ...entry, account }));
        const first = rows[0]?.seq ?? last + 1;
        const isSwept = after !== null && first > after + 1;
        const gap = isUnknown || isSwept || entries.length < rows.length;
        return { entries, next: rows.at(-1)?.seq ?? last, gap, account };
      }),
    recent: (since, userids) =>
      runner.run('read recent events', async (db) => {
        const rows: Array<Tables['events']> = [];
        for (let at = 0; at < userids.length; at += NAMES_AT_ONCE) {
          const some = userids.slice(at, at + NAMES_AT_ONCE);
          const found = db
            .selectFrom('events')
            .selectAll()
            .where('userid', 'in', some)
            .where('occurred_at', '>=', since);
          rows.push(...(await found.orderBy('userid').orderBy('seq').execute()));
        }
        return rows.flatMap(entryOf);
      }),
    lastByToken: (hashes, now) =>
      runner.run('check tokens of streams', async (db) => {
        const last = new Map<string, number>();
        for (let at = 0; at < hashes.length; at += NAMES_AT_ONCE) {
          const rows = await db
            .selectFrom('tokens')
            .innerJoin('users', 'users.userid', 'tokens.userid')
            .select(['tokens.hash', 'users.event_seq'])
            .where('tokens.hash', 'in', hashes.slice(at, at + NAMES_AT_ONCE))
            .where('tokens.expires_at', '>', now)
            .where('tokens.ended_at', 'is', null)
            .execute();
          for (const { hash, event_seq } of rows) last.set(hash, event_seq);
        }
        return last;
      }),
    onAppended(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    sweep: async (now, all) => {
      const before = (ageMs: number): number => (all ? Number.MAX_SAFE_INTEGER : now - ageMs);
      await runner.deletedInPieces('sweep what was known', 'event_states', (to) =>
        to('read_at', '<', before(journalLimits.knownMs)),
      );
      return runner.deletedInPieces('sweep events', 'events', (to) =>
        to('occurred_at', '<', before(journalLimits.ageMs)),
      );
    },
  };
};
