import {
  type CopyOutline,
  type Feed,
  type FeedPart,
  type FeedStore,
  feedParts,
  type StoredFeed,
} from '../domain/calendar/kinds.ts';
import { countRows, hasValues, lockUser } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { sealedPlaces } from './seal.ts';
import { Store } from './store.ts';

const shownColumns = ['id', 'name', ...feedParts, 'alarm_minutes', 'created_at', 'polled_at'] as const;
const pollColumns = [...shownColumns, 'userid', 'schedule_params', 'revision', 'had'] as const;

const feedOf = (row: Pick<Tables['calendar_feeds'], (typeof shownColumns)[number]>): Feed => ({
  id: row.id,
  name: row.name,
  parts: feedParts.filter((part) => row[part] === 1),
  alarmMinutes: row.alarm_minutes,
  createdAt: row.created_at,
  polledAt: row.polled_at,
});

export class SqlFeedStore extends Store implements FeedStore {
  create(feed: Parameters<FeedStore['create']>[0], most: number): ReturnType<FeedStore['create']> {
    return this.runner.transact('create feed', async (transaction) => {
      // If two feeds are made at once, the second waits here and then counts the first.
      if (!(await lockUser(transaction, feed.userid))) return 'user-gone';
      const own = transaction.selectFrom('calendar_feeds').where(hasValues({ userid: feed.userid }));
      if ((await countRows(own)) >= most) return 'too-many';
      const parts = Object.fromEntries(feedParts.map((part) => [part, feed.parts.includes(part) ? 1 : 0]));
      await transaction
        .insertInto('calendar_feeds')
        .values({
          ...(parts as Record<FeedPart, number>),
          id: feed.id,
          userid: feed.userid,
          secret_hash: feed.secretHash,
          name: feed.name,
          alarm_minutes: feed.alarmMinutes,
          created_at: feed.createdAt,
          polled_at: null,
          revision: 0,
          had: '',
          sealed_sources: null,
          schedule_params: '',
        })
        .execute();
      return 'created';
    });
  }

  list(userid: string): Promise<Feed[]> {
    return this.runner.all(
      'list feeds',
      (db) =>
        db
          .selectFrom('calendar_feeds')
          .select(shownColumns)
          .where(hasValues({ userid }))
          .orderBy('created_at')
          .orderBy('id'),
      feedOf,
    );
  }

  delete(userid: string, id: string): Promise<boolean> {
    return this.erase('delete feed', (db) => db.deleteFrom('calendar_feeds').where(hasValues({ userid, id })));
  }

  bySecret(secretHash: string): Promise<StoredFeed | null> {
    return this.runner.first(
      'find feed',
      (db) => db.selectFrom('calendar_feeds').select(pollColumns).where('secret_hash', '=', secretHash),
      (row) => {
        const { userid, revision, schedule_params: scheduleParams } = row;
        const had = feedParts.filter((part) => row.had.split(',').includes(part));
        return { ...feedOf(row), userid, revision, scheduleParams, had };
      },
    );
  }

  contents({ userid, id }: StoredFeed): Promise<string | null> {
    return this.runner.first(
      'read feed',
      (db) => db.selectFrom('calendar_feeds').select('sealed_sources').where('id', '=', id),
      (row) =>
        this.unseal(row.sealed_sources, sealedPlaces.sources({ userid, id }), 'sealed feed cannot be opened', () => ({
          feed: id,
        })),
    );
  }

  update(feed: StoredFeed, update: Parameters<FeedStore['update']>[1]): Promise<boolean> {
    return this.runner.hasUpdated('update feed', (db) =>
      db
        .updateTable('calendar_feeds')
        .set({
          schedule_params: update.scheduleParams,
          revision: feed.revision + 1,
          had: update.had.join(','),
          sealed_sources: this.deps.sealer.seal(update.contents, sealedPlaces.sources(feed)),
        })
        .where(hasValues({ id: feed.id, revision: feed.revision })),
    );
  }

  notePoll(id: string, at: number): Promise<void> {
    return this.runner.finish('note poll', (db) =>
      db.updateTable('calendar_feeds').set({ polled_at: at }).where('id', '=', id),
    );
  }

  outlines(userid: string, reads: readonly string[]): Promise<CopyOutline[]> {
    return this.runner.run('outline copies', (db) =>
      db
        .selectFrom('copies')
        .select(['read', 'params', 'digest', 'read_at as readAt'])
        .where('userid', '=', userid)
        .where('read', 'in', reads)
        .orderBy('read')
        .orderBy('params')
        .execute(),
    );
  }

  /** Deletes the sources of feeds where no copies are kept. Returns how many feeds had some. */
  forgetContents(): Promise<number> {
    return this.runner.countUpdated('forget feeds', (db) =>
      db
        .updateTable('calendar_feeds')
        .set((to) => ({ sealed_sources: null, revision: to('revision', '+', 1) }))
        .where('sealed_sources', 'is not', null),
    );
  }
}
