import { createHmac, hkdfSync } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { rowsByName } from '../../domain/all-reads.ts';
import { feedParts, readsOf } from '../../domain/calendar/kinds.ts';
import type { AppendListener } from '../../domain/events/ports.ts';
import { copyLimits, type MeasuredCopy, surplusCopies } from '../../domain/reads/copy-limits.ts';
import { isNewer } from '../../domain/reads/decide.ts';
import type { ChangedCopy, CopyKey, CopyToKeep, FoundCopy, WantedCopy } from '../../domain/reads/ports.ts';
import { has, lockUser, put } from '../database/rows.ts';
import type { Runner, StoreDeps } from '../database/run.ts';
import type { EventStates, StoredReading } from '../events/event-states.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull, type SealedPlace } from '../seal.ts';

/** The time of a value that has not changed is written this often. */
const TOUCH_MS = 60_000;

/** A feed of the student is made of the copy. A feed that has not been made yet may be made of any schedule. */
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
  to
    .selectFrom('tokens')
    .select('tokens.hash')
    .whereRef('tokens.userid', '=', 'users.userid')
    .where('tokens.expires_at', '>', now)
    .where('tokens.ended_at', 'is', null);

const unusedByFeeds = (to: ExpressionBuilder<Tables, 'copies'>) => to.not(usedByFeeds(to));

/** Digests that tell nothing without the key. */
const createDigest = (secret: Buffer) => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'digests of copies', 32));
  return (place: SealedPlace, text: string): string =>
    createHmac('sha256', key).update(JSON.stringify(place)).update('\n').update(text).digest('base64url');
};

/** `time`: only the time of reading is written; `row`: the value is the same, something beside it is not. */
type Need = 'nothing' | 'time' | 'row' | 'value';

interface CopyEvents {
  /** Compares a reading with the one before. */
  readonly states: EventStates;
  /** Told of the result, once it is committed. */
  readonly tell: AppendListener;
}

/** Of everybody, in clear: nothing in them belongs to a student. */
const MOST_FOR_ALL = 2_000;
const MOST_BYTES_FOR_ALL = 64 * 1024 * 1024;
const LONGEST_FOR_ALL_MS = 7 * 24 * 60 * 60 * 1000;
/** Longer than any reading takes. */
const CLOCKS_MS = 300_000;

