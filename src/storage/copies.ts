import { createHmac, hkdfSync } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { rowsByName, textInShape } from '../domain/all-reads.ts';
import { feedParts, readsOf } from '../domain/calendar/kinds.ts';
import { copyLimits, type MeasuredCopy, surplusCopies } from '../domain/reads/copy-limits.ts';
import { isNewer } from '../domain/reads/decide.ts';
import type { CopyKey, CopyStore, CopyToKeep, FoundCopy } from '../domain/reads/ports.ts';
import { has, lockUser, put } from './database/rows.ts';
import type { EventStates, StoredReading } from './event-states.ts';
import { live } from './personal-tokens.ts';
import { places, type Tables } from './schema.ts';
import { Store, type StoreDeps } from './store.ts';

/** How often the time of an unchanged value is written. */
const TOUCH_MS = 60_000;

/** A feed without a schedule may yet be made of any. */
const usedByFeeds = (to: ExpressionBuilder<Tables, 'copies'>) =>
  to.exists(
    to
      .selectFrom('calendar_feeds')
      .select('calendar_feeds.id')
      .whereRef('calendar_feeds.userid', '=', 'copies.userid')
      .where((feed) =>
        feed.or([
          feed('copies.params', '=', '[]'),
          feed('calendar_feeds.schedule_params', '=', ''),
          feed('calendar_feeds.schedule_params', '=', feed.ref('copies.params')),
        ]),
      )
      .where((feed) =>
        feed.or(feedParts.map((part) => feed.and([feed(part, '=', 1), feed('copies.read', 'in', readsOf([part]))]))),
      ),
  );

const liveToken = (to: ExpressionBuilder<Tables, 'users'>, now: number) =>
  to.selectFrom('tokens').select('tokens.hash').whereRef('tokens.userid', '=', 'users.userid').where(live(now));

const unusedByFeeds = (to: ExpressionBuilder<Tables, 'copies'>) => to.not(usedByFeeds(to));

/** Copies of everybody are stored in clear: nothing in them belongs to a student. */
const MOST_FOR_ALL = 2_000;
const MOST_BYTES_FOR_ALL = 64 * 1024 * 1024;
/** Longer than any reading takes. */
const CLOCKS_MS = 300_000;

/** `time`: only the time of reading is written. */
type Need = 'nothing' | 'time' | 'row';

type StudentKey = CopyKey & { readonly userid: string };

const measured = ['digest', 'writes', 'read_at', 'shape'] as const;

const ofKey = ({ userid, read, params }: Omit<StudentKey, 'shape'>) => has<'copies'>({ userid, read, params });

export class SqlCopyStore extends Store implements CopyStore {
  readonly #digestKey: Buffer;
  readonly #states: EventStates;
  /** Built once, because every reading asks this. */
  readonly #find = this.runner.db
    .selectFrom('copies')
    .select(['sealed_value', 'writes', 'read_at', 'shape'])
    .where(has({ userid: '', read: '', params: '' }))
    .where('read_at', '>', 0)
    .compile();

  constructor(deps: StoreDeps, states: EventStates) {
    super(deps);
    this.#digestKey = Buffer.from(hkdfSync('sha256', deps.secret, '', 'digests of copies', 32));
    this.#states = states;
  }

