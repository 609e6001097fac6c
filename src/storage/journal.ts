import type { EventStore, JournalEntry, JournalPage, NewEvent } from '../domain/events/ports.ts';
import { isEventType } from '../domain/events/records.ts';
import type { Tables } from './schema.ts';
import { sealedPlaces } from './seal.ts';
import { Store } from './store.ts';

/** One statement takes this many parameters on either database. */
const NAMES_AT_ONCE = 20_000;

/** Only this service can seal a body. */
const bodyOf = (text: string): Pick<NewEvent, 'about' | 'ask' | 'detail'> => JSON.parse(text);

/** Joins the rows of a query that is run for some of the names at a time. */
const inPieces = async <R>(
  names: readonly string[],
  query: (some: readonly string[]) => { execute(): Promise<R[]> },
): Promise<R[]> => {
  const rows: R[] = [];
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    for (const row of await query(names.slice(at, at + NAMES_AT_ONCE)).execute()) rows.push(row);
  }
  return rows;
};

export class SqlEventStore extends Store implements EventStore {
  page(userid: string, after: number | null, limit: number): Promise<JournalPage> {
    return this.runner.run('read events', async (db) => {
      const user = await db
        .selectFrom('users')
        .select(['event_seq', 'created_at'])
        .where('userid', '=', userid)
        .executeTakeFirst();
      const last = user?.event_seq ?? 0;
      // It belongs to an erased account, or to the database before a restore.
      const isUnknown = after !== null && after > last;
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('userid', '=', userid)
        .where('seq', '>', isUnknown ? 0 : (after ?? 0))
        .orderBy('seq')
        .limit(limit)
        .execute();
      const account = user?.created_at ?? 0;
      const entries = rows.flatMap((row) => this.#entryOf(row)).map((entry) => ({ ...entry, account }));
      const first = rows[0]?.seq ?? last + 1;
      const isSwept = after !== null && first > after + 1;
      const gap = isUnknown || isSwept || entries.length < rows.length;
      return { entries, next: rows.at(-1)?.seq ?? last, gap, account };
    });
  }

  recent(since: number, userids: readonly string[]): Promise<readonly JournalEntry[]> {
    return this.runner.run('read recent events', async (db) => {
      const recent = db.selectFrom('events').selectAll().where('occurred_at', '>=', since);
      const rows = await inPieces(userids, (some) =>
        recent.where('userid', 'in', some).orderBy('userid').orderBy('seq'),
      );
      return rows.flatMap((row) => this.#entryOf(row));
    });
  }

  lastByToken(hashes: readonly string[], now: number): Promise<ReadonlyMap<string, number>> {
    return this.runner.run('check tokens of streams', async (db) => {
      const live = db
        .selectFrom('tokens')
        .innerJoin('users', 'users.userid', 'tokens.userid')
        .select(['tokens.hash', 'users.event_seq'])
        .where('tokens.expires_at', '>', now)
        .where('tokens.ended_at', 'is', null);
      const rows = await inPieces(hashes, (some) => live.where('tokens.hash', 'in', some));
      return new Map(rows.map(({ hash, event_seq }) => [hash, event_seq]));
    });
  }

  /** Empty where the body cannot be opened, or only a later version knows the type. */
  #entryOf(row: Tables['events']): JournalEntry[] {
    const { userid, seq, id, type } = row;
    const body = this.unseal(row.sealed_body, sealedPlaces.event(row), 'sealed event left out');
    if (body === null || !isEventType(type)) return [];
    return [{ userid, seq, id, type, readAt: row.read_at, occurredAt: row.occurred_at, ...bodyOf(body) }];
  }
}