const copiesForAll = (runner: Runner) => ({
  findForAll: async ({ read, params, shape }: Omit<CopyKey, 'userid'>, after: number): Promise<FoundCopy | null> => {
    const found = await runner.one('find what is read for all', (db) =>
      db
        .selectFrom('campus_wide_copies')
        .select(['value as text', 'read_at as readAt'])
        .where((to) => to.and({ read, params, shape }))
        .where('read_at', '>', after),
    );
    return found && { ...found, writes: 0, shape };
  },
  timesForAll: (
    { read, shape }: Pick<CopyKey, 'read' | 'shape'>,
    params: readonly string[],
  ): Promise<ReadonlyMap<string, number>> =>
    runner.run('look at what is read for all', async (db) => {
      const rows = await db
        .selectFrom('campus_wide_copies')
        .select(['params', 'read_at'])
        .where((to) => to.and({ read, shape }))
        .where('params', 'in', params)
        .execute();
      return new Map(rows.map((row) => [row.params, row.read_at]));
    }),
  async keepForAll({ read, params, shape, text, readAt }: CopyToKeep): Promise<void> {
    const size = Buffer.byteLength(text);
    if (size > copyLimits.bytesOfOne) return;
    const columns = { shape, read_at: readAt, size, value: text };
    await runner.transactUnsynced('keep what is read for all', async (db) => {
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
  },
  // Rows of a clock that was ahead go too.
  sweepForAll: (now: number): Promise<number> =>
    runner.deletedInPieces('sweep what is read for all', 'campus_wide_copies', (to) =>
      to.or([to('read_at', '<=', now - LONGEST_FOR_ALL_MS), to('read_at', '>', now + LONGEST_FOR_ALL_MS)]),
    ),
});

type FoundRow = Pick<Selectable<Tables['copies']>, 'sealed_value' | 'writes' | 'read_at' | 'shape'>;

type StudentKey = CopyKey & { readonly userid: string };

/** The copy of a student's read with these parameters, of any shape. */
const ofKey = ({ userid, read, params }: Omit<StudentKey, 'shape'>) => has<'copies'>({ userid, read, params });

export const createCopyStore = (
  runner: Runner,
  { sealer, secret, log, tagOf, clock, erased }: StoreDeps,
  { states, tell }: CopyEvents,
) => {
  const digestOf = createDigest(secret);
  /** Every reading asks this: built once, run with its parameters. */
  const find = runner.db
    .selectFrom('copies')
    .select(['sealed_value', 'writes', 'read_at', 'shape'])
    .where(has({ userid: '', read: '', params: '' }))
    .where('read_at', '>', 0)
    .compile();

  /** Finds out what a copy needs; with `before`, also the sealed value of its shape that it would replace. */
  const needOf = async (
    db: Kysely<Tables>,
    userid: string,
    copy: CopyToKeep,
    withBefore: boolean,
  ): Promise<{ readonly need: Need; readonly before?: string; readonly beforeAt?: number }> => {
    const { shape, text, writes, readAt } = copy;
    const stored = await db
      .selectFrom('copies')
      .select(['digest', 'writes', 'read_at', 'shape'])
      .$if(withBefore, (query) => query.select('sealed_value'))
      .where(ofKey({ userid, ...copy }))
      .executeTakeFirst();
    if (stored === undefined) return { need: 'value' };
    if (isNewer(stored.read_at, readAt, clock.now())) return { need: 'nothing' };
    if (stored.shape !== shape) return { need: 'value' };
    if (stored.digest !== digestOf(places.copy({ userid, ...copy }), text))
      return { need: 'value', before: stored.sealed_value, beforeAt: stored.read_at };
    if (stored.writes !== writes || stored.read_at > readAt) return { need: 'row' };
    return { need: readAt - stored.read_at < TOUCH_MS ? 'nothing' : 'time' };
  };

  /** Null where nothing is written. */
  const keepOne = async (
    transaction: Transaction<Tables>,
    userid: string,
    copy: CopyToKeep,
  ): Promise<StoredReading | null> => {
    const { read, params, shape, text, writes, readAt } = copy;
    const key = { userid, read, params, shape };
    const { need, before: sealed = null, beforeAt = 0 } = await needOf(transaction, userid, copy, true);
    if (need === 'nothing') return null;
    if (need === 'time') {
      await transaction.updateTable('copies').set({ read_at: readAt }).where(ofKey(key)).execute();
      return { copy, before: null, changed: false };
    }
    const place = places.copy(key);
    await put(transaction, 'copies', {
      ...key,
      sealed_value: sealer.seal(text, place),
      digest: digestOf(place, text),
      writes,
      read_at: readAt,
    });
    const before = sealed === null ? null : open(sealed, key);
    // Digests made with a former key differ where values do not.
    if (need === 'row' || before === text) return { copy, before: null, changed: false };
    return { copy, before: before === null ? null : { text: before, readAt: beforeAt }, changed: true };
  };

  const trim = async (transaction: Transaction<Tables>, userid: string): Promise<void> => {
    const ofStudent = transaction.selectFrom('copies').where('userid', '=', userid);
    const rows = await ofStudent
      .select(['read', 'params', 'read_at'])
      .select((to) => to.fn<number>('length', ['sealed_value']).as('characters'))
      .execute();
    const copies = rows.map((row) => ({ ...row, readAt: row.read_at, used: false }));
    // Most students are far from every limit, and what feeds are made of does not matter.
    if (surplusCopies(copies, rowsByName).length === 0) return;
    const used = await ofStudent.select(['read', 'params']).where(usedByFeeds).execute();
    const isUsed = ({ read, params }: MeasuredCopy) => used.some((one) => one.read === read && one.params === params);
    for (const { read, params } of surplusCopies(
      copies.map((copy) => ({ ...copy, used: isUsed(copy) })),
      rowsByName,
    )) {
      await transaction.deleteFrom('copies').where(ofKey({ userid, read, params })).execute();
    }
  };

  const open = (sealed: string, key: StudentKey): string | null =>
    openOrNull(sealer, sealed, places.copy(key), (fault) =>
      log.warn({ student: tagOf(key.userid), read: key.read, fault }, 'sealed copy left out'),
    );

  const { findForAll, ...forAll } = copiesForAll(runner);
  return {
    ...forAll,
    async find({ userid, read, params, shape, former = [] }: WantedCopy, after = -1): Promise<FoundCopy | null> {
      if (userid === null) return findForAll({ read, params, shape }, after);
      const parameters = [userid, read, params, after];
      const [row] = await runner.lookUp<FoundRow>('find copy', { ...find, parameters });
      if (row === undefined || (row.shape !== shape && !former.includes(row.shape))) return null;
      const text = open(row.sealed_value, { userid, read, params, shape: row.shape });
      return text === null ? null : { text, writes: row.writes, readAt: row.read_at, shape: row.shape };
    },
    async keep(userid: string, generation: number, copies: readonly CopyToKeep[]): Promise<ChangedCopy[]> {
      const fitting = copies.filter(({ text }) => Buffer.byteLength(text) <= copyLimits.bytesOfOne);
      const due = await runner.run('look for copies', async (db) => {
        const needs = await Promise.all(fitting.map((copy) => needOf(db, userid, copy, false)));
        return fitting.filter((_copy, at) => needs[at]?.need !== 'nothing');
      });
      // Most readings bring nothing new: then not even the lock is worth a write.
      if (due.length === 0) return [];
      const { changed, entries } = await runner.transactUnsynced('keep copies', async (transaction) => {
        // A new generation, or the end of the account, comes before this line or after the commit.
        if (!(await lockUser(transaction, userid, generation))) return { changed: [], entries: [] };
        const readings: StoredReading[] = [];
        for (const copy of due) {
          const reading = await keepOne(transaction, userid, copy);
          if (reading !== null) readings.push(reading);
        }
        await trim(transaction, userid);
        // In the same transaction: a copy that replaced another is never without its event.
        const entries = await states.appendIn(transaction, userid, readings);
        const changed = readings.flatMap(({ copy, before, changed: isChanged }) =>
          isChanged ? { copy, before: before?.text ?? null } : [],
        );
        return { changed, entries };
      });
      tell(entries);
      return changed;
    },
    /** Ends the copies of a student, but for those that a feed is made of: the last token has gone, for instance. */
    async drop(userid: string): Promise<void> {
      const dropped = await runner.deleted('drop copies', (db) =>
        db.deleteFrom('copies').where('userid', '=', userid).where(unusedByFeeds),
      );
      if (dropped > 0) erased();
    },
    /**
     * Removes what was read before `oldest`, and what belongs to students without a token that is good at `now`, but for
     * copies that a feed is made of.
     */
    async sweep(oldest: number, now: number): Promise<number> {
      const old = await runner.deletedInPieces('sweep copies', 'copies', (to) => to('read_at', '<=', oldest));
      const unowned = await runner.deletedByStudents('sweep copies without a token', (db, { after, upTo }) =>
        db
          .deleteFrom('copies')
          .where('userid', 'in', (to) =>
            to
              .selectFrom('users')
              .select('users.userid')
              .where('users.userid', '>', after)
              .where('users.userid', '<=', upTo)
              .where((user) => user.not(user.exists(liveToken(user, now)))),
          )
          .where(unusedByFeeds),
      );
      return old + unowned;
    },
  };
};
