import { createHmac, hkdfSync } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { readsOf } from '../domain/calendar/readings.ts';
import { feedParts } from '../domain/calendar/types.ts';
import type { Log } from '../domain/context.ts';
import type { CopyKey, CopyStore, CopyToKeep } from '../domain/reads/ports.ts';
import { studentTag } from '../lib/hash.ts';
import type { Runner } from './run.ts';
import type { Tables } from './schema.ts';
import { openOrNull, type SealedPlace, type Sealer } from './seal.ts';

const MOST_COPIES = 64;
/** Of sealed text, per student. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Of one value's JSON, in bytes. */
const LARGEST = 1024 * 1024;
/** The time of a value that has not changed is written this often. */
const TOUCH_MS = 60_000;

/** Bound to all that tells one copy from another. */
export const copyPlace = ({ userid, read, params, shape }: CopyKey): SealedPlace => ({
  userid,
  field: JSON.stringify(['copy', read, params, shape]),
});

/** No feed of the student is made of the copy. */
const unusedByFeeds = (to: ExpressionBuilder<Tables, 'copies'>) =>
  to.not(
    to.exists(
      to
        .selectFrom('calendar_feeds')
        .select('calendar_feeds.id')
        .whereRef('calendar_feeds.userid', '=', 'copies.userid')
        .where((feed) =>
          feed.or(feedParts.map((part) => feed.and([feed(part, '=', 1), feed('copies.read', 'in', readsOf([part]))]))),
        ),
    ),
  );

/** Digests that tell nobody without the key what was read. */
const createDigest = (secret: Buffer) => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'digests of copies', 32));
  return (place: SealedPlace, text: string): string =>
    createHmac('sha256', key).update(JSON.stringify(place)).update('\n').update(text).digest('base64url');
};

interface CopyStoreOptions {
  readonly sealer: Sealer;
  /** The first key. */
  readonly secret: Buffer;
  readonly log: Log;
}

interface SweptCopyStore extends CopyStore {
  /** The last token has gone, or whatever else ends the copies of a student, but for those that a feed is made of. */
  drop(userid: string): Promise<number>;
  /**
   * Removes what was read before `oldest`, and what belongs to students without a token that is good at `now`, but for
   * copies that a feed is made of.
   */
  sweep(oldest: number, now: number): Promise<number>;
}

export const createCopyStore = (runner: Runner, { sealer, secret, log }: CopyStoreOptions): SweptCopyStore => {
  const digestOf = createDigest(secret);

  const needOf = async (
    db: Kysely<Tables>,
    userid: string,
    { read, params, shape, text, writes, readAt }: CopyToKeep,
  ): Promise<'nothing' | 'touch' | 'write'> => {
    const known = await db
      .selectFrom('copies')
      .select(['digest', 'writes', 'read_at', 'shape'])
      .where('userid', '=', userid)
      .where('read', '=', read)
      .where('params', '=', params)
      .executeTakeFirst();
    if (known === undefined) return 'write';
    if (known.read_at > readAt) return 'nothing';
    const isSame = known.writes === writes && known.shape === shape;
    const digest = digestOf(copyPlace({ userid, read, params, shape }), text);
    if (!isSame || known.digest !== digest) return 'write';
    return readAt - known.read_at < TOUCH_MS ? 'nothing' : 'touch';
  };

  const keepOne = async (transaction: Transaction<Tables>, userid: string, copy: CopyToKeep): Promise<void> => {
    const { read, params, shape, text, writes, readAt } = copy;
    const need = await needOf(transaction, userid, copy);
    if (need === 'nothing') return;
    if (need === 'touch') {
      await transaction
        .updateTable('copies')
        .set({ read_at: readAt })
        .where('userid', '=', userid)
        .where('read', '=', read)
        .where('params', '=', params)
        .execute();
      return;
    }
    const place = copyPlace({ userid, read, params, shape });
    const digest = digestOf(place, text);
    const columns = { shape, sealed_value: sealer.seal(text, place), digest, writes, read_at: readAt };
    await transaction
      .insertInto('copies')
      .values({ userid, read, params, ...columns })
      .onConflict((conflict) => conflict.columns(['userid', 'read', 'params']).doUpdateSet(columns))
      .execute();
  };

  const trim = async (transaction: Transaction<Tables>, userid: string): Promise<void> => {
    const rows = await transaction
      .selectFrom('copies')
      .select(['read', 'params'])
      .select((to) => to.fn<number>('length', ['sealed_value']).as('characters'))
      .where('userid', '=', userid)
      .orderBy('read_at', 'desc')
      .execute();
    let characters = 0;
    for (const [at, row] of rows.entries()) {
      characters += row.characters;
      if (at < MOST_COPIES && characters <= MOST_CHARACTERS) continue;
      await transaction
        .deleteFrom('copies')
        .where('userid', '=', userid)
        .where('read', '=', row.read)
        .where('params', '=', row.params)
        .execute();
    }
  };

  const open = (sealed: string, key: CopyKey): string | null =>
    openOrNull(sealer, sealed, copyPlace(key), (fault) =>
      log.warn({ student: studentTag(key.userid), read: key.read, fault }, 'sealed copy left out'),
    );

  return {
    async find(key, after = -1) {
      const row = await runner.run('find copy', (db) =>
        db
          .selectFrom('copies')
          .select(['sealed_value', 'writes', 'read_at'])
          .where('userid', '=', key.userid)
          .where('read', '=', key.read)
          .where('params', '=', key.params)
          .where('shape', '=', key.shape)
          .where('read_at', '>', after)
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      const text = open(row.sealed_value, key);
      return text === null ? null : { text, writes: row.writes, readAt: row.read_at };
    },
    async keep(userid, generation, copies) {
      const fitting = copies.filter(({ text }) => Buffer.byteLength(text) <= LARGEST);
      const due = await runner.run('look for copies', async (db) => {
        const needs = await Promise.all(fitting.map((copy) => needOf(db, userid, copy)));
        return fitting.filter((_copy, at) => needs[at] !== 'nothing');
      });
      // Most readings bring what is there already: not even the lock is worth a write then.
      if (due.length === 0) return;
      await runner.transactUnsynced('keep copies', async (transaction) => {
        // A new generation, or the end of the account, comes before this line or after the commit.
        const user = await transaction
          .updateTable('users')
          .set((to) => ({ created_at: to.ref('created_at') }))
          .where('userid', '=', userid)
          .where('session_generation', '=', generation)
          .returning('userid')
          .executeTakeFirst();
        if (user === undefined) return;
        for (const copy of due) await keepOne(transaction, userid, copy);
        await trim(transaction, userid);
      });
    },
    /** The last token has gone, or whatever else ends the copies of a student, but for those that a feed is made of. */
    drop: (userid) =>
      runner.deleted('drop copies', (db) => db.deleteFrom('copies').where('userid', '=', userid).where(unusedByFeeds)),
    /**
     * Removes what was read before `oldest`, and what belongs to students without a token that is good at `now`, but for
     * copies that a feed is made of.
     */
    sweep: (oldest, now) =>
      runner.deleted('sweep copies', (db) =>
        db
          .deleteFrom('copies')
          .where((to) =>
            to.or([
              to('read_at', '<=', oldest),
              to.and([
                to.not(
                  to.exists(
                    to
                      .selectFrom('tokens')
                      .select('tokens.hash')
                      .whereRef('tokens.userid', '=', 'copies.userid')
                      .where('tokens.expires_at', '>', now)
                      .where('tokens.ended_at', 'is', null),
                  ),
                ),
                unusedByFeeds(to),
              ]),
            ]),
          ),
      ),
  };
};