  async find({ userid, read, params, shape }: CopyKey, after = -1): Promise<FoundCopy | null> {
    if (userid === null) return this.#findForAll({ read, params, shape }, after);
    const [row] = await this.runner.lookUp('find copy', this.#find, [userid, read, params, after]);
    if (row === undefined) return null;
    const text = this.#open(row.sealed_value, { userid, read, params, shape: row.shape });
    return text === null ? null : { text, writes: row.writes, readAt: row.read_at, shape: row.shape };
  }

  async keep(userid: string, generation: number, copies: readonly CopyToKeep[]): Promise<void> {
    const fitting = copies.filter(({ text }) => Buffer.byteLength(text) <= copyLimits.bytesOfOne);
    const due: CopyToKeep[] = [];
    await this.runner.run('look for copies', async (db) => {
      for (const copy of fitting) {
        const isSame = ofKey({ userid, ...copy });
        const stored = await db.selectFrom('copies').select(measured).where(isSame).executeTakeFirst();
        if (this.#needOf(stored, userid, copy) !== 'nothing') due.push(copy);
      }
    });
    // Most readings bring nothing new, which is not worth the lock.
    if (due.length === 0) return;
    const entries = await this.runner.transactUnsynced('keep copies', async (transaction) => {
      // A new generation or an erasure comes before this line or after the commit.
      if (!(await lockUser(transaction, userid, generation))) return [];
      const readings: StoredReading[] = [];
      for (const copy of due) {
        const reading = await this.#keepOne(transaction, userid, copy);
        if (reading !== null) readings.push(reading);
      }
      await this.#trim(transaction, userid);
      // Shares the transaction, so that no copy replaces another without its event.
      return this.#states.appendIn(transaction, userid, readings);
    });
    this.#states.journal.tell(entries);
  }

  /** Deletes the copies of a student whose last token has ended, except those that a feed is made of. */
  async drop(userid: string): Promise<void> {
    // Copies of an erased account go in pieces.
    const isErased = (to: ExpressionBuilder<Tables, 'copies'>) =>
      to.exists(to.selectFrom('users').select('userid').where(has({ userid })).where('erased_at', 'is not', null));
    const own = (db: Kysely<Tables>) => db.deleteFrom('copies').where(has({ userid }));
    await this.erase('drop copies', (db) =>
      own(db)
        .where((to) => to.not(isErased(to)))
        .where(unusedByFeeds),
    );
  }

  /** Removes copies of students without a live token, except those that a feed is made of. */
  sweep(now: number): Promise<number> {
    return this.runner.deletedByStudents('sweep copies without a token', (db, { after, upTo }) =>
      db
        .deleteFrom('copies')
        .where('userid', 'in', (to) =>
          to
            .selectFrom('users')
            .select('users.userid')
            .where('users.userid', '>', after)
            .where('users.userid', '<=', upTo)
            // Copies of an erased account go in pieces.
            .where('users.erased_at', 'is', null)
            .where((user) => user.not(user.exists(liveToken(user, now)))),
        )
        .where(unusedByFeeds),
    );
  }

  timesForAll(
    { read, shape }: Pick<CopyKey, 'read' | 'shape'>,
    params: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    return this.runner.run('look at what is read for all', async (db) => {
      const rows = await db
        .selectFrom('campus_wide_copies')
        .select(['params', 'read_at'])
        .where((to) => to.and({ read, shape }))
        .where('params', 'in', params)
        .execute();
      return new Map(rows.map((row) => [row.params, row.read_at]));
    });
  }

  async keepForAll({ read, params, shape, text, readAt }: CopyToKeep): Promise<void> {
    const size = Buffer.byteLength(text);
    if (size > copyLimits.bytesOfOne) return;
    const columns = { shape, read_at: readAt, size, value: text };
    await this.runner.transactUnsynced('keep what is read for all', async (db) => {
      await db
        .insertInto('campus_wide_copies')
        .values({ read, params, ...columns })
        .onConflict((conflict) =>
          conflict
            .columns(['read', 'params'])
            .doUpdateSet(columns)
            .where((to) =>
              to.or([
                to('campus_wide_copies.read_at', '<=', readAt),
                // Left by a clock that was ahead.
                to('campus_wide_copies.read_at', '>', readAt + CLOCKS_MS),
                to('campus_wide_copies.shape', '!=', shape),
              ]),
            ),
        )
        .execute();
      await sql`delete from campus_wide_copies where (read, params) in (
        select read, params from (
          select read, params, row_number() over latest as place, sum(size) over latest as bytes
          from campus_wide_copies window latest as (order by read_at desc, read, params)
        ) as ordered where place > ${MOST_FOR_ALL} or bytes > ${MOST_BYTES_FOR_ALL})`.execute(db);
    });
  }

  async #findForAll({ read, params, shape }: Omit<CopyKey, 'userid'>, after: number): Promise<FoundCopy | null> {
    const found = await this.runner.one('find what is read for all', (db) =>
      db
        .selectFrom('campus_wide_copies')
        .select(['value as text', 'read_at as readAt'])
        .where((to) => to.and({ read, params, shape }))
        .where('read_at', '>', after),
    );
    return found && { ...found, writes: 0, shape };
  }

  /** Tells nothing about the value to a reader without the key. */
  #digestOf(key: StudentKey, text: string): string {
    const hmac = createHmac('sha256', this.#digestKey).update(JSON.stringify(places.copy(key)));
    return hmac.update('\n').update(text).digest('base64url');
  }

  #needOf(
    stored: Pick<Tables['copies'], (typeof measured)[number]> | undefined,
    userid: string,
    copy: CopyToKeep,
  ): Need {
    const { shape, text, writes, readAt } = copy;
    if (stored === undefined) return 'row';
    if (isNewer(stored.read_at, readAt, this.deps.clock.now())) return 'nothing';
    if (stored.shape !== shape || stored.digest !== this.#digestOf({ userid, ...copy }, text)) return 'row';
    if (stored.writes !== writes || stored.read_at > readAt) return 'row';
    return readAt - stored.read_at < TOUCH_MS ? 'nothing' : 'time';
  }

  /** Null where nothing is written. */
  async #keepOne(transaction: Transaction<Tables>, userid: string, copy: CopyToKeep): Promise<StoredReading | null> {
    const { read, params, shape, text, writes, readAt } = copy;
    const key = { userid, read, params, shape };
    const stored = await transaction
      .selectFrom('copies')
      .select([...measured, 'sealed_value'])
      .where(ofKey(key))
      .executeTakeFirst();
    const need = this.#needOf(stored, userid, copy);
    if (need === 'nothing') return null;
    if (need === 'time') {
      await transaction.updateTable('copies').set({ read_at: readAt }).where(ofKey(key)).execute();
      return { copy, before: null, changed: false };
    }
    await put(transaction, 'copies', {
      ...key,
      sealed_value: this.deps.sealer.seal(text, places.copy(key)),
      digest: this.#digestOf(key, text),
      writes,
      read_at: readAt,
    });
    const opened = stored && this.#open(stored.sealed_value, { ...key, shape: stored.shape });
    const before = opened ? textInShape(read, shape, { shape: stored.shape, text: opened }) : null;
    if (stored === undefined || before === null) return { copy, before: null, changed: true };
    // The value is the same; only something beside it changed, such as the key of its digest.
    if (before === text) return { copy, before: null, changed: false };
    return { copy, before: { text: before, readAt: stored.read_at }, changed: true };
  }

