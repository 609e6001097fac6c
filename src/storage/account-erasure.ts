import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SqlBool, sql, type Transaction } from 'kysely';
import type { Erasing } from '../domain/accounts/ports.ts';
import { randomToken } from '../lib/hash.ts';
import { eraseGuardRow } from './guards.ts';
import { SqlLeaseStore } from './leases.ts';
import type { Tables } from './schema.ts';
import { sealedPlaces } from './seal.ts';
import { Store } from './store.ts';

/** Of these a student has few rows. */
const few = [
  'credentials',
  'upstream_sessions',
  'login_challenges',
  'evaluation_tasks',
  'room_bindings',
  'calendar_feeds',
  'due_readings',
  'user_profiles',
  'client_themes',
  'app_profiles',
] as const;

/** Of these there may be many. Images are the first, because their signed addresses answer as long as they are there. */
const many = ['images', 'hook_deliveries', 'events', 'event_states', 'copies', 'image_uploads', 'tokens'] as const;

/** Images have megabytes each, so one statement deletes few. */
const imagesOfPiece = 4;
/** Statements between two looks at the lease: a second or two. The account of most students is gone within one round. */
const STATEMENTS_OF_ROUND = 60;
const LEASE_MS = 30_000;
const LOOK_AGAIN_MS = 5_000;

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

const leaseOf = (userid: string): string => `erasure:${userid}`;

/** `elsewhere`: another process is at it. */
type Round = 'gone' | 'more' | 'elsewhere';

/**
 * Erases accounts. The first transaction takes everything by which anybody could act as the student, and marks the row of
 * the user, which counts as gone from then on. What remains goes in pieces, because one statement for all would hold up
 * every other student: as long as the mark is there, the next sweep of any process goes on where one has ended.
 */
export class AccountErasure extends Store {
  readonly #leases = new SqlLeaseStore(this.deps);
  readonly #owner = randomToken();
  readonly #ending = new AbortController();
  readonly #running = new Map<string, Promise<void>>();

  /** False: there is no such account. */
  async begin(userid: string, { lease, left }: Erasing): Promise<boolean> {
    const { runner, clock, erased } = this.deps;
    const now = clock.now();
    const isFound = await runner.transact('erase account', async (transaction) => {
      const marked = await transaction
        .updateTable('users')
        .set((to) => ({ erased_at: to.fn.coalesce('erased_at', to.val(now)) }))
        .where('userid', '=', userid)
        .executeTakeFirst();
      if (marked.numUpdatedRows === 0n) return false;
      await eraseGuardRow(transaction, this.deps.names, userid, left);
      await transaction.deleteFrom('leases').where('name', '=', lease).execute();
      for (const table of few) await transaction.deleteFrom(table).where('userid', '=', userid).execute();
      await transaction.deleteFrom('tokens').where('userid', '=', userid).where('ended_at', 'is', null).execute();
      await this.#emptyHooks(transaction, userid);
      return true;
    });
    if (isFound) erased();
    return isFound;
  }

  /** Erases for a second or two. False: rows remain, which go in the background. */
  async soon(userid: string): Promise<boolean> {
    try {
      if ((await this.#round(userid)) === 'gone') return true;
    } catch (err) {
      this.#warn(userid, err);
    }
    this.#goOn(userid);
    return false;
  }

  /** Erases all that remains. */
  async whole(userid: string): Promise<void> {
    for (;;) {
      const round = await this.#round(userid);
      if (round === 'gone') return;
      if (round === 'elsewhere') await this.deps.clock.wait(LOOK_AGAIN_MS, this.#ending.signal);
      this.#ending.signal.throwIfAborted();
    }
  }

  /** Goes on, in the background, with what any process has begun. */
  async resume(): Promise<void> {
    const begun = await this.runner.all(
      'look for erasures',
      (db) => db.selectFrom('users').select('userid').where('erased_at', 'is not', null).limit(100),
      ({ userid }) => userid,
    );
    for (const userid of begun) this.#goOn(userid);
  }

  /** Ends after the statement under way. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('the storage is closing'));
    const students = [...this.#running.keys()];
    await Promise.all(this.#running.values());
    // A lease that is not given back makes the next process wait for half a minute.
    for (const userid of students) await this.#leases.release(leaseOf(userid), this.#owner).catch(() => {});
  }

  #goOn(userid: string): void {
    if (this.#running.has(userid) || this.#ending.signal.aborted) return;
    const work = this.whole(userid)
      .catch((err) => this.#warn(userid, err))
      .finally(() => this.#running.delete(userid));
    this.#running.set(userid, work);
  }

  #warn(userid: string, err: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.deps.log.warn({ student: this.deps.tagOf(userid), err }, 'rest of an erased account not deleted yet');
  }

  async #round(userid: string): Promise<Round> {
    const { runner, clock } = this.deps;
    const isOurs = await this.#leases.acquire(leaseOf(userid), this.#owner, clock.now(), LEASE_MS);
    if (!isOurs) return (await this.#isMarked(userid)) ? 'elsewhere' : 'gone';
    const own = () => sql<SqlBool>`userid = ${userid}`;
    let left = STATEMENTS_OF_ROUND;
    for (const table of many) {
      const most = table === 'images' ? imagesOfPiece : undefined;
      while ((await runner.deletedPiece(`erase ${table}`, table, own, most)) > 0) {
        left -= 1;
        if (left === 0 || this.#ending.signal.aborted) return 'more';
        await nextTurn();
      }
    }
    await this.#end(userid);
    return 'gone';
  }

  async #isMarked(userid: string): Promise<boolean> {
    const user = await this.runner.one('look at erasure', (db) =>
      db.selectFrom('users').select('userid').where('userid', '=', userid).where('erased_at', 'is not', null),
    );
    return user !== null;
  }

  /** A hook goes with its deliveries, which may be many: until then it has neither an address nor a secret. */
  async #emptyHooks(transaction: Transaction<Tables>, userid: string): Promise<void> {
    const { sealer } = this.deps;
    const hooks = await transaction.selectFrom('event_hooks').select('id').where('userid', '=', userid).execute();
    for (const { id } of hooks) {
      await transaction
        .updateTable('event_hooks')
        .set({
          state: 'paused',
          host: '',
          refresh: 'none',
          sealed_url: sealer.seal('', sealedPlaces.hookUrl({ userid, id })),
          sealed_secret: sealer.seal('', sealedPlaces.hookSecret({ userid, id })),
        })
        .where('id', '=', id)
        .execute();
    }
  }

  async #end(userid: string): Promise<void> {
    await this.runner.transact('end erasure', async (transaction) => {
      const marked = transaction.deleteFrom('users').where('userid', '=', userid).where('erased_at', 'is not', null);
      // Another process has ended it, and the student may have registered again.
      if ((await marked.executeTakeFirst()).numDeletedRows === 0n) return;
      await transaction.deleteFrom('guard_memory').where('name', '=', `student:${userid}`).execute();
      // Leases of one student are named `<purpose>:<userid>`.
      const isOwn = sql<boolean>`name like ${`%:${escapeLike(userid)}`} escape '\\'`;
      await transaction.deleteFrom('leases').where(isOwn).execute();
    });
    this.deps.erased();
  }
}
