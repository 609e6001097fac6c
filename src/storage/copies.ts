import { createHmac, hkdfSync } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { feedReads } from '../domain/calendar/kinds.ts';
import type { CopyKey, CopyState, CopyToKeep, FoundCopy, StoredCopies } from '../domain/reads/ports.ts';
import { hasValues } from './database/rows.ts';
import { isLiveToken } from './personal-tokens.ts';
import type { Tables } from './schema.ts';
import { sealedPlaces } from './seal.ts';
import { Store, type StoreDeps } from './store.ts';

/** A feed that was never asked for has no schedule yet, and may come to use any. */
export const isUsedByFeeds = (to: ExpressionBuilder<Tables, 'copies'>) =>
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
        feed.or(feedReads.map(([part, reads]) => feed.and([feed(part, '=', 1), feed('copies.read', 'in', reads)]))),
      ),
  );

const selectLiveTokens = (to: ExpressionBuilder<Tables, 'users'>, now: number) =>
  to.selectFrom('tokens').select('tokens.hash').whereRef('tokens.userid', '=', 'users.userid').where(isLiveToken(now));

const isUnusedByFeeds = (to: ExpressionBuilder<Tables, 'copies'>) => to.not(isUsedByFeeds(to));

/** Copies of everybody are stored in clear: nothing in them belongs to a student. */
const MOST_FOR_ALL = 2_000;
const MOST_BYTES_FOR_ALL = 64 * 1024 * 1024;
/** A copy that is newer by this than the one to be kept was dated by a clock that ran ahead: no reading takes as long. */
const CLOCK_AHEAD_MS = 300_000;

type StudentKey = CopyKey & { readonly userid: string };

export const stateColumns = ['digest', 'writes', 'read_at', 'shape'] as const;

/** Rows of students are written in student-rows.ts, by `rowOf` and `stateOf`. */
export class SqlCopyStore extends Store implements StoredCopies {
  readonly #digestKey: Buffer;
  /** Built once, because every reading asks this. */
  readonly #find = this.runner.db
    .selectFrom('copies')
    .select(['sealed_value', 'writes', 'read_at', 'shape'])
    .where(hasValues({ userid: '', read: '', params: '' }))
    .where('read_at', '>', 0)
    .compile();

  constructor(deps: StoreDeps) {
    super(deps);
    this.#digestKey = Buffer.from(hkdfSync('sha256', deps.secret, '', 'digests of copies', 32));
  }

  async find({ userid, read, params, shape }: CopyKey, after = -1): Promise<FoundCopy | null> {
    if (userid === null) return this.#findForAll({ read, params, shape }, after);
    const [row] = await this.runner.lookUp('find copy', this.#find, [userid, read, params, after]);
    if (row === undefined) return null;
    const text = this.open(row.sealed_value, { userid, read, params, shape: row.shape });
    return text === null ? null : { text, writes: row.writes, readAt: row.read_at, shape: row.shape };
  }

  states(userid: string, copies: readonly CopyToKeep[]): Promise<ReadonlyArray<CopyState | null>> {
    return this.runner.run('look for copies', async (db) => {
      const states: Array<CopyState | null> = [];
      for (const copy of copies) {
        const { read, params } = copy;
        const own = db.selectFrom('copies').select(stateColumns).where(hasValues({ userid, read, params }));
        const row = await own.executeTakeFirst();
        states.push(row === undefined ? null : this.stateOf(row, userid, copy));
      }
      return states;
    });
  }

  /** The state of a row, beside a copy that may replace it. */
  stateOf(
    { digest, writes, read_at: readAt, shape }: Pick<Tables['copies'], (typeof stateColumns)[number]>,
    userid: string,
    copy: CopyToKeep,
  ): CopyState {
    return { writes, readAt, shape, isSame: digest === this.#digestOf({ userid, ...copy }, copy.text) };
  }

  rowOf(userid: string, { read, params, shape, text, writes, readAt: read_at }: CopyToKeep): Tables['copies'] {
    const key = { userid, read, params, shape };
    const sealed_value = this.deps.sealer.seal(text, sealedPlaces.copy(key));
    return { ...key, sealed_value, digest: this.#digestOf(key, text), writes, read_at };
  }

  /** Deletes the copies of a student whose last token has ended, except those that a feed is made of. */
  async drop(userid: string): Promise<void> {
    // Those of an erased account are deleted in batches, with all else of it.
    const isErased = (to: ExpressionBuilder<Tables, 'copies'>) =>
      to.exists(
        to.selectFrom('users').select('userid').where(hasValues({ userid })).where('erased_at', 'is not', null),
      );
    const own = (db: Kysely<Tables>) => db.deleteFrom('copies').where(hasValues({ userid }));
    await this.erase('drop copies', (db) =>
      own(db)
        .where((to) => to.not(isErased(to)))
        .where(isUnusedByFeeds),
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
            // Those of an erased account are deleted in batches, with all else of it.
            .where('users.erased_at', 'is', null)
            .where((user) => user.not(user.exists(selectLiveTokens(user, now)))),
        )
        .where(isUnusedByFeeds),
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
    const columns = { shape, read_at: readAt, size: Buffer.byteLength(text), value: text };
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
                to('campus_wide_copies.read_at', '>', readAt + CLOCK_AHEAD_MS),
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
    const hmac = createHmac('sha256', this.#digestKey).update(JSON.stringify(sealedPlaces.copy(key)));
    return hmac.update('\n').update(text).digest('base64url');
  }

  open(sealed: string, key: StudentKey): string | null {
    const membersOf = (student: string) => ({ student, read: key.read });
    return this.unseal(sealed, sealedPlaces.copy(key), 'sealed copy left out', membersOf);
  }
}