  async #trim(transaction: Transaction<Tables>, userid: string): Promise<void> {
    const ofStudent = transaction.selectFrom('copies').where('userid', '=', userid);
    const rows = await ofStudent
      .select(['read', 'params', 'read_at'])
      .select((to) => to.fn<number>('length', ['sealed_value']).as('characters'))
      .execute();
    const copies = rows.map((row) => ({ ...row, readAt: row.read_at, used: false }));
    // Most students are far from every limit: then it does not matter what feeds are made of.
    const now = this.deps.clock.now();
    if (surplusCopies(copies, rowsByName, now).length === 0) return;
    const used = await ofStudent.select(['read', 'params']).where(usedByFeeds).execute();
    const isUsed = ({ read, params }: MeasuredCopy) => used.some((one) => one.read === read && one.params === params);
    const judged = copies.map((copy) => ({ ...copy, used: isUsed(copy) }));
    for (const { read, params } of surplusCopies(judged, rowsByName, now)) {
      await transaction.deleteFrom('copies').where(ofKey({ userid, read, params })).execute();
    }
  }

  #open(sealed: string, key: StudentKey): string | null {
    const membersOf = (student: string) => ({ student, read: key.read });
    return this.unseal(sealed, places.copy(key), 'sealed copy left out', membersOf);
  }
}
